"""Keeps looking at a running engine: its processes, its health, its counters, and a token when these leave a doubt."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine_host.engine.canary import ANSWER_S, Canary
from engine_host.engine.errors import TokenRefused
from engine_host.engine.health import Health
from engine_host.engine.vitals import Vitals

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.engine.canary import Pulse
    from engine_host.engine.health import EngineProbe, WarmUp
    from engine_host.engine.vitals import Members

ASK_EVERY_S = 0.5
SILENT_TIMES = 2
UNREACHABLE_TIMES = 2
METRICS_EVERY = 2
ELSEWHERE = 2
"""An engine that runs elsewhere is asked half as often: only its server is there to be asked, over the network."""
EMPTY_TIMES = 4
SLEEP_TIMES = 2


@dataclass(frozen=True, slots=True)
class Verdict:
    """`stalled` says why no answer can be expected, as a sentence; "" = well. `busy`: it has requests in hand."""

    busy: bool = False
    asleep: bool = False
    stalled: str = ""


@dataclass(slots=True)
class Watcher:
    """Looks twice a second and tells `heard` each verdict. `members` None = the engine runs elsewhere: once a second.

    One unreachable moment may be a full backlog, two are not; silence is only a stall, because a long prefill on a busy
    machine is silent too. `metrics`: the server has shown some, so they must not end. While `asleep` it owes no token;
    whoever put it to sleep or woke it, two readings of its metrics tell it. `told` is the pulse that somebody else has
    read a moment ago, None = it is read here.
    """

    probe: EngineProbe
    model: str
    heard: Callable[[Verdict], None]
    spent: Callable[[WarmUp], None]
    canary: Canary | None = None
    members: Members | None = None
    metrics: bool = True
    asleep: bool = False
    told: Callable[[], Pulse | None] = lambda: None
    _busy: bool = False
    _silent: int = 0
    _unreachable: int = 0
    _empty: int = 0
    _otherwise: int = 0
    _rounds: int = 0
    _spared: bool = False
    _unproven: str = ""
    _proving: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def is_proving(self) -> bool:
        return self._proving is not None

    async def run(self) -> str:
        """Return when the engine is dead or gone: why, as half a sentence, or "" when only its silence tells it."""
        try:
            while True:
                vitals = self.members.look() if self.members else Vitals()
                health = await self._health()
                if vitals.gone or self._is_gone(health):
                    return vitals.gone
                if health is Health.WELL:
                    await self._feel()
                if stalled := self._stalled(vitals):
                    self.heard(Verdict(stalled=stalled))
                elif health is Health.WELL:
                    self.heard(Verdict(busy=self._busy, asleep=self.asleep))
                await asyncio.sleep(ASK_EVERY_S if self.members else ASK_EVERY_S * ELSEWHERE)
        finally:
            await self._end_proving()

    async def _health(self) -> Health:
        """An engine elsewhere that told its metrics a moment ago is there: it is asked every other time, until it fails
        to answer."""
        answered = not self._unreachable and not self._silent
        self._spared = answered and not self._spared and self.members is None and self.told() is not None
        return Health.WELL if self._spared else await self.probe.health()

    def _is_gone(self, health: Health) -> bool:
        self._unreachable = self._unreachable + 1 if health is Health.UNREACHABLE else 0
        self._silent = self._silent + 1 if health is Health.SILENT else 0
        return health is Health.DEAD or self._unreachable >= UNREACHABLE_TIMES

    def _stalled(self, vitals: Vitals) -> str:
        if vitals.stopped:
            return f"The engine stands still: {vitals.stopped}."
        if self._silent >= SILENT_TIMES:
            return "The engine has not answered for 5 s."
        if self._empty >= EMPTY_TIMES:
            return "The engine says that it is well, but its metrics have become empty."
        return self._unproven

    async def _feel(self) -> None:
        self._rounds += 1
        if not self.metrics or (self.members and self._rounds % METRICS_EVERY):
            return
        pulse = self.told() or await self.probe.pulse()
        self._empty = 0 if pulse else self._empty + 1
        if pulse is None:
            return
        self._busy = pulse.in_hand > 0
        self._otherwise = self._otherwise + 1 if pulse.asleep is not self.asleep else 0
        if self._otherwise >= SLEEP_TIMES:
            self.asleep = pulse.asleep
        if self.canary is None or self.asleep:
            return
        now = time.monotonic()
        if self.canary.feel(pulse, now):
            self._unproven = ""
        if self._proving is None and self.canary.due(now):
            self.canary.asked(now)
            self._proving = asyncio.create_task(self._prove(self.canary), name="engine canary")

    async def _prove(self, canary: Canary) -> None:
        try:
            made = await self.probe.make_a_token(self.model, ANSWER_S)
        except TokenRefused:  # it takes no conversations, so a token proves nothing
            self.canary, self._unproven, self._proving = None, "", None
            return
        if made:
            self.spent(made)
        still = canary.still_s(time.monotonic())
        self._unproven = "" if made else f"The engine says that it is well, but has made no token for {still:.0f} s."
        self._proving = None

    async def _end_proving(self) -> None:
        proving, self._proving = self._proving, None
        if proving is not None:
            proving.cancel()
            await asyncio.gather(proving, return_exceptions=True)
