"""The figures of a span as CSV: a row for each slot, the units in the head, nothing where nobody knows. Pure."""

from __future__ import annotations

import csv
import io
import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from console.live.history_panels import PANELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from console.live.history_reading import HistoryRead


def csv_of(read: HistoryRead) -> str:
    """Times are the beginning of each slot in UTC. A span beside it has columns of its own and its own times."""
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    beside = read.beside
    spans = [("", read)] if beside is None else [("", read), ("beside: ", beside)]
    columns = [column for prefix, span in spans for column in _columns(prefix, span)]
    writer.writerow(["from (UTC)", *(["beside: from (UTC)"] if beside else []), *(head for head, _ in columns)])
    for number, begin in enumerate(read.edges[:-1].tolist()):
        times = [_clock(begin)] if beside is None else [_clock(begin), _clock(begin - read.shift_s)]
        writer.writerow([*times, *(_cell(values[number]) for _, values in columns)])
    return table.getvalue()


def _columns(prefix: str, read: HistoryRead) -> Iterator[tuple[str, list[float]]]:
    """Every line of every panel; a span of which nothing is kept has them too, and they are empty."""
    nothing = [math.nan] * len(read.times)
    for panel in PANELS:
        for line in panel.lines:
            values = read.panels.get(panel.key, {}).get(line.key)
            head = f"{prefix}{panel.title}: {line.name} ({panel.unit})"
            yield head, nothing if values is None else values.tolist()


def _cell(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.10g}"


def _clock(moment: float) -> str:
    return f"{datetime.fromtimestamp(moment, UTC):%Y-%m-%dT%H:%M:%SZ}"
