"""The scrapes of one engine on their way into its history: what is true of the time between two of them. No I/O."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from engine_host.metrics.history_rows import (
    COUNTERS,
    HISTOGRAMS,
    NO_ROWS,
    SUM,
    Before,
    HistoryRows,
    figures_of,
    joined,
    kind_of,
    rows_of,
)
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.metrics.samples import Scrape

LONGEST_STEP_S: Final = 2.5
"""Samples that lie further apart have a gap between them."""
SAME_S: Final = 1.0
STARTED: Final = "started"

Figures = dict[str, float]


class EngineTrack:
    """Give `add` every scrape, None when there is no engine; `take` what is to be kept.

    A sample whose clock is not past the one before it is left out: after a clock was set back there is a gap until it
    has caught up.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, Figures]] = []
        self._given_back = NO_ROWS
        self._before: Figures = {}
        self._last_at = -math.inf
        self._run: str | None = None
        self._pending = Before(0)
        self._silent_at = -math.inf

    def add(self, scrape: Scrape | None, run: str | None) -> None:
        """`run` names the run of the engine that answered; another one is another server until it says otherwise."""
        if scrape is None:
            self._end_silence()
            self._pending = Before.AWAY
        elif isinstance(scrape, MetricSample):
            self._add_sample(scrape, run)
        elif not self._pending & Before.AWAY:
            self._pending |= Before.GAP
            self._silent_at = scrape.at.timestamp()

    def take(self) -> HistoryRows:
        """What came since the last time, as rows."""
        if self._pending & Before.GAP:
            self._end_silence()
        waiting, self._waiting = self._waiting, []
        given, self._given_back = self._given_back, NO_ROWS
        if not waiting:
            return given
        times, marks, figures = zip(*waiting, strict=True)
        return joined([given, rows_of(times, marks, figures)])

    def give_back(self, rows: HistoryRows, most: int) -> None:
        """They could not be kept. More than `most` are not held: the oldest go, and a gap says so."""
        held = rows.part(slice(max(0, len(rows) - most), None))
        if len(held) < len(rows):
            held.marks[0] |= int(Before.GAP)
        self._given_back = held

    def _add_sample(self, sample: MetricSample, run: str | None) -> None:
        at = sample.at.timestamp()
        if at <= self._last_at:
            self._pending |= Before.GAP
            return
        figures = figures_of(sample)
        mark = self._pending
        if at - self._last_at > LONGEST_STEP_S and self._last_at > -math.inf and not mark & Before.AWAY:
            mark |= Before.GAP
        if self._before:
            mark |= _change(self._before, figures, other_run=run != self._run)
        self._waiting.append((at, int(mark), figures))
        self._before, self._last_at, self._run = figures, at, run
        self._pending = Before(0)

    def _end_silence(self) -> None:
        """A row without figures at the last moment at which nothing came: until there the gap is sure."""
        if self._silent_at > self._last_at > -math.inf:
            self._waiting.append((self._silent_at, int(Before.GAP), {}))
            self._last_at = self._silent_at


def continued(before: HistoryRows, rows: HistoryRows) -> HistoryRows:
    """`rows` as they go on after `before`, the last row of an earlier run of this program: nobody looked meanwhile."""
    if not len(before):
        return rows
    later = rows.part(rows.times > before.times[-1])
    if not len(later):
        return later
    marks = later.marks.copy()
    marks[0] |= int(Before.GAP | _change(_figures(before), _figures(later), other_run=True))
    return HistoryRows(later.times, marks, later.columns, later.values)


def _change(before: Mapping[str, float], after: Mapping[str, float], *, other_run: bool) -> Before:
    known = STARTED in before and STARTED in after
    if known and abs(after[STARTED] - before[STARTED]) <= SAME_S:
        return Before(0)
    if other_run:
        return Before.OTHER
    if known or any(after[name] < value for name, value in before.items() if name in after and _counts(name)):
        return Before.RESTART
    return Before(0)


def _counts(column: str) -> bool:
    return kind_of(column) in COUNTERS or (kind_of(column) in HISTOGRAMS and not column.endswith(SUM))


def _figures(rows: HistoryRows) -> Figures:
    """Those of the first row that has any."""
    told = {name: float(value) for name, value in zip(rows.columns, rows.values[0], strict=True)}
    return {name: value for name, value in told.items() if not math.isnan(value)}
