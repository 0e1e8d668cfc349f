"""What each chart of the Live page shows, from one reading. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Final

import numpy as np

from console.live.figures import WAITING_REASONS
from console.live.windows import LONGEST_STEP_S, growth, rates, spread_rates
from console.widgets.chart_data import Line, Mark, find_gaps
from engine_host.metrics.names import KV_USAGE, OUTPUT_TOKENS, RUNNING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import tzinfo

    from numpy.typing import NDArray

    from console.live.ledger import TurnFact
    from console.live.reading import LiveRead
    from console.live.tracks import TrackMark
    from console.live.view import View
    from console.widgets.chart_data import Span
    from storage.records import EngineEvent, Tenant

    Series = Mapping[str, tuple[NDArray[np.float64], NDArray[np.float64]]]

SMOOTH_PARTS: Final = 60
"""Tokens a second are means over this part of the span that is shown: over 5 s when it is 5 minutes."""
LABEL_SHARE: Final = 0.18
BATCH_LINES: Final = (
    Line("running", "running", "main", kind="stack", stepped=True, digits=0),
    Line("waiting", "waiting", "bad", kind="stack", stepped=True, digits=0),
    Line("deferred", "deferred", "third", kind="stack", stepped=True, digits=0),
)
KV_LINES: Final = (
    Line("used", "used", "main", fill=True, digits=0),
    Line("filled", "filled by us", "second", digits=0),
    Line("reserved", "if reserved", "ghost", digits=0),
)


@dataclass(frozen=True, slots=True)
class ChartShown:
    """`missing` is a sentence instead of the chart; `limit` a value and its words, None = not known.

    `scraped` False: the ledger knows what was in a gap between two scrapes, so none is drawn.
    """

    data: Series = field(default_factory=dict[str, "tuple[NDArray[np.float64], NDArray[np.float64]]"])
    unit: str = ""
    note: str = ""
    limit: tuple[float, str] | None = None
    missing: str = ""
    scraped: bool = True


def missing_words(read: LiveRead, figure: str, names: Sequence[str]) -> str:
    """Why a chart is not there: what the metrics page says wrong, or that the series is not on it."""
    if read.newest is None:
        return ""
    return read.newest.fault(figure) or f"This engine does not publish {names[0]}. Newer versions do."


def lines_of(tenants: Sequence[Tenant]) -> tuple[Line, ...]:
    """The engine's own count as a line, in front of the stack of the tenants."""
    stack = (
        Line(one.tenant_id, one.name.split(maxsplit=1)[0], "series", kind="stack", series=one.colour, digits=0)
        for one in tenants
    )
    return (Line("engine", "engine", "second", digits=0), *stack)


def derive_batch(read: LiveRead, view: View) -> ChartShown:
    rows = read.rows
    if read.newest is not None and read.newest.running is None:
        return ChartShown(missing=missing_words(read, "running", RUNNING))
    reasons = all(rows.known(f"waiting_{reason}") for reason in WAITING_REASONS)
    data = {"running": "running", "waiting": "waiting_capacity" if reasons else "waiting"}
    if reasons:
        data["deferred"] = "waiting_deferred"
    return ChartShown(
        data={line: (rows.times, rows.figures[figure]) for line, figure in data.items()},
        unit=_seats_words(read),
        note=_trouble_words(read, view),
        limit=None if read.max_seqs is None else (read.max_seqs, f"max-num-seqs {read.max_seqs}"),
    )


def _trouble_words(read: LiveRead, view: View) -> str:
    """Requests that were refused at the door, when there were any, and sequences that lost their KV blocks."""
    rows = read.rows
    refused, lost = (
        growth(rows.times, rows.figures[k], view.window_s, read.now) for k in ("rejections", "preemptions")
    )
    told = [f"refused {refused:,.0f}"] if refused else []
    told += [] if lost is None else [f"preempted {lost:,.0f}"]
    return f"{', '.join(told)} in {view.window_words}" if told else ""


def _seats_words(read: LiveRead) -> str:
    if read.max_seqs is None or read.newest is None or read.newest.running is None:
        return "sequences"
    return f"sequences, {read.newest.running / read.max_seqs * 100:.0f} % of the seats taken"


def seconds_of(read: LiveRead, view: View) -> NDArray[np.float64]:
    """Every second of the chart, the last one now."""
    return read.now - np.arange(view.span_s, -1.0, -1.0)


