"""What the bench of "Why slow?" counts, and in which order it plants."""

from __future__ import annotations

from console.bench.report import judge
from console.bench.why.bench import in_some_order
from console.bench.why.figures import TARGETS, Verdict, figures_of
from console.bench.why.incidents import INCIDENTS
from engine_host.metrics.why_told import Cause, Why


def told(planted: Cause, said: Cause | None = None) -> Verdict:
    return Verdict(planted, Why(said or planted, "queue", "Waited 4.1 s: KV was full."), 5.0)


def test_that_one_of_ten_may_be_misnamed_and_two_may_not() -> None:
    right = [told(cause) for cause in list(INCIDENTS)[:8]]
    one_wrong = [*right, told(Cause.RESTART), told(Cause.FLOOD, Cause.QUEUE_LIMIT)]
    two_wrong = [*right, told(Cause.RESTART, Cause.NOTHING), told(Cause.FLOOD, Cause.QUEUE_LIMIT)]
    assert judge("why", figures_of(one_wrong), TARGETS).ok
    assert not judge("why", figures_of(two_wrong), TARGETS).ok


def test_that_each_cause_has_the_share_in_which_it_was_named() -> None:
    figures = figures_of([told(Cause.KV_FULL), told(Cause.KV_FULL, Cause.QUEUE_LIMIT), told(Cause.SLOW_CLIENT)])
    assert (figures["incidents"], figures["named"]) == (3, 2)
    assert (figures["named_kv_full"], figures["named_slow_client"]) == (0.5, 1.0)


def test_that_nothing_staged_is_no_share() -> None:
    assert figures_of([])["named_share"] is None


def test_that_a_misnamed_cause_is_told_with_the_sentence_that_was_said() -> None:
    words = told(Cause.FLOOD, Cause.KV_FULL).words
    assert words == "one tenant’s flood: MISNAMED as KV full (5.0 s). Waited 4.1 s: KV was full."


def test_that_all_ten_are_planted_once_and_the_death_of_an_engine_comes_last() -> None:
    orders = [in_some_order(tuple(INCIDENTS), seed) for seed in range(10)]
    assert all(sorted(order) == sorted(INCIDENTS) and len(order) == 10 for order in orders)
    assert {order[-1] for order in orders} == {Cause.RESTART}
    assert len({tuple(order) for order in orders}) > 1
