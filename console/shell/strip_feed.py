"""Keeps the status strip true: gathers what is heard of the engine and looks at the clock twice a second."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Qt, QTimer, Signal, Slot

from console.shell.strip import StripFacts, StripState, derive_strip
from engine_host.engine.state import EngineState
from engine_host.engine.worst import worst_state
from engine_host.metrics.samples import MetricSample, Scrape

if TYPE_CHECKING:
    from collections.abc import Callable
    from zoneinfo import ZoneInfo

    from engine_host.metrics.engines_now import EnginesNow

JUST_AFTER_MS: Final = 10


def output_rate(before: MetricSample | None, after: MetricSample) -> float | None:
    """Tokens a second between two scrapes; None when it is not known (first scrape, no such series, a restart)."""
    if before is None or before.output_tokens is None or after.output_tokens is None:
        return None
    seconds, tokens = after.mono - before.mono, after.output_tokens - before.output_tokens
    return tokens / seconds if seconds > 0 and tokens >= 0 else None


class StripFeed(QObject):
    """`changed(StripState)` in the GUI thread. Connect mirrors to the slots; `start()` begins the clock.

    A state is told at once, figures with the next second of the clock: the strip is drawn no oftener than it ticks.
    """

    changed = Signal(object)

    def __init__(self, zone: ZoneInfo, monotonic: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._monotonic = monotonic
        self._facts = StripFacts(EngineState(), datetime.now(UTC), zone)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def state(self) -> StripState:
        return derive_strip(self._facts)

    def start(self) -> None:
        self._tick()

    def stop(self) -> None:
        self._timer.stop()

    @Slot(object)
    def engine_changed(self, engine: EngineState) -> None:
        """Another run of an engine starts without samples: its numbers are not the last one's."""
        if self._facts.engines:
            return
        if engine.run != self._facts.engine.run or engine.url != self._facts.engine.url:
            self._facts = replace(self._facts, sample=None, age_s=None, ttft_p95_s=None, output_rate=None)
        self._facts = replace(self._facts, engine=engine)
        self.refresh()

    @Slot(object)
    def scraped(self, scrape: Scrape | None) -> None:
        """A gap brings no numbers: the last ones grow older until they are stale."""
        if isinstance(scrape, MetricSample) and not self._facts.engines:
            self._facts = replace(self._facts, sample=scrape, output_rate=output_rate(self._facts.sample, scrape))

    @Slot(object)
    def engines_changed(self, now: EnginesNow) -> None:
        """Of several engines the strip tells the sum and the worst state; of one it hears by the slots above."""
        before = self._facts.engine, self._facts.engines
        if len(now.states) > 1:
            worst = worst_state(now.states)
            self._facts = replace(
                self._facts, engine=worst, engines=now.states, sample=now.sample, output_rate=now.output_rate
            )
        elif self._facts.engines:
            engine = now.states[0] if now.states else EngineState()
            self._facts = replace(self._facts, engine=engine, engines=(), sample=now.sample)
        if (self._facts.engine, self._facts.engines) != before:
            self.refresh()

    @Slot(object)
    def ttft_changed(self, p95_s: float | None) -> None:
        self._facts = replace(self._facts, ttft_p95_s=p95_s)

    @Slot(object)
    def errors_changed(self, last_hour: int | None) -> None:
        self._facts = replace(self._facts, errors_last_hour=last_hour)

    @Slot(str)
    def setup_changed(self, words: str) -> None:
        """`words` such as "Setting up, step 2 of 6"; "" when the set-up is over."""
        self._facts = replace(self._facts, setup=words)
        self.refresh()

    def set_ttft_limit(self, limit_s: float | None) -> None:
        self._facts = replace(self._facts, ttft_limit_s=limit_s)
        self.refresh()

    @Slot()
    def _tick(self) -> None:
        self.refresh()
        self._timer.start(1000 - self._facts.now.microsecond // 1000 + JUST_AFTER_MS)

    @Slot()
    def refresh(self) -> None:
        sample = self._facts.sample
        age_s = None if sample is None else self._monotonic() - sample.mono
        self._facts = replace(self._facts, now=datetime.now(UTC), age_s=age_s)
        self.changed.emit(self.state)
