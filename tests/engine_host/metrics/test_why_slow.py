"""What made a turn slow: ten staged incidents, and the figures that the sentences name."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from engine_host.metrics.samples import MetricSample, Scrape, ScrapeGap
from engine_host.metrics.why_peers import FEWEST, peers_of
from engine_host.metrics.why_scene import Scene, load_over, silences
from engine_host.metrics.why_slow import why_slow
from engine_host.metrics.why_told import Cause
from engine_host.metrics.why_turn import TurnSeen, lengths_of, seen_of, way_of
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes
from tests.engine_host.metrics.staged_engine import T0, Asked, StagedEngine
from tests.engine_host.metrics.staged_incidents import AT, INCIDENTS, asked_why, quiet, staged

HELP, ORDER = (False, True), (True, False)


USUAL = TokenUse(560, 448, 60)
EVENTS = (
    {"event": "Routed", "elapsed_ms": 2.0},
    {"event": "PassagesFound", "elapsed_ms": 30.0},
    {"event": "Writing"},
    {"event": "Text", "text": "x" * 80},
)


def a_turn(
    number: int = 0, *, asked_at: float = T0, route: tuple[bool, bool] = HELP, tokens: TokenUse = USUAL, **times: float
) -> TurnSeen:
    """A help turn of 2 s; its times in ms as the ledger has them."""
    known = {"queue": 10.0, "retrieve": 30.0, "prefill": 100.0, "ttft": 110.0, "decode": 1700.0, "first_text": 900.0}
    took = TurnTimes(**({**known, "total": 2000.0, "inter_token": 28.0, "client": 0.0} | times))
    way, first = way_of(EVENTS), (took.first_text or 0.0) / 1000
    ended = asked_at + (took.total or 0.0) / 1000
    return TurnSeen(
        f"t{number}", "kamala", "q", asked_at, ended, TurnOutcome.ANSWERED, route, took, tokens, "r1", way, first,
        lengths_of(took, way, first),
    )  # fmt: skip


def of_its_kind(turn: TurnSeen, count: int = 30) -> Scene:
    turns = [a_turn(n, asked_at=T0 - 60 + n) for n in range(1, count + 1)]
    return Scene(peers=peers_of(replace(turn, turn_id="slow"), turns))


@pytest.mark.parametrize("seed", range(5))
def test_that_nine_of_ten_staged_incidents_are_named_right(seed: int) -> None:
    told = {cause: staged(incident, seed) for cause, incident in INCIDENTS.items()}
    wrong = [f"{cause}: {why.cause}, {why.sentence}" for cause, why in told.items() if why.cause is not cause]
    assert len(INCIDENTS) == 10
    assert len(wrong) <= 1, wrong


def test_that_on_a_quiet_day_nothing_stands_out() -> None:
    engine = StagedEngine()
    engine.run(quiet(Random(7), until=120.0), until=120.0)
    causes = Counter(asked_why(engine, turn.opened.turn_id).cause for turn in engine.turns[FEWEST:])
    assert causes[Cause.NOTHING] >= 0.9 * causes.total()
    assert set(causes) <= {Cause.NOTHING, Cause.SHARED_STEPS, Cause.LONG_ANSWER, Cause.SLOW_GATE}


def test_that_a_full_cache_names_who_held_it_and_how_much() -> None:
    engine = StagedEngine(blocks=200)
    refunds = [Asked(AT - 1, "meridian", prompt=1000, cached=448, output=100) for _ in range(3)]
    engine.run([*quiet(Random(1), 55.0), *refunds, Asked(AT + 1, "kamala", name="victim")], until=70.0)
    why = asked_why(engine, "victim")
    assert why.cause is Cause.KV_FULL
    assert why.phase == "queue"
    assert "KV was full (" in why.sentence
    assert "3 turns of Meridian Offices of about" in why.sentence


def test_that_the_only_tenant_of_a_kitchen_floods_nobody() -> None:
    engine = StagedEngine(max_seqs=8)
    crowd = [Asked(AT + n * 0.03, "meridian", output=90) for n in range(20)]
    engine.run([*quiet(Random(2), 55.0), *crowd, Asked(AT + 1, "meridian", name="victim")], until=70.0)
    assert asked_why(engine, "victim").cause is Cause.FLOOD
    alone = asked_why(engine, "victim", {"meridian": "Meridian Offices"})
    assert (alone.cause, alone.sentence.split(": ")[1]) == (
        Cause.QUEUE_LIMIT,
        "batch full, 8 of 8 seats Meridian Offices’.",
    )


def test_that_the_phase_beyond_its_peers_is_told_not_the_longest_one() -> None:
    turn = a_turn(prefill=1100.0, ttft=1110.0, first_text=1900.0, total=3000.0, tokens=TokenUse(1660, 0, 60))
    why = why_slow(turn, of_its_kind(turn))
    assert (why.cause, why.phase) == (Cause.LONG_PREFILL, "prefill")
    assert why.sentence == "Prefill of 1,660 tokens, none of them cached; its peers’ median is 560."


def test_that_a_usual_turn_is_said_to_be_usual() -> None:
    turn = a_turn()
    why = why_slow(turn, of_its_kind(turn))
    assert why.cause is Cause.NOTHING
    assert why.sentence == "Nothing stands out: 2.0 s, the median of 30 turns of its kind is 2.0 s."


def test_that_without_peers_only_what_is_long_by_itself_is_named() -> None:
    turn = a_turn(queue=0.0, ttft=60.0, prefill=60.0, decode=300.0, first_text=200.0, total=420.0)
    why = why_slow(turn, Scene())
    assert why.cause is Cause.NOTHING
    assert "too few turns of its kind" in why.sentence


def test_that_turns_of_another_kind_are_no_peers() -> None:
    orders = [a_turn(n, asked_at=T0 - n, route=ORDER) for n in range(1, 20)]
    assert peers_of(a_turn(), orders) is None
    assert peers_of(a_turn(), [a_turn(n) for n in range(1, FEWEST)]) is None


def test_that_a_wait_without_samples_is_not_explained() -> None:
    turn = a_turn(queue=2010.0, ttft=2110.0, first_text=2900.0, total=4000.0)
    why = why_slow(turn, of_its_kind(turn))
    assert why.cause is Cause.UNEXPLAINED
    assert why.sentence == "Waited 2.0 s in the engine’s queue; no sample of the engine is left from then."


def test_that_sentences_withheld_before_the_first_text_are_counted() -> None:
    held = [{"event": "Withheld", "text": "y" * 100}] * 3
    events = [{"event": "Routed"}, {"event": "Writing"}, *held, {"event": "Text", "text": "x" * 60}]
    way = way_of(events)
    assert (way.wrote, way.held, way.withheld) == (True, 360, 3)
    turn = a_turn(first_text=4000.0, decode=4200.0, total=4500.0, inter_token=28.0)
    why = why_slow(replace(turn, way=way), of_its_kind(turn))
    assert why.cause is Cause.SLOW_GATE
    assert "3 sentences of 360 characters in all came before one could be shown" in why.sentence


def test_that_the_phases_of_a_turn_are_the_whole_turn() -> None:
    turn = a_turn(client=400.0)
    assert sum(turn.lengths.values()) == pytest.approx(2.0)
    assert turn.lengths["gate"] == pytest.approx(0.9 - 0.002 - 0.03 - 0.11)
    assert turn.lengths["decode"] == pytest.approx(1.7 - turn.lengths["gate"] - 0.4)


def test_that_a_pause_between_two_engines_is_a_phase_of_its_own() -> None:
    way = way_of([{"event": "Writing"}, {"event": "Resumed", "pause_ms": 3000.0}, {"event": "Text", "text": "x"}])
    lengths = lengths_of(TurnTimes(ttft=100.0, prefill=100.0, decode=1000.0, total=4200.0), way, 3.6)
    assert lengths["pause"] == 3.0
    assert lengths["gate"] == pytest.approx(0.5)


def test_that_a_turn_that_nobody_settled_is_not_seen() -> None:
    new = NewTurn("t", "c", "kamala", None, "", "q", datetime(2026, 11, 30, tzinfo=UTC), None)
    abandoned = SettledTurn("t", TurnOutcome.FAILED, "", "", TokenUse(), TurnTimes())
    assert seen_of(Turn(new, None)) is None
    assert seen_of(Turn(new, abandoned)) is None


def told(second: float, output: float | None, running: float = 2.0, **more: float) -> MetricSample:
    at = datetime.fromtimestamp(T0, UTC) + timedelta(seconds=second)
    return MetricSample(at, second, 2.0, running=running, output_tokens=output, prompt_tokens=0.0, **more)  # type: ignore[arg-type]


def missing(second: float) -> ScrapeGap:
    return ScrapeGap(datetime.fromtimestamp(T0, UTC) + timedelta(seconds=second), second, "no answer")


BUSY: list[Scrape] = [told(n, 40.0 * n) for n in range(5)]


def test_that_an_engine_that_makes_nothing_is_silent_and_an_idle_one_is_not() -> None:
    frozen = [told(n, 160.0) for n in range(5, 9)]
    assert silences([*BUSY, *frozen]) == ((T0 + 4, T0 + 8),)
    idle = [told(n, 160.0, running=0.0) for n in range(5, 9)]
    assert silences([*BUSY, told(4.5, 170.0, running=0.0), *idle]) == ()


def test_that_a_gap_is_silence_only_as_far_as_nothing_was_made_in_it() -> None:
    gaps = [missing(n) for n in range(5, 12)]
    assert silences([*BUSY, *gaps, told(12, 160.0 + 40.0)]) == ((T0 + 4, pytest.approx(T0 + 11)),)
    assert silences([*BUSY, *gaps, told(12, 160.0 + 8 * 40.0)]) == ()


def test_that_figures_that_an_engine_does_not_publish_are_unknown() -> None:
    load = load_over([told(1, None)], (T0, T0 + 2))
    assert (load.waiting, load.kv_usage, load.preempted) == (None, None, None)
    assert not load.waited
    assert not load.is_kv_full(500)


def test_that_a_prompt_that_finds_too_few_blocks_meets_a_full_cache() -> None:
    load = load_over([told(1, 0.0, kv_usage=0.8, kv_blocks=100, block_size=16)], (T0, T0 + 2))
    assert load.is_kv_full(400)
    assert not load.is_kv_full(300)
