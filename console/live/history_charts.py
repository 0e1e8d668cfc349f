"""What the charts of the history show of one reading. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.compare_choice import day_words
from console.widgets.chart_data import Line, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import tzinfo

    from numpy.typing import NDArray

    from console.live.history_panels import HistoryPanel
    from console.live.history_reading import HistoryRead

    Data = Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]]

BESIDE: Final = "beside"
LABEL_SHARE: Final = 0.18
UNFINISHED: Final = 2
"""Points at the end of a span that reaches now: one is under way, and samples are kept some seconds after they came."""


@dataclass(frozen=True, slots=True)
class HistoryShown:
    """`missing` is a sentence in place of the chart."""

    lines: tuple[Line, ...]
    data: Data
    missing: str = ""


def derive_chart(panel: HistoryPanel, read: HistoryRead, zone: tzinfo) -> HistoryShown:
    """The panel's lines and, when an earlier day lies beside, that day's main line on the same axes."""
    lines, series = panel.lines, read.panels.get(panel.key, {})
    data = {line.key: _without_unfinished(read.times, series[line.key]) for line in lines if line.key in series}
    if read.beside is not None:
        main = next(line for line in lines if line.look == "main")
        day = day_words(datetime.fromtimestamp(read.beside.first, zone).date())
        lines = (*lines, Line(BESIDE, f"{main.name} {day}", "ghost", digits=main.digits))
        beside = read.beside.panels.get(panel.key, {})
        if main.key in beside:
            data[BESIDE] = (read.beside.times + read.shift_s, beside[main.key])
    told = any(not np.isnan(values).all() for _, values in data.values())
    return HistoryShown(lines, data, "" if told else missing_words(panel, read))


def _without_unfinished(
    times: NDArray[np.float64], values: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Without the points at the end that are not there yet: the value at rest is that of the last finished one."""
    known = np.flatnonzero(~np.isnan(values))
    end = known[-1] + 1 if len(known) and len(values) - known[-1] - 1 <= UNFINISHED else len(values)
    return times[:end], values[:end]


def missing_words(panel: HistoryPanel, read: HistoryRead) -> str:
    if not read.panels:
        return "No sample of this time is kept."
    if panel.key == "kv" and len(read.engines) > 1 and not read.engine:
        return "The engines do not all say how many blocks they have. Choose one of them."
    return f"No sample of this time has {panel.names.split(', ')[0]}."


def derive_marks(read: HistoryRead, zone: tzinfo, *, named: bool) -> tuple[Mark, ...]:
    """`named`: with the labels that only one panel of the page has, no two of them over each other."""
    marks: list[Mark] = []
    labelled = float("-inf")
    for event in read.events:
        at = event.at.timestamp()
        has_label = named and at - labelled >= LABEL_SHARE * (read.last - read.first)
        labelled = at if has_label else labelled
        local = event.at.astimezone(zone)
        marks.append(Mark(at, event.kind if has_label else "", f"{local:%H:%M:%S} {event.text}"))
    return tuple(marks)
