"""What of everything that is known bears on one turn."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from engine_host.metrics.why_detail import Known, explain
from engine_host.metrics.why_peers import reading_pace
from engine_host.metrics.why_told import Cause
from engine_host.metrics.why_turn import seen_of
from storage.records import EngineEvent
from tests.engine_host.metrics.staged_engine import BEGAN, PREFILL_PER_S, T0, Asked, StagedEngine
from tests.engine_host.metrics.staged_incidents import AT, NAMES, lunch_time, quiet


@pytest.mark.parametrize(
    ("of_the_turn", "of_the_event", "cause"),
    [
        ("cpu-demo", "cpu-demo 2", Cause.QUEUE_LIMIT),
        ("cpu-demo", "cpu-demo", Cause.RESTART),
        ("", "cpu-demo 2", Cause.RESTART),
    ],
)
def test_that_the_start_of_another_engine_is_no_restart_of_the_one_that_was_slow(
    of_the_turn: str, of_the_event: str, cause: Cause
) -> None:
    chance = Random(4)
    engine, asked = lunch_time(chance)
    engine.run([*quiet(chance), *asked], until=80.0)
    seen = [one for turn in engine.turns if (one := seen_of(turn)) is not None]
    victim = next(one for one in seen if one.turn_id == "victim")
    ready = EngineEvent(BEGAN + timedelta(seconds=AT + 0.5), "ready", of_the_event, f"{of_the_event} is ready.")
    known = Known(
        T0 + 200, seen, (), engine.samples, (ready,), max_seqs=engine.max_seqs, engine=of_the_turn, names=NAMES
    )
    assert explain(victim, known).why.cause is cause


def test_that_how_fast_an_engine_reads_is_known_from_prompts_that_were_long_enough() -> None:
    engine = StagedEngine()
    long = [Asked(n * 5.0, "kamala", prompt=1200 + 448, cached=448) for n in range(3)]
    engine.run([*long, Asked(20.0, "kamala")], until=30.0)
    seen = [one for turn in engine.turns if (one := seen_of(turn)) is not None]
    assert reading_pace(seen) == pytest.approx(PREFILL_PER_S, rel=0.1)
    assert reading_pace([one for one in seen if one.computed < 500]) is None
