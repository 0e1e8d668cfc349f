"""What the status strip says: only what is true, and a dash for what is not known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from console.shell.strip import StripFacts, age_words, derive_strip
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.engine.worst import worst_state
from engine_host.metrics.samples import MetricSample

NOW = datetime(2026, 11, 30, 7, 11, 40, tzinfo=UTC)
SAMPLE = MetricSample(NOW, 100.0, 7.0, running=14, waiting=0, kv_usage=0.344)
READY = StripFacts(
    EngineState(EngineStatus.READY, "cpu-demo", "SmolLM2-135M-Instruct"),
    NOW,
    ZoneInfo("Asia/Kolkata"),
    sample=SAMPLE,
    age_s=0.4,
    ttft_p95_s=0.58,
    ttft_limit_s=0.8,
    output_rate=226.4,
    errors_last_hour=0,
)


def _texts(facts: StripFacts) -> list[str]:
    state = derive_strip(facts)
    return [state.pill.text, *(cell.text for cell in (*state.left, *state.right))]


def _tones(facts: StripFacts) -> dict[str, str]:
    state = derive_strip(facts)
    return {cell.key: cell.tone for cell in (*state.left, *state.right)}


def test_that_a_ready_engine_shows_its_numbers() -> None:
    assert _texts(READY) == [
        "Ready",
        "cpu-demo",
        "SmolLM2-135M-Instruct",
        "14 running",
        "0 waiting",
        "KV 34 %",
        "TTFT p95 0.58 s",
        "226 tok/s out",
        "0 errors in 1 h",
        "Scraped 0.4 s ago",
        "12:41:40 IST",
    ]
    assert set(_tones(READY).values()) == {""}
    assert derive_strip(READY).text.startswith("Ready, cpu-demo")


def test_that_an_unknown_number_is_a_dash_and_never_zero() -> None:
    facts = replace(
        READY,
        sample=MetricSample(NOW, 0.0, 7.0),
        ttft_p95_s=None,
        output_rate=None,
        errors_last_hour=None,
    )
    assert _texts(facts)[3:9] == [
        "– running",
        "– waiting",
        "KV –",
        "TTFT p95 –",
        "– tok/s out",
        "– errors in 1 h",
    ]


def test_that_a_broken_promise_turns_its_cell_red() -> None:
    assert _tones(replace(READY, ttft_p95_s=1.12))["ttft"] == "error"
    assert _tones(replace(READY, ttft_p95_s=1.12, ttft_limit_s=None))["ttft"] == ""


@pytest.mark.parametrize(("age_s", "tone", "pill", "running"), [
    (3.0, "", "Ready", "14 running"),
    (3.1, "warn", "Ready", "14 running"),
    (10.0, "warn", "Ready", "14 running"),
    (10.1, "warn", "Stalled", "– running"),
])  # fmt: skip
def test_that_old_numbers_are_marked_and_then_withdrawn(age_s: float, tone: str, pill: str, running: str) -> None:
    facts = replace(READY, age_s=age_s)
    assert _tones(facts)["age"] == tone
    assert _texts(facts)[0] == pill
    assert running in _texts(facts)


@pytest.mark.parametrize(("status", "pill", "kind"), [
    (EngineStatus.NONE, "No engine", "neutral"),
    (EngineStatus.STARTING, "Starting", "info"),
    (EngineStatus.READY, "Ready", "ok"),
    (EngineStatus.BUSY, "Busy", "ok"),
    (EngineStatus.STALLED, "Stalled", "warn"),
    (EngineStatus.SLEEPING, "Sleeping", "neutral"),
    (EngineStatus.DRAINING, "Draining", "info"),
    (EngineStatus.STOPPING, "Stopping", "info"),
    (EngineStatus.STOPPED, "Stopped", "neutral"),
    (EngineStatus.FAILED, "Failed", "error"),
    (EngineStatus.LOST, "Lost", "error"),
])  # fmt: skip
def test_that_every_state_of_an_engine_has_its_word_and_tint(status: EngineStatus, pill: str, kind: str) -> None:
    mark = derive_strip(replace(READY, engine=EngineState(status))).pill
    assert (mark.text, mark.kind) == (pill, kind)


def test_that_a_starting_engine_has_one_cell_that_says_so() -> None:
    facts = replace(READY, engine=replace(READY.engine, status=EngineStatus.STARTING), sample=None, age_s=None)
    assert _texts(facts)[3:] == ["no data yet", "0 errors in 1 h", "Not scraped yet", "12:41:40 IST"]


def test_that_a_lost_engine_shows_no_number_however_fresh() -> None:
    facts = replace(READY, engine=replace(READY.engine, status=EngineStatus.LOST), age_s=0.1)
    assert {"– running", "KV –", "TTFT p95 –", "– tok/s out"} <= set(_texts(facts))


def test_that_without_an_engine_no_number_is_shown_at_all() -> None:
    facts = StripFacts(EngineState(), NOW, ZoneInfo("Asia/Kolkata"), errors_last_hour=1)
    assert _texts(facts) == ["No engine", "1 error in 1 h", "Nothing to scrape", "12:41:40 IST"]


def test_that_the_set_up_takes_the_place_of_the_numbers() -> None:
    assert _texts(replace(READY, setup="Setting up, step 2 of 6"))[3] == "Setting up, step 2 of 6"


def test_that_the_gateway_is_shown_only_where_there_is_one() -> None:
    assert "Gateway off" in _texts(replace(READY, gateway=""))
    assert "Gateway 127.0.0.1:8080" in _texts(replace(READY, gateway="127.0.0.1:8080"))
    assert not [text for text in _texts(READY) if text.startswith("Gateway")]


@pytest.mark.parametrize(
    ("age_s", "words"),
    [(0.04, "0.0 s"), (-0.2, "0.0 s"), (9.94, "9.9 s"), (12.4, "12 s"), (180, "3 min"), (7200, "2 h")],
)
def test_that_an_age_is_said_as_precisely_as_it_matters(age_s: float, words: str) -> None:
    assert age_words(age_s) == words


# Several engines

LOST = EngineState(EngineStatus.LOST, "far", "SmolLM2-135M-Instruct")
STOPPED = EngineState(EngineStatus.STOPPED, "spare")


@pytest.mark.parametrize(("states", "pill"), [
    ((READY.engine, READY.engine), "Ready"),
    ((READY.engine, LOST), "1 of 2 lost"),
    ((LOST, LOST), "2 of 2 lost"),
    ((READY.engine, STOPPED), "Ready"),
    ((READY.engine, replace(READY.engine, status=EngineStatus.STARTING)), "1 of 2 starting"),
])  # fmt: skip
def test_that_the_pill_of_several_engines_tells_the_worst_in_words(states: tuple[EngineState, ...], pill: str) -> None:
    assert _texts(replace(READY, engine=worst_state(states), engines=states))[0] == pill


def test_that_the_figures_of_several_engines_go_on_while_one_of_them_is_lost() -> None:
    shown = _texts(replace(READY, engine=LOST, engines=(READY.engine, LOST)))
    assert shown[1:5] == ["2 engines", "SmolLM2-135M-Instruct", "14 running", "0 waiting"]
    assert "14 running" not in _texts(replace(READY, engine=LOST, engines=(LOST, LOST)))


def test_that_a_sum_that_is_not_known_is_dashes() -> None:
    assert "– running" in _texts(replace(READY, sample=None, engines=(READY.engine, READY.engine)))
