"""What stands behind the seat map and the worst turns, read in the loop; what it gives is frozen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Protocol
from zoneinfo import ZoneInfo

from console.live.view import ALL
from engine_host.metrics.seats import SeatMap, holders_of, seat
from engine_host.metrics.slots import block_seconds
from engine_host.metrics.why_detail import Known, explain
from engine_host.metrics.why_peers import median_first_text

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from console.live.engine_reading import EngineSeat
    from console.live.reading import LiveRead
    from engine_host.answering.under_way import TurnsUnderWay, TurnUnderWay
    from engine_host.metrics.samples import MetricSample
    from engine_host.metrics.slots import SlotSample
    from engine_host.metrics.why_detail import TurnWhy
    from engine_host.metrics.why_turn import TurnSeen
    from storage.settings import Settings

LAST_S: Final = 60.0
STALE_S: Final = 10.0
"""What an engine said so long ago is no figure of now."""
SLOW_S: Final = 1.0
"""A turn whose first text came sooner is in no list of the worst."""
MOST_ROWS: Final = 6
LOOKED_AT: Final = 1500
"""So many of the last turns are held beside a slow one: more of them tell nothing new of what is usual."""
SETTLED_S: Final = 6.0
"""So long after a turn has ended its cause is looked for again: samples from then still come."""


class Turns(Protocol):
    @property
    def under_way(self) -> TurnsUnderWay: ...


class Slots(Protocol):
    @property
    def samples(self) -> tuple[SlotSample, ...]: ...


class Engines(Protocol):
    @property
    def seats(self) -> Sequence[EngineSeat]: ...


class WhyHouse(Protocol):
    """The rooms that this reading uses, out of console/house.py."""

    @property
    def engines(self) -> Engines: ...
    @property
    def turns(self) -> Turns: ...
    @property
    def slots(self) -> Slots: ...
    @property
    def settings(self) -> Settings: ...


NO_SEATS: Final = SeatMap()


@dataclass(frozen=True, slots=True)
class SeatRead:
    """`held` are block-seconds of the last minute by tenant, over `held_s` of it. `missing` is a sentence instead."""

    seats: SeatMap = NO_SEATS
    block_size: int = 0
    seqs: tuple[tuple[str, int], ...] = ()
    held: tuple[tuple[str, float], ...] = ()
    held_s: float = 0.0
    missing: str = ""


NO_READ: Final = SeatRead()


@dataclass(frozen=True, slots=True)
class WhyRead:
    """`worst` are the slowest turns that ended in the last minute; `median` is that of all of them, in s to the first
    text, None when none showed any. `runs` are the engine runs of the choice, None = all."""

    worst: tuple[TurnWhy, ...] = ()
    median: float | None = None
    seat: SeatRead = NO_READ
    slots: tuple[SlotSample, ...] = ()
    runs: frozenset[str] | None = None


class WhyReader:
    """All methods belong to the loop."""

    def __init__(self, house: WhyHouse) -> None:
        self._house = house
        self._zone = ZoneInfo(house.settings.kitchen.timezone)
        self._map = SeatMap()
        self._shown = ""
        self._known: dict[str, TurnWhy] = {}
        self._homes: dict[str, EngineSeat] = {}

    def read(self, told: LiveRead, engine: str) -> WhyRead:
        """`told` is the reading of the page, `engine` the key of the engine that it is about, or ALL."""
        self._learn_homes()
        under_way = self._house.turns.under_way.snapshot()
        chosen = [one for one in self._house.engines.seats if engine in (ALL, one.key)]
        runs = None if engine == ALL else frozenset(one.session.state.value.run or "" for one in chosen)
        seen = _seen(told)
        last = [turn for turn in seen if told.now - LAST_S < turn.ended_at <= told.now]
        worst = self._worst(last, seen, under_way, told)
        slots = self._house.slots.samples
        return WhyRead(worst, median_first_text(last), self._seats(told, engine, under_way, slots), slots, runs)

    def why(self, turn_id: str, told: LiveRead) -> TurnWhy | None:
        """What is said of one turn of the last hour, slow or not; None when it has not ended."""
        self._learn_homes()
        seen = _seen(told)
        turn = next((one for one in seen if one.turn_id == turn_id), None)
        return None if turn is None else self._detail(turn, seen, self._house.turns.under_way.snapshot(), told)

    def _learn_homes(self) -> None:
        for one in self._house.engines.seats:
            if run := one.session.state.value.run:
                self._homes[run] = one

    # Worst turns

    def _worst(
        self, last: Sequence[TurnSeen], seen: Sequence[TurnSeen], under_way: Sequence[TurnUnderWay], told: LiveRead
    ) -> tuple[TurnWhy, ...]:
        slow = [turn for turn in last if turn.first_text is not None and turn.first_text > SLOW_S]
        slow = sorted(slow, key=lambda turn: -(turn.first_text or 0.0))[:MOST_ROWS]
        found = {turn.turn_id: self._detail(turn, seen, under_way, told) for turn in slow}
        self._known = found
        return tuple(found.values())

    def _detail(
        self, turn: TurnSeen, seen: Sequence[TurnSeen], under_way: Sequence[TurnUnderWay], told: LiveRead
    ) -> TurnWhy:
        """Looked for once, when what was measured around the turn has come."""
        known = self._known.get(turn.turn_id)
        if known is not None and known.turn == turn and told.now - turn.ended_at > SETTLED_S:
            return known
        home = self._homes.get(turn.engine_run or "")
        return explain(
            turn,
            Known(
                told.now, seen[-LOOKED_AT:], under_way,
                samples=home.poller.scrapes if home is not None else (),
                events=told.events,
                max_seqs=next((one.max_seqs for one in told.engines if home is not None and one.key == home.key), None),
                engine=home.session.state.value.name if home is not None else "",
                names={tenant.tenant_id: tenant.name for tenant in told.tenants},
                zone=self._zone,
            ),
        )  # fmt: skip

    # Seats

    def _seats(
        self, told: LiveRead, engine: str, under_way: Sequence[TurnUnderWay], slots: Sequence[SlotSample]
    ) -> SeatRead:
        fresh = _fresh(told, engine)
        samples = [sample for _, sample in fresh]
        if not samples or any(sample.kv_usage is None or not sample.kv_blocks for sample in samples):
            return SeatRead(missing=_missing(samples))
        sizes = {run: sample.block_size for run, sample in fresh if sample.block_size}
        if not sizes:
            return SeatRead(missing="This engine does not say how many tokens a KV block holds.")
        if engine != self._shown:
            self._map, self._shown = SeatMap(), engine
        total = sum(sample.kv_blocks or 0 for sample in samples)
        used = sum(round((sample.kv_usage or 0.0) * (sample.kv_blocks or 0)) for sample in samples)
        size = max(sizes.values())
        self._map = seat(self._map, holders_of(under_way, sizes), total, used, size)
        return replace(
            _held(slots, told.now, frozenset(sizes)),
            seats=self._map,
            block_size=size if len(set(sizes.values())) == 1 else 0,
            seqs=_seqs(under_way, sizes),
        )


def _seen(told: LiveRead) -> list[TurnSeen]:
    return [turn.seen for turn in told.ledger.turns if turn.seen is not None]


def _fresh(told: LiveRead, engine: str) -> list[tuple[str, MetricSample]]:
    """The run and the newest sample of each engine that is shown, of those that were heard of lately."""
    return [
        (one.state.run or "", one.newest)
        for one in told.engines
        if engine in (ALL, one.key) and one.newest is not None and told.now - one.newest.at.timestamp() <= STALE_S
    ]


def _held(slots: Sequence[SlotSample], now: float, runs: Collection[str]) -> SeatRead:
    since = now - LAST_S
    inside = [sample for sample in slots if sample.at >= since]
    held = block_seconds(inside, since, runs)
    return SeatRead(held=tuple(held.items()), held_s=now - inside[0].at if inside else 0.0)


def _seqs(under_way: Sequence[TurnUnderWay], sizes: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    counted: dict[str, int] = {}
    for turn in under_way:
        if turn.engine_run in sizes and turn.prompt_tokens is not None:
            counted[turn.tenant_id] = counted.get(turn.tenant_id, 0) + 1
    return tuple(counted.items())


def _missing(samples: Sequence[MetricSample]) -> str:
    if not samples:
        return "No sample of the engine: which blocks are used is not known."
    return "This engine does not publish how many of its KV blocks are used. Newer versions of vLLM do."
