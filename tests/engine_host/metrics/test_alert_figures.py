"""Figures that alerts watch: a value, none, or not known, and never one for the other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.metrics.alert_figures import FIGURES
from engine_host.metrics.alert_seen import NONE, NOT_KNOWN, Asked, Seen
from engine_host.metrics.samples import MetricSample, ScrapeGap
from engine_host.metrics.window import ENGINE_CHANGED
from tests.fakes.alert_samples import Story

if TYPE_CHECKING:
    from engine_host.metrics.alert_facts import AlertFacts

OF_SCRAPES = ("ttft_p95", "waiting", "running", "kv_usage", "preemptions", "silent_s")


def seen(figure: str, facts: AlertFacts, window_s: float = 60, least: int = 1) -> Seen:
    (only,) = (FIGURES[figure].read(facts, Asked(window_s, least)) or {}).values()
    return only


def now(story: Story) -> AlertFacts:
    return story.facts[-1]


def with_samples(facts: AlertFacts, **changes: object) -> AlertFacts:
    """The same seconds of an engine that publishes something else."""
    engine = facts.engines[0]
    scrapes = tuple(replace(one, **changes) if isinstance(one, MetricSample) else one for one in engine.scrapes)  # pyright: ignore[reportArgumentType]
    return replace(facts, engines=(replace(engine, scrapes=scrapes),))


@pytest.mark.parametrize("figure", OF_SCRAPES)
def test_that_a_gap_is_not_known(figure: str) -> None:
    assert seen(figure, now(Story().tell(30).tell(1, scraped=False))) == NOT_KNOWN


@pytest.mark.parametrize("figure", OF_SCRAPES)
def test_that_an_engine_nobody_waits_for_has_none(figure: str) -> None:
    assert seen(figure, now(Story().tell(30).tell(10, engine=False))) == NONE


def test_that_an_old_sample_says_nothing_of_this_moment() -> None:
    facts = now(Story().tell(30))
    assert seen("waiting", facts).known
    assert seen("waiting", replace(facts, mono=facts.mono + 6)) == NOT_KNOWN


@pytest.mark.parametrize(
    ("figure", "series"),
    [
        ("ttft_p95", {"ttft": None}), ("waiting", {"waiting": None}), ("running", {"running": None}),
        ("kv_usage", {"kv_usage": None}), ("preemptions", {"preemptions": None}), ("silent_s", {"output_tokens": None}),
    ],
    ids=OF_SCRAPES,
)  # fmt: skip
def test_that_a_series_which_the_engine_lacks_is_not_known(figure: str, series: dict[str, None]) -> None:
    assert seen(figure, with_samples(now(Story().tell(30)), **series)) == NOT_KNOWN


def test_that_no_first_word_in_the_window_is_none_and_too_few_are_not_known() -> None:
    idle = Story().tell(90, first_words=())
    assert seen("ttft_p95", now(idle), least=10) == NONE
    few = idle.tell(1, first_words=(2.0, 2.0))
    assert seen("ttft_p95", now(few), least=10) == NOT_KNOWN
    assert seen("ttft_p95", now(few), least=2).value is not None


def test_that_a_percentile_is_of_the_window_only() -> None:
    story = Story().tell(60, first_words=(2.0,) * 3).tell(70, first_words=(0.2,) * 3)
    assert (seen("ttft_p95", now(story), 60).value or 9) <= 0.25
    assert (seen("ttft_p95", now(story), 120).value or 0) > 1.0


def test_that_a_tenant_is_measured_by_its_own_turns_against_its_own_slo() -> None:
    facts = now(Story().tell(60, ttft=1.5, slo_ms=1000))
    found = seen("ttft_of_target", facts)
    assert (found.value, found.more) == (1.5, {"ttft": "1.50 s", "target": "1.00 s"})
    others = tuple(replace(turn, tenant_id="kamala") for turn in facts.house.turns or ())
    assert seen("ttft_of_target", replace(facts, house=replace(facts.house, turns=others))) == NONE


def test_that_too_few_turns_of_a_tenant_are_not_known_and_an_unread_ledger_neither() -> None:
    few = now(Story().tell(4, ttft=1.5))
    assert seen("ttft_of_target", few, least=10) == NOT_KNOWN
    assert seen("ttft_of_target", now(Story().tell(30, ledger=False))) == NOT_KNOWN
    orders = tuple(replace(turn, ttft_ms=None) for turn in few.house.turns or ())
    assert seen("ttft_of_target", replace(few, house=replace(few.house, turns=orders)), least=10) == NONE
    assert seen("ttft_of_target", now(Story().tell(30, slo_ms=None))) == NONE


def test_that_silence_goes_on_across_a_gap_in_which_the_counter_stood_still() -> None:
    story = Story().tell(10).tell(5, tokens=0).tell(3, tokens=0, scraped=False).tell(5, tokens=0)
    assert seen("silent_s", now(story)).value == 13


def test_that_a_token_or_no_running_request_ends_the_silence() -> None:
    story = Story().tell(10).tell(20, tokens=0)
    assert seen("silent_s", now(story)).value == 20
    assert seen("silent_s", now(story.tell(1, tokens=1))).value == 0
    assert seen("silent_s", now(story.tell(5, tokens=0, running=0))) == NONE


def test_that_preemptions_are_counted_across_a_restart() -> None:
    story = Story().tell(10, preempted=2)
    story.restart()
    assert seen("preemptions", now(story.tell(5, preempted=1))).value == 9 * 2 + 5


def test_that_what_another_engine_counted_is_not_counted_here() -> None:
    facts = now(Story().tell(20, preempted=2))
    engine = facts.engines[0]
    newest = engine.scrapes[-1]
    change = ScrapeGap(newest.at, newest.mono, ENGINE_CHANGED)
    other = replace(engine, scrapes=(*engine.scrapes[:-3], change, *engine.scrapes[-2:]))
    assert seen("preemptions", replace(facts, engines=(other,))).value == 2


def test_that_the_age_of_the_last_sample_carries_the_reason_of_the_gap() -> None:
    age = seen("scrape_age_s", now(Story().tell(10).tell(9, scraped=False)))
    assert (age.value, age.more["reason"]) == (9, "The engine's metrics did not come within 1.5 s.")


def test_that_an_engine_which_never_answered_is_as_old_as_the_wait() -> None:
    assert seen("scrape_age_s", now(Story().tell(12, scraped=False))).value == 11


def test_that_refused_and_cancelled_turns_are_no_errors_and_none_is_known() -> None:
    assert seen("error_rate", now(Story().tell(30)), 300).value == 0
    assert seen("error_rate", now(Story().tell(30, ended=0)), 300) == NONE
    assert seen("error_rate", now(Story().tell(1, ended=2, failed=1)), 300, least=5) == NOT_KNOWN


def test_that_the_slowest_look_up_of_the_window_counts() -> None:
    story = Story().tell(20).tell(1, lookups=(1.7, 0.2)).tell(3, lookups=())
    assert seen("lookup_s", now(story), 10).value == 1.7
    assert seen("lookup_s", now(story.tell(20, lookups=())), 10) == NONE
