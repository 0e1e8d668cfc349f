"""What the Live page shows of our own turns, and of whose the blocks are, against what the judge says."""

from __future__ import annotations

import re
from datetime import UTC
from statistics import median
from typing import TYPE_CHECKING

import pytest

from console.live.charts_shown import derive_tokens
from console.live.seat_shown import derive_seats
from console.live.tiles_shown import derive_rows
from console.live.truth_shown import derive_truth
from console.live.worst_shown import derive_worst
from engine_host.metrics.seats import NOT_OURS
from tests.console.live.judge import AT_ONCE, ranked
from tests.console.live.verdicts import STALE, UNKNOWN, is_rounded, points

if TYPE_CHECKING:
    from console.live.reading import LiveRead
    from console.live.view import View
    from tests.console.live.judge import Judge

LAST, SLOW, ROWS = 60.0, 1.0, 6
"""The list of the worst turns: of so many seconds, slower than so many, at most so many of them."""


def judge_tenants(read: LiveRead, view: View, judge: Judge, count: int = 1) -> None:
    """The table, and of the stack the last `count` seconds in which every turn has ended."""
    rows = {row.tenant_id: row for row in derive_rows(read, view)}
    chart = derive_tokens(read, view, str)
    assert {turn.tenant for turn in judge.turns} <= set(rows)
    for tenant, row in rows.items():
        own = [turn for turn in judge.ended() if turn.tenant == tenant]
        sums = [sum(getattr(turn, name) for turn in own) for name in ("prompt", "cached", "output")]
        assert [row.requests, row.prompt, row.cached, row.output] == [len(own), *sums]
        waits = [wait for turn in own if (wait := turn.times["ttft"]) is not None]
        assert row.ttft_s == (pytest.approx(ranked(waits, 0.95)) if waits else None)
        shown_points = list(points(chart, tenant, count))
        since = shown_points[0][0] - judge.smooth_s
        theirs = [turn for turn in judge.turns if turn.tenant == tenant and turn.ended + AT_ONCE > since]
        for at, shown in shown_points:
            true = sum(turn.written(at - judge.smooth_s, at) for turn in theirs) / judge.smooth_s
            assert shown == pytest.approx(true, rel=1e-4, abs=1e-2)


def judge_truth(read: LiveRead, view: View, judge: Judge) -> None:
    shown, ended = derive_truth(read, view), judge.ended()
    assert bool(shown.empty) == (not ended)
    if not ended:
        return
    held, written = (sum(getattr(turn, name) for turn in ended) for name in ("withheld", "sentences"))
    of = f"of {written:,} {'sentence' if written == 1 else 'sentences'}" if written else "sentences"
    assert (shown.withheld.figures[0].number, shown.withheld.figures[0].unit) == (f"{held:,}", of)
    lookups = [turn.lookup * 1000 for turn in ended if turn.lookup is not None]
    numbers = [figure.number for figure in shown.lookup.figures]
    assert len(numbers) == (2 if lookups else 1)
    for number, share in zip(numbers, (0.5, 0.95), strict=False):
        assert is_rounded(number, ranked(lookups, share) if lookups else None, 0)
    unknown = sum(turn.unknown for turn in ended)
    assert shown.unknown.figures[0].number == f"{unknown:,}"
    assert sum(row.turns for row in shown.reasons) == unknown


def judge_worst(read: LiveRead, judge: Judge) -> None:
    """The slowest turns of the last minute, and the median of all of them."""
    ended = [turn.first_text for turn in judge.turns if judge.now - LAST < turn.ended <= judge.now]
    times = sorted((one for one in ended if one is not None), reverse=True)
    shown = derive_worst(read.why, read.tenants, UTC)
    assert [row.first_text for row in shown.rows] == [one for one in times[:ROWS] if one > SLOW]
    told = re.search(r"median (\S+) s", shown.unit)
    assert is_rounded(told[1] if told else UNKNOWN, median(times) if times else None, 2)


def judge_seats(read: LiveRead, judge: Judge) -> None:
    """Every block of the engine is somebody's or free. Our turns may be younger than its page: then each of them has
    one at the least, and there is no other."""
    shown, total = derive_seats(read.why.seat, read.tenants), judge.blocks()
    if shown.missing:
        assert judge.now - judge.newest > STALE
        return
    assert shown.seats.total == sum(row.blocks for row in shown.rows) == total
    assert shown.seats.used == sum(row.blocks for row in shown.rows if row.kind != "free")
    if shown.seats.used != judge.used():
        assert shown.seats.used > judge.used()
        assert all(holder.blocks == 1 and holder.tenant_id != NOT_OURS for holder in shown.seats.holders)
