"""What the Live page shows of the engine against what the judge says.

Counts are equal, percentiles of the engine lie in the bucket that the raw counts say, those of our own turns are exact,
and what is shown as text is a rounding of the true number.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

import pytest

from console.live.charts_shown import derive_batch, derive_gaps, derive_kv, derive_tokens
from console.live.latency_shown import derive_latency
from console.live.steps_shown import derive_steps, derive_tokens_in
from console.live.tiles_shown import derive_tiles
from tests.console.live.judge import LEAST, PACE, SERIES, ranked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from console.live.charts_shown import ChartShown
    from console.live.reading import LiveRead
    from console.live.view import View
    from console.widgets.tile import TileFigures
    from tests.console.live.judge import Judge

UNKNOWN = "–"
STALE = 10.0
"""Seconds: without a page for so long the tiles of the engine say nothing."""
MILLISECONDS = ("inter_token", "per_token")
PROMPTS = {
    "prompt": ("prompt_tokens_total", ""),
    "computed": ("prompt_tokens_by_source_total", "local_compute"),
    "cached": ("prompt_tokens_cached_total", ""),
}


def read_number(text: str) -> float:
    return float(text.replace(",", ""))


def is_rounded(text: str, true: float | None, digits: int) -> bool:
    if true is None or text == UNKNOWN:
        return true is None and text == UNKNOWN
    return abs(read_number(text) - true) <= 0.5 * 10**-digits + 1e-9 * max(1.0, abs(true))


def is_same(shown: float, true: float | None) -> bool:
    return math.isnan(shown) if true is None else shown == pytest.approx(true, rel=1e-9, abs=1e-9)


def points(chart: ChartShown, key: str, count: int) -> Iterator[tuple[float, float]]:
    """The last ones of a line: moment and value."""
    times, values = chart.data[key]
    assert len(times) == len(values) > 0
    return zip(times[-count:].tolist(), values[-count:].tolist(), strict=True)


# Tiles


def judge_tiles(read: LiveRead, view: View, judge: Judge) -> None:
    tiles = derive_tiles(read, view)
    if judge.now - judge.newest > STALE:
        assert {figure.number for tile in tiles.values() for figure in tile.figures} == {UNKNOWN}
        return
    for place, name in enumerate(("num_requests_running", "num_requests_waiting")):
        assert tiles["batch"].figures[place].number == f"{judge.told(name):,.0f}"
    _judge_kv_tile(tiles["kv"], judge)
    _judge_p95(tiles["ttft"], judge, "ttft", 1, 2)
    _judge_p95(tiles["inter_token"], judge, "inter_token", 1000, 0)
    _judge_tokens_tile(tiles["tokens"], judge)
    hits, asked = (judge.grown(f"prefix_cache_{name}_total", judge.window_s) for name in ("hits", "queries"))
    share = None if hits is None or not asked else hits / asked * 100
    assert is_rounded(tiles["prefix"].figures[0].number, share, 1)
    if share is not None:
        assert tiles["prefix"].caption == f"{hits:,.0f} of {asked:,.0f} tokens cached"


def _judge_kv_tile(tile: TileFigures, judge: Judge) -> None:
    used, total = judge.used(), judge.blocks()
    assert is_rounded(tile.figures[0].number, used / total * 100, 1)
    assert tile.short == f"{used:,.0f} of {total:,} blocks"
    room = judge.configured("kv_cache_size_tokens")
    assert tile.caption == tile.short + ("" if room is None else f", room for {room:,} tokens")


def _judge_p95(tile: TileFigures, judge: Judge, key: str, scale: float, digits: int) -> None:
    own, bucket, shown = judge.own(key), judge.bucket(SERIES[key], 0.95), tile.figures[0]
    assert ("own turns" in shown.unit) == (len(own) >= LEAST)
    if len(own) >= LEAST:
        assert is_rounded(shown.number, ranked(own, 0.95) * scale, digits)
    elif bucket is None:
        assert shown.number == UNKNOWN
    else:
        half = 0.5 * 10**-digits
        assert bucket[0] * scale - half <= read_number(shown.number) <= bucket[1] * scale + half
    _judge_edges(tile.short, bucket, scale)


def _judge_edges(words: str, bucket: tuple[float, float] | None, scale: float) -> None:
    """Such as "engine 0.5 to 1.0 s"; after the last edge "engine over 80 s"."""
    told = re.fullmatch(r"engine (?:(\S+) to|over) (\S+) (?:s|ms)", words)
    if bucket is None:
        assert told is None, words
        return
    assert told, words
    low, high = (told[1], told[2]) if told[1] else (told[2], "inf")
    assert (float(low), float(high)) == pytest.approx([edge * scale for edge in bucket], abs=1e-4)


def _judge_tokens_tile(tile: TileFigures, judge: Judge) -> None:
    made, taken = (judge.pace(f"{kind}_tokens_total", PACE) for kind in ("generation", "prompt"))
    running = judge.told("num_requests_running")
    assert is_rounded(tile.figures[0].number, made, 0)
    stream = re.search(r"(\S+) a stream", tile.caption)
    assert (stream is not None) == bool(made and running)
    assert stream is None or is_rounded(stream[1], (made or 0.0) / running, 1)
    into = re.search(r"in (\S+) tok/s", tile.caption)
    assert is_rounded(into[1] if into else UNKNOWN, taken, 0)


# Charts


def judge_engine_charts(read: LiveRead, view: View, judge: Judge, count: int = 1) -> None:
    """The last `count` points of each line that comes from the engine, and the words beside them."""
    _judge_batch(derive_batch(read, view), read, view, judge, count)
    kv, total = derive_kv(read, view), judge.blocks()
    for at, used in points(kv, "used", count):
        assert used == judge.used(at)
    assert kv.limit == (total, f"{total:,} blocks exist")
    for at, made in points(derive_tokens(read, view, str), "engine", count):
        assert is_same(made, judge.pace("generation_tokens_total", judge.smooth_s, until=at, unbroken=True))
    _judge_tokens_in(derive_tokens_in(read, view), judge, count)
    _judge_steps(derive_steps(read, view), view, judge, count)


def _judge_batch(chart: ChartShown, read: LiveRead, view: View, judge: Judge, count: int) -> None:
    by_reason = judge.has("num_requests_waiting_by_reason", "capacity")
    lines = {
        "running": ("num_requests_running", ""),
        "waiting": ("num_requests_waiting_by_reason", "capacity") if by_reason else ("num_requests_waiting", ""),
        **({"deferred": ("num_requests_waiting_by_reason", "deferred")} if by_reason else {}),
    }
    assert set(chart.data) == set(lines)
    for line, (name, own) in lines.items():
        for at, value in points(chart, line, count):
            assert value == judge.told(name, own, at)
    lost = judge.grown("num_preemptions_total", judge.window_s)
    assert chart.note == ("" if lost is None else f"preempted {lost:,.0f} in {view.window_words}")
    if read.max_seqs is not None:
        seats = re.fullmatch(r"sequences, (\d+) % of the seats taken", chart.unit)
        assert seats
        assert is_rounded(seats[1], judge.told("num_requests_running") / read.max_seqs * 100, 0)


def _judge_tokens_in(chart: ChartShown, judge: Judge, count: int) -> None:
    assert set(chart.data) == set(PROMPTS)
    for line, (name, own) in PROMPTS.items():
        for at, value in points(chart, line, count):
            assert is_same(value, judge.pace(name, judge.smooth_s, own, at, unbroken=True))
    taken, cached = (judge.grown(PROMPTS[key][0], judge.window_s) for key in ("prompt", "cached"))
    share = re.fullmatch(r"(\d+) % cached", chart.note)
    assert is_rounded(share[1] if share else UNKNOWN, (cached or 0.0) / taken * 100 if taken else None, 0)


def _judge_steps(chart: ChartShown, view: View, judge: Judge, count: int) -> None:
    for at, value in points(chart, "tokens", count):
        made, steps = (
            judge.pace(f"iteration_tokens_total_{part}", judge.smooth_s, until=at, unbroken=True)
            for part in ("sum", "count")
        )
        assert is_same(value, made / steps if made is not None and steps else None)
    told = re.fullmatch(rf"(\S+) steps/s in {view.window_words}", chart.note)
    assert is_rounded(told[1] if told else UNKNOWN, judge.pace("iteration_tokens_total_count", judge.window_s), 1)


def judge_gaps(read: LiveRead, judge: Judge) -> None:
    """Of one engine."""
    gaps = derive_gaps(read.rows.times, read.now)
    assert [tuple(gap) for gap in gaps] == judge.gaps()


def judge_latency(read: LiveRead, view: View, judge: Judge, key: str) -> None:
    chart, own, series = derive_latency(read, view, key), judge.own(key), SERIES[key]
    scale = 1000.0 if key in MILLISECONDS else 1.0
    published = judge.has(f"{series}_bucket", "+Inf")
    assert bool(chart.missing) == (not published and len(own) < LEAST)
    for share, line in ((0.5, "p50"), (0.95, "p95"), (0.99, "p99")):
        if len(own) >= LEAST:
            ((_, shown),) = points(chart, line, 1)
            assert is_same(shown, ranked(own, share) * scale)
        elif published:
            ((at, shown),) = points(chart, line, 1)
            bucket = judge.bucket(series, share, at)
            assert math.isnan(shown) if bucket is None else bucket[0] <= shown / scale + 1e-9
            assert bucket is None or shown / scale <= bucket[1] + 1e-9
    if published:
        ((at, low),), ((_, high),) = (points(chart, edge, 1) for edge in ("low", "high"))
        bucket = judge.bucket(series, 0.95, at)
        assert is_same(low, None if bucket is None else bucket[0] * scale)
        assert is_same(high, None if bucket is None or math.isinf(bucket[1]) else bucket[1] * scale)
        _judge_edges(chart.note, judge.bucket(series, 0.95), scale)
