"""Each ready-made alert against seconds made for it: it fires, it clears, and on a healthy hour none says anything."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from console.promises import TTFT_PROMISE_S
from engine_host.metrics.alert_rules_file import ready_made
from tests.fakes.alert_samples import Story, healthy_hour, replay

IDLE: dict[str, Any] = {"running": 0, "tokens": 0, "first_words": (), "ended": 0, "lookups": ()}


@dataclass(frozen=True)
class Fault:
    """`happens` for `lasts` seconds; the alert fires `fires` s after it began, and clears `clears` s after its end.

    `unreadable`: the same fault where nothing can be read of it.
    """

    happens: dict[str, Any]
    lasts: int
    fires: int
    clears: int
    unreadable: dict[str, Any]
    after: dict[str, Any] | None = None


NO_PAGE: dict[str, Any] = {"scraped": False}
FAULTS = {
    # The late words leave the window of a minute slowly: 3 late ones a second against 2 good ones.
    "ttft_slow": Fault({"first_words": (1.5,) * 3}, 120, 33, 88, NO_PAGE),
    # Late turns need 5 % of five minutes to count, and go out of them as slowly.
    "tenant_ttft_slow": Fault({"ttft": 1.5}, 120, 37, 345, {"ledger": False}),
    "stuck": Fault({"waiting": 4, "running": 0, "tokens": 0, "first_words": ()}, 30, 5, 3, NO_PAGE),
    "kv_full": Fault({"kv_usage": 0.98, "preempted": 1}, 60, 10, 30, NO_PAGE),
    "no_tokens": Fault({"tokens": 0, "first_words": ()}, 40, 10, 3, NO_PAGE),
    "no_scrape": Fault({"scraped": False}, 20, 8, 3, {"engine": False}),
    "ledger_drift": Fault(IDLE | {"drift": 64}, 200, 90, 0, {"drift": None}, IDLE),
    "errors": Fault({"failed": 1}, 120, 43, 342, {"ledger": False}),
    "lookup_slow": Fault({"lookups": (1.7,)}, 5, 0, 20, {"ledger": False}),
    "quota_near": Fault({"used": 0.76}, 120, 60, 0, {"used": None}),
    "disk_low": Fault({"disk_gib": 1.5}, 60, 10, 10, {"disk_gib": None}),
}
LEAD, TAIL = 120, 400


def only(told: list[tuple[int, str, str]], rule: str) -> list[tuple[int, str]]:
    return [(second, what) for second, what, key in told if key == rule]


def test_that_every_ready_made_alert_has_a_fault_made_for_it() -> None:
    assert sorted(FAULTS) == sorted(rule.key for rule in ready_made())


@pytest.mark.parametrize("rule", sorted(FAULTS))
def test_that_it_fires_once_and_clears_once(rule: str) -> None:
    fault = FAULTS[rule]
    story = Story().tell(LEAD).tell(fault.lasts, **fault.happens).tell(TAIL, **(fault.after or {}))
    (fired, first), (cleared, last) = only(replay(ready_made(), story), rule)
    assert (first, last) == ("fired", "cleared")
    assert abs(fired - LEAD - fault.fires) <= 2
    assert abs(cleared - LEAD - fault.lasts - fault.clears) <= 15


@pytest.mark.parametrize("rule", sorted(key for key, fault in FAULTS.items() if fault.fires))
def test_that_a_fault_which_ends_too_soon_fires_nothing(rule: str) -> None:
    fault = FAULTS[rule]
    soon = {"errors": 2, "ttft_slow": 2, "tenant_ttft_slow": 5}.get(rule, fault.fires - 1)
    story = Story().tell(LEAD).tell(soon, **fault.happens).tell(TAIL, **(fault.after or {}))
    assert only(replay(ready_made(), story), rule) == []


@pytest.mark.parametrize("rule", sorted(FAULTS))
def test_that_what_cannot_be_read_does_not_fire(rule: str) -> None:
    fault = FAULTS[rule]
    story = Story().tell(LEAD).tell(fault.lasts, **fault.happens | fault.unreadable)
    assert only(replay(ready_made(), story), rule) == []


@pytest.mark.parametrize("rule", sorted(set(FAULTS) - {"no_scrape"}))
def test_that_what_cannot_be_read_does_not_clear(rule: str) -> None:
    fault = FAULTS[rule]
    story = Story().tell(LEAD).tell(fault.lasts, **fault.happens)
    story.tell(120, **(fault.after or {}) | fault.unreadable)
    assert [what for _, what in only(replay(ready_made(), story), rule)] == ["fired"]


@pytest.mark.parametrize("seed", [1, 2])
def test_that_a_healthy_hour_is_silent(seed: int) -> None:
    assert replay(ready_made(), healthy_hour(seed)) == []


def test_that_an_engine_which_is_stopped_clears_its_alerts() -> None:
    story = Story().tell(LEAD).tell(30, waiting=4, running=0, tokens=0, first_words=())
    story.tell(10, engine=False)
    assert [what for _, what in only(replay(ready_made(), story), "stuck")] == ["fired", "cleared"]


def test_that_a_restart_of_the_engine_is_no_silence_and_no_preemption() -> None:
    story = Story().tell(LEAD, preempted=5, kv_usage=0.5)
    story.restart()
    story.tell(30, kv_usage=0.98)
    assert only(replay(ready_made(), story), "no_tokens") == []


def test_that_a_tenant_without_an_slo_of_its_own_is_watched_at_the_engine_only() -> None:
    story = Story().tell(LEAD, slo_ms=None).tell(120, slo_ms=None, ttft=1.5, first_words=(1.5,) * 3)
    assert [key for _, _, key in replay(ready_made(), story)] == ["ttft_slow"]


def test_that_an_slo_is_each_tenants_own() -> None:
    patient = Story().tell(LEAD, slo_ms=3000).tell(120, slo_ms=3000, ttft=1.5)
    assert replay(ready_made(), patient) == []
    strict = Story().tell(LEAD, slo_ms=250)
    assert only(replay(ready_made(), strict), "tenant_ttft_slow")[0][1] == "fired"


def test_that_an_slo_which_is_taken_back_clears_its_alert() -> None:
    story = Story().tell(LEAD).tell(60, ttft=1.5).tell(90, ttft=1.5, slo_ms=None)
    assert [what for _, what in only(replay(ready_made(), story), "tenant_ttft_slow")] == ["fired", "cleared"]


def test_that_the_alert_for_late_first_words_watches_the_promise_of_the_screens() -> None:
    (rule,) = [rule for rule in ready_made() if rule.key == "ttft_slow"]
    assert rule.when["ttft_p95"].above == TTFT_PROMISE_S
