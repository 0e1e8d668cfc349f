"""What our turns hold of the KV cache: slots filled, slots if the longest answers were reserved, seats."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_host.answering.under_way import Step, TurnsUnderWay, TurnUnderWay
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample, Scrape, ScrapeGap
from engine_host.metrics.seats import (
    FREE,
    NOT_OURS,
    Holder,
    SeatMap,
    by_tenant,
    holders_of,
    per_cell_of,
    seat,
    sharing,
)
from engine_host.metrics.slots import SlotSample, block_seconds, held_by, slot_lines
from engine_host.metrics.slots_recorder import SlotRecorder, block_sizes
from engine_host.published import Published

ASKED = datetime(2026, 11, 30, 7, 13, 41, tzinfo=UTC)
SIZES = {"r1": 16}


def under_way(
    turn_id: str, tenant: str = "kamala", prompt: int | None = 100, output: int = 4, **more: object
) -> TurnUnderWay:
    fields: dict[str, object] = {"step": Step.WRITING, "engine_run": "r1", "max_tokens": 96}
    return TurnUnderWay(turn_id, tenant, ASKED, prompt_tokens=prompt, output_tokens=output, **(fields | more))  # type: ignore[arg-type]


def test_that_slots_are_counted_for_each_tenant_with_what_a_reservation_would_take() -> None:
    (kamala, meridian) = held_by([under_way("a"), under_way("b", output=20), under_way("c", "meridian", 32, 0)], SIZES)
    assert (kamala.seqs, kamala.tokens, kamala.blocks, kamala.filled) == (2, 224, 7 + 8, 14.0)
    assert kamala.reserved == 2 * 13
    assert (meridian.tokens, meridian.blocks, meridian.reserved) == (32, 2, 8)


def test_that_a_beginning_that_turns_share_fills_its_slots_once() -> None:
    (held,) = held_by([under_way("a", cached_tokens=64), under_way("b", cached_tokens=80)], SIZES)
    assert (held.tokens, held.blocks) == (80 + 40 + 24, 5 + 3 + 2)
    assert held.filled == (80 + 40 + 24) / 16
    assert held.reserved == 2 * 13


def test_that_a_prompt_that_the_engine_has_not_counted_yet_is_in_no_figure() -> None:
    assert held_by([under_way("a", prompt=None, step=Step.ASKED)], SIZES) == ()


def test_that_without_a_block_size_or_a_limit_blocks_are_unknown_not_zero() -> None:
    (held,) = held_by([under_way("a", engine_run="r9")], SIZES)
    assert (held.tokens, held.blocks, held.filled, held.reserved) == (104, None, None, None)
    (open_end,) = held_by([under_way("a", max_tokens=None)], SIZES)
    assert (open_end.blocks, open_end.reserved) == (7, None)


def test_that_the_lines_of_the_chart_are_sums_over_the_runs_that_are_shown() -> None:
    first = SlotSample(10.0, held_by([under_way("a"), under_way("b", "meridian", engine_run="r2")], SIZES | {"r2": 32}))
    lines = slot_lines([SlotSample(9.0), first], {"r1"})
    assert (lines.times, lines.filled, lines.reserved) == ((9.0, 10.0), (0, 6.5), (0, 13))
    assert slot_lines([first]).filled == (6.5 + 104 / 32,)
    unknown = SlotSample(11.0, held_by([under_way("a", engine_run="r9")], SIZES))
    assert slot_lines([unknown]).filled == (None,)


def test_that_block_seconds_leave_gaps_out() -> None:
    held = held_by([under_way("a")], SIZES)
    samples = [SlotSample(at, held) for at in (0.0, 10.0, 11.0, 12.5, 30.0, 31.0)]
    assert block_seconds(samples, since=5.0) == {"kamala": 7 * (1.0 + 1.5 + 1.0)}
    assert block_seconds(samples, since=40.0) == {}


async def test_that_the_recorder_notes_what_is_held_until_it_is_closed() -> None:
    moments, thrice = [5.0], asyncio.Event()

    def clock() -> float:
        moments.append(moments[-1] + 1.0)
        if len(moments) == 4:
            thrice.set()
        return moments[-2]

    recorder = SlotRecorder(TurnsUnderWay(), lambda: SIZES, every_s=0.001, clock=clock)
    recorder.start()
    recorder.start()
    await thrice.wait()
    await recorder.close()
    assert recorder.samples[:3] == (SlotSample(5.0), SlotSample(6.0), SlotSample(7.0))


@dataclass
class AnEngine:
    state: Published[EngineState]


@dataclass
class AReader:
    latest: Published[Scrape | None]


@dataclass
class Place:
    session: AnEngine
    poller: AReader


@dataclass
class Places:
    seats: tuple[Place, ...]


def place(run: str | None, block_size: int | None) -> Place:
    newest = MetricSample(ASKED, 1.0, 2.0, block_size=block_size)
    return Place(
        AnEngine(Published(EngineState(EngineStatus.READY, "cpu-demo", run=run))),
        AReader(Published[Scrape | None](newest)),
    )


def test_that_the_block_size_of_a_run_is_what_its_newest_sample_says() -> None:
    places = Places((place("r1", 16), place("r2", None), place(None, 32)))
    assert block_sizes(places) == {"r1": 16}
    places.seats[0].poller.latest.publish(ScrapeGap(ASKED, 2.0, "no answer"))
    assert block_sizes(places) == {}


def test_that_a_shared_beginning_is_counted_once_for_a_tenant() -> None:
    turns = [under_way("a", cached_tokens=64), under_way("b", cached_tokens=80), under_way("c", "meridian")]
    shared, first, second, third = holders_of(turns, SIZES)
    assert (shared.tenant_id, shared.blocks, shared.turns) == ("kamala", 5, 2)
    assert (first.blocks, second.blocks, third.blocks) == (3, 2, 7)
    assert [second.filled(number) for number in range(3)] == [16, 8, 0]


def test_that_turns_of_other_engines_have_no_seats_here() -> None:
    assert holders_of([under_way("a", engine_run="r2"), under_way("b", prompt=None)], SIZES) == ()


def test_that_a_turn_keeps_its_seats_while_others_come_and_go() -> None:
    a, b = Holder("a", "kamala", 3, 16, 40), Holder("b", "meridian", 2, 16, 32)
    first = seat(SeatMap(), [a, b], 10, 5, 16)
    assert first.seats == ("a", "a", "a", "b", "b", *[FREE] * 5)
    second = seat(first, [Holder("c", "kamala", 2, 16, 20), Holder("b", "meridian", 4, 16, 60)], 10, 6, 16)
    assert second.seats == ("c", "c", "b", "b", "b", "b", *[FREE] * 4)
    assert second.numbers[2:6] == (2, 0, 1, 3)


def test_that_what_the_engine_uses_beyond_our_turns_is_not_ours() -> None:
    told = seat(SeatMap(), [Holder("a", "kamala", 3, 16, 40)], 10, 7, 16)
    assert told.seats.count(NOT_OURS) == 4
    assert told.used == 7
    fewer = seat(told, [Holder("a", "kamala", 3, 16, 40)], 10, 2, 16)
    assert NOT_OURS not in fewer.seats
    assert fewer.used == 2


def test_that_a_cell_stands_for_several_blocks_of_a_large_cache() -> None:
    assert [per_cell_of(total) for total in (364, 1000, 1001, 5000, 100_000)] == [1, 1, 2, 5, 100]
    holders = [Holder("a", "kamala", 4_000, 16, 64_000, 1.0), Holder("b", "kamala", 6_000, 16, 96_000, 2.0)]
    large = seat(SeatMap(), holders, 100_000, 30_000, 16)
    assert (large.per_cell, len(large.seats)) == (100, 1000)
    assert [large.seats.count(key) for key in ("all of kamala", NOT_OURS, FREE)] == [100, 200, 700]
    assert by_tenant(holders)[0].turns == 2


@settings(deadline=None)
@given(st.lists(st.integers(0, 40), max_size=12), st.integers(0, 120), st.integers(1, 120))
def test_that_every_cell_is_somebodys_or_free(sizes: list[int], used: int, total: int) -> None:
    holders = [Holder(f"t{n}", "kamala", blocks, 16, blocks * 16) for n, blocks in enumerate(sizes)]
    told = seat(SeatMap(), holders, total, used, 16)
    assert len(told.seats) == len(told.numbers) == total
    assert told.used <= total
    assert sum(key != FREE for key in told.seats) == told.used


@pytest.mark.parametrize("used", range(20))
def test_that_turns_that_need_more_than_is_used_share_beginnings(used: int) -> None:
    holders = [Holder(key, "kamala", blocks, 128, blocks * 128 - 28) for key, blocks in (("a", 3), ("b", 9), ("c", 1))]
    seats = seat(SeatMap(), holders, 40, used, 128)
    counted = {holder.key: holder.blocks for holder in seats.holders}
    assert sum(counted.values()) == seats.used == max(used, 3)
    assert min(counted["a"], counted["b"], counted["c"]) >= 1
    assert all(holder.tokens is None or 0 < holder.tokens <= holder.blocks * 128 for holder in seats.holders)


def test_that_sharing_in_a_large_cache_is_counted_at_once() -> None:
    holders = [Holder(str(number), "kamala", 5_000, 16, 80_000) for number in range(200)]
    assert sum(one.blocks for one in sharing(holders, 654_321)) == 654_321
