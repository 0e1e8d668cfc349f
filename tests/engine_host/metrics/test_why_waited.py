"""What a turn waited for in the engine's queue although the batch had places left."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from engine_host.metrics.samples import MetricSample
from engine_host.metrics.why_batch import Stay
from engine_host.metrics.why_peers import peers_of
from engine_host.metrics.why_scene import Scene, covered, told_still
from engine_host.metrics.why_slow import why_slow
from engine_host.metrics.why_told import Cause, Why
from storage.records import EngineEvent
from tests.engine_host.metrics.staged_engine import BEGAN, T0, Asked, StagedEngine
from tests.engine_host.metrics.staged_incidents import AT, NAMES, asked_why, quiet
from tests.engine_host.metrics.test_why_slow import a_turn


def test_that_a_prompt_behind_one_that_finds_no_room_waits_for_a_full_cache() -> None:
    engine = StagedEngine(blocks=200)
    held = [Asked(AT - 2, "meridian", prompt=1000, cached=448, output=120) for _ in range(2)]
    first_in_line = Asked(AT, "meridian", prompt=1400, cached=448)
    behind = Asked(AT + 0.2, "kamala", prompt=400, name="victim")
    engine.run([*quiet(Random(1), 50.0), *held, first_in_line, behind], until=70.0)
    why = asked_why(engine, "victim")
    assert (why.cause, why.phase) == (Cause.KV_FULL, "queue")


def waited(*readers: tuple[float, float], computed: int = 2400) -> Why:
    """A turn that waited 3 s from T0 on while prompts were read in these spans, s after T0; the batch holds 8."""
    turn = a_turn(queue=3000.0, ttft=3100.0, first_text=3900.0, total=4800.0)
    asked = turn.ended_at - 1.7 - 3.1
    samples = [
        MetricSample(
            BEGAN + timedelta(seconds=n), 1.0 + n, 2.0, running=2.0, waiting=1.0, kv_usage=0.4, kv_blocks=400,
            block_size=16, output_tokens=10.0 * n, prompt_tokens=600.0 * n,
        )
        for n in range(-2, 7)
    ]  # fmt: skip
    stays = [
        Stay(f"r{n}", "meridian", T0 - 1, asked + start, asked + end, asked + 20, 2500, computed, 60)
        for n, (start, end) in enumerate(readers)
    ]
    peers = peers_of(turn, [a_turn(n, asked_at=T0 - 60 + n) for n in range(1, 30)])
    return why_slow(turn, Scene(samples, stays, (), peers, 8, NAMES))


def test_that_a_turn_waits_for_the_long_prompts_that_are_read_first() -> None:
    one, two = waited((-0.5, 2.0)), waited((-1.0, 1.0), (1.0, 2.8))
    assert (one.cause, two.cause) == (Cause.LONG_PREFILL, Cause.LONG_PREFILL)
    assert one.sentence == "Waited 3.0 s: a prompt of 2,400 tokens of Meridian Offices was read first."


def test_that_neither_a_short_prompt_nor_a_short_while_explains_a_wait() -> None:
    assert waited((0.0, 3.0), computed=300).cause is Cause.QUEUE_LIMIT
    assert waited((0.0, 1.0)).cause is Cause.QUEUE_LIMIT


@pytest.mark.parametrize(
    ("parts", "length"),
    [([], 0.0), ([(0.0, 4.0), (1.0, 2.0)], 3.0), ([(5.0, 9.0), (2.0, 3.0)], 2.0), ([(0.0, 1.0), (8.0, 9.0)], 0.0)],
)
def test_that_time_that_several_parts_cover_counts_once(parts: list[tuple[float, float]], length: float) -> None:
    assert covered(parts, (1.0, 6.0)) == pytest.approx(length)


def stopped(*readers: tuple[float, float], reads: float | None = None) -> Why:
    """A turn that waited 8 s from T0 on. The engine wrote until 1 s after it, and again 6 s after it."""
    turn = a_turn(queue=8000.0, ttft=8100.0, first_text=8900.0, total=9810.0)
    asked = turn.ended_at - 1.7 - 8.1
    samples = [
        MetricSample(
            BEGAN + timedelta(seconds=n), 1.0 + n, 2.0, running=2.0, waiting=1.0, kv_usage=0.98, kv_blocks=400,
            block_size=16, output_tokens=60.0 * (n - min(max(n - 1, 0), 5)),
        )
        for n in range(-10, 12)
    ]  # fmt: skip
    stays = [
        Stay(f"r{n}", "meridian", asked - 9, asked + start, asked + end, asked + 20, 2500, 2400, 60)
        for n, (start, end) in enumerate(readers)
    ]
    peers = peers_of(turn, [a_turn(n, asked_at=T0 - 60 + n) for n in range(1, 30)])
    return why_slow(turn, Scene(samples, stays, (), peers, 8, NAMES, reads=reads))


def test_that_an_engine_that_reads_a_long_prompt_does_not_stand_still() -> None:
    assert stopped().cause is Cause.STALLED
    assert stopped((1.0, 6.0)).cause is Cause.KV_FULL


def test_that_a_silence_longer_than_reading_takes_is_a_standstill() -> None:
    assert stopped((1.0, 6.0), reads=3000.0).cause is Cause.STALLED
    assert stopped((-9.0, -4.0)).cause is Cause.STALLED


def test_that_what_is_said_of_a_standstill_is_its_longest_part() -> None:
    assert stopped().sentence == "Waited 8.0 s: the engine made no token for 5.0 s from 07:10:01."


def test_that_a_standstill_that_the_watch_told_explains_what_it_covers() -> None:
    told = (
        EngineEvent(BEGAN + timedelta(seconds=1), "stalled", "cpu-demo", "cpu-demo is stalled."),
        EngineEvent(BEGAN + timedelta(seconds=6), "back", "cpu-demo", "cpu-demo answers again."),
    )
    other = EngineEvent(BEGAN + timedelta(seconds=2), "ready", "cpu-demo 2", "cpu-demo 2 is ready.")
    assert told_still(Scene(events=(*told, other)), T0 + 60) == [(T0 + 1, T0 + 6)]
    assert told_still(Scene(events=told[:1]), T0 + 60) == [(T0 + 1, T0 + 60)]
    assert told_still(Scene(), T0 + 60) == []


def test_that_a_watch_that_is_wrong_is_not_believed() -> None:
    told = EngineEvent(BEGAN + timedelta(seconds=1), "stalled", "cpu-demo", "cpu-demo is stalled.")
    samples = [MetricSample(BEGAN + timedelta(seconds=n), float(n), 2.0, output_tokens=9.0 * n) for n in range(9)]
    assert told_still(Scene(samples, events=(told,)), T0 + 8) == []


def in_a_cache_of_hundred(turns: int) -> Why:
    """A turn that waited 3 s while so many turns of 480 tokens each, 30 blocks, were in an engine that uses 97 of its
    100 blocks."""
    turn = a_turn(queue=3000.0, ttft=3100.0, first_text=3900.0, total=4800.0)
    stays = [Stay(f"m{n}", "meridian", T0 - 1, T0 - 1, T0, T0 + 20, 480, 112, 0) for n in range(turns)]
    sample = MetricSample(
        BEGAN + timedelta(seconds=1), 1.0, 2.0, running=3.0, waiting=6.0, kv_usage=0.97, kv_blocks=100, block_size=16
    )
    peers = peers_of(turn, [a_turn(n, asked_at=T0 - 60 + n) for n in range(1, 30)])
    return why_slow(turn, Scene((sample,), stays, (), peers, 8, NAMES))


def test_that_turns_never_hold_more_of_a_cache_than_its_engine_says_is_used() -> None:
    held, crowded = in_a_cache_of_hundred(3).sentence, in_a_cache_of_hundred(4).sentence
    turns = "Meridian Offices of about 480 tokens"
    assert held == f"Waited 3.0 s: KV was full (97 % of 100 blocks); 3 turns of {turns} held 90 % of the blocks."
    assert crowded == f"Waited 3.0 s: KV was full (97 % of 100 blocks), held by turns of {turns} for the most part."


def in_a_batch_of_eight(**turns: int) -> Why:
    """A turn that waited 3 s while these tenants had so many turns in the engine; its one sample was read just when two
    had ended."""
    turn = a_turn(queue=3000.0, ttft=3100.0, first_text=3900.0, total=4800.0)
    stays = [
        Stay(f"{tenant}{n}", tenant, T0 - 1, T0 - 1, T0, T0 + 20, 560, 112, 60)
        for tenant, count in turns.items()
        for n in range(count)
    ]
    sample = MetricSample(BEGAN + timedelta(seconds=1), 1.0, 2.0, running=6.0, waiting=6.0)
    peers = peers_of(turn, [a_turn(n, asked_at=T0 - 60 + n) for n in range(1, 30)])
    return why_slow(turn, Scene((sample,), stays, (), peers, 8, NAMES))


def test_that_a_tenant_never_has_more_seats_than_the_batch() -> None:
    assert in_a_batch_of_eight(meridian=10).sentence == "Waited 3.0 s: Meridian Offices had 8 of 8 seats."


def test_that_a_batch_that_our_own_turns_fill_is_full_whatever_one_sample_says() -> None:
    full = in_a_batch_of_eight(meridian=4, kamala=4)
    assert full.sentence == "Waited 3.0 s: batch full, 4 of 8 seats Kamala Dabba’s."
    crowded = in_a_batch_of_eight(meridian=5, kamala=7)
    assert crowded.sentence == "Waited 3.0 s: batch full, the largest part of 8 seats Kamala Dabba’s."
    held_up = in_a_batch_of_eight(meridian=3, kamala=3)
    assert held_up.sentence == "Waited 3.0 s: the batch took no more than 6 sequences."