def derive_kv(read: LiveRead, _view: View) -> ChartShown:
    rows, newest = read.rows, read.newest
    if newest is not None and newest.kv_usage is None:
        return ChartShown(missing=missing_words(read, "kv_usage", KV_USAGE))
    total = newest.kv_blocks if newest is not None else None
    used = rows.figures["kv_usage"] * (total or 100)
    size = newest.block_size if newest is not None else None
    return ChartShown(
        data={
            "used": (rows.times, np.round(used) if total else used),
            **(_slots(read, used) if total and size else {}),
        },
        unit="% of all" if not total else f"blocks of {size} tokens" if size else "blocks",
        limit=(total, f"{total:,} blocks exist") if total else None,
    )


def _slots(read: LiveRead, used: NDArray[np.float64]) -> Series:
    """What our own turns fill, as full blocks, and what they would take with their longest answer reserved.

    Turns that share beginnings fill no more than the engine uses, by its sample before or after the moment.
    """
    times = np.array(read.slots.times, dtype=np.float64)
    filled, reserved = (np.array(one, dtype=np.float64) for one in (read.slots.filled, read.slots.reserved))
    if len(used):
        after = np.searchsorted(read.rows.times, times).clip(0, len(used) - 1)
        most = np.fmax(used[(after - 1).clip(0)], used[after])
        filled = np.where(filled > most, most, filled)
    return {"filled": (times, filled), "reserved": (times, reserved)}


def derive_tokens(read: LiveRead, view: View, clock: Callable[[float], str]) -> ChartShown:
    """The stack ends where turns are still under way; the engine's own count goes on to the last sample."""
    rows, ledger = read.rows, read.ledger
    if read.newest is not None and read.newest.output_tokens is None and not ledger.turns:
        return ChartShown(missing=missing_words(read, "output_tokens", OUTPUT_TOKENS))
    grid, over_s = seconds_of(read, view), view.span_s / SMOOTH_PARTS
    grid = grid[grid <= ledger.known_until]
    data = {"engine": (rows.times, rates(rows.times, rows.figures["output"], over_s))}
    # What ended before the chart begins has no part in any second of it.
    shown = ledger.turns[int(np.searchsorted(ledger.ended, read.now - view.span_s - over_s)) :]
    for tenant in read.tenants:
        data[tenant.tenant_id] = (grid, _tenant_rates(shown, tenant.tenant_id, grid, over_s))
    behind = read.now - ledger.known_until
    until = f" to {clock(ledger.known_until)}" if behind > LONGEST_STEP_S else ""
    return ChartShown(data, f"tok/s by tenant, settled{until}", scraped=False)


def _tenant_rates(
    turns: Sequence[TurnFact], tenant_id: str, grid: NDArray[np.float64], over_s: float
) -> NDArray[np.float64]:
    own = [turn for turn in turns if turn.tenant_id == tenant_id and turn.output]
    ends = np.array([turn.ended_at for turn in own], dtype=np.float64)
    decode = np.array([turn.decode_s for turn in own], dtype=np.float64)
    return spread_rates(ends - decode, ends, np.array([turn.output for turn in own], dtype=np.float64), grid, over_s)


def derive_gaps(times: NDArray[np.float64], now: float) -> tuple[Span, ...]:
    """Spans without a sample, the one that lasts until now included."""
    inside = find_gaps(times, LONGEST_STEP_S)
    if len(times) and now - times[-1] > LONGEST_STEP_S:
        return (*inside, (float(times[-1]), now))
    return inside


def derive_marks(
    events: Sequence[EngineEvent], zone: tzinfo, *, named: bool, label_s: float = 0.0, seen: Sequence[TrackMark] = ()
) -> tuple[Mark, ...]:
    """Events that were kept and what the samples themselves show (`seen`), in the order of time.

    `named`: with the labels that only one panel of the page has, where the last is `label_s` or more away.
    """
    told = sorted([(e.at.timestamp(), e.kind, e.text) for e in events] + [(m.time, m.kind, m.text) for m in seen])
    marks: list[Mark] = []
    labelled = float("-inf")
    for at, kind, text in told:
        has_label = named and at - labelled >= label_s
        labelled = at if has_label else labelled
        tip = f"{datetime.fromtimestamp(at, zone):%H:%M:%S} {text}"
        marks.append(Mark(at, kind if has_label else "", tip))
    return tuple(marks)
