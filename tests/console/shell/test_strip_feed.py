"""What the strip hears of the engine over time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from console.shell.strip_feed import StripFeed, output_rate
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.engines_now import EnginesNow
from engine_host.metrics.samples import MetricSample, ScrapeGap

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

AT = datetime(2026, 11, 30, tzinfo=UTC)


def _sample(mono: float, tokens: float | None = None) -> MetricSample:
    return MetricSample(AT, mono, 7.0, running=3, output_tokens=tokens)


@pytest.mark.parametrize(("before", "after", "rate"), [
    (None, _sample(1, 10), None),
    (_sample(1, 10), _sample(3, 110), 50.0),
    (_sample(1, None), _sample(3, 110), None),
    (_sample(1, 10), _sample(3, None), None),
    (_sample(1, 110), _sample(3, 10), None),
    (_sample(3, 10), _sample(3, 20), None),
])  # fmt: skip
def test_that_a_rate_is_known_only_between_two_scrapes_of_one_run(
    before: MetricSample | None, after: MetricSample, rate: float | None
) -> None:
    assert output_rate(before, after) == rate


@pytest.fixture
def clock() -> list[float]:
    return [100.0]


@pytest.fixture
def feed(qtbot: QtBot, clock: list[float]) -> StripFeed:
    feed = StripFeed(ZoneInfo("Asia/Kolkata"), monotonic=lambda: clock[0])
    feed.engine_changed(EngineState(EngineStatus.READY, "cpu-demo", run="run-1"))
    return feed


def test_that_a_gap_lets_the_last_numbers_age_until_they_are_withdrawn(feed: StripFeed, clock: list[float]) -> None:
    feed.scraped(_sample(100.0))
    assert "3 running" in feed.state.text
    clock[0] = 108.0
    feed.scraped(ScrapeGap(AT, 108.0, "no answer"))
    feed.refresh()
    assert "3 running" in feed.state.text
    assert "Scraped 8.0 s ago" in feed.state.text
    clock[0] = 111.0
    feed.refresh()
    assert "– running" in feed.state.text
    assert feed.state.pill.text == "Stalled"


def test_that_another_run_does_not_inherit_numbers(feed: StripFeed) -> None:
    feed.scraped(_sample(100.0))
    feed.ttft_changed(0.5)
    feed.engine_changed(EngineState(EngineStatus.READY, "cpu-demo", run="run-2"))
    assert "no data yet" in feed.state.text
    assert "0.50" not in feed.state.text


def test_that_a_state_is_told_at_once_and_figures_with_the_next_tick(feed: StripFeed, qtbot: QtBot) -> None:
    heard: list[object] = []
    feed.changed.connect(heard.append)
    feed.engine_changed(EngineState(EngineStatus.READY, "cpu-demo", run="run-1"))
    feed.set_ttft_limit(0.8)
    feed.setup_changed("")
    assert len(heard) == 3
    feed.scraped(_sample(100.0, 10))
    feed.scraped(None)
    feed.ttft_changed(0.9)
    feed.errors_changed(2)
    assert len(heard) == 3
    feed.start()
    feed.stop()
    assert heard[3:] == [feed.state]
    assert "2 errors in 1 h" in feed.state.text
    assert {cell.key: cell.tone for cell in feed.state.left}["ttft"] == "error"


def test_that_the_clock_of_the_strip_runs_by_itself(feed: StripFeed, qtbot: QtBot) -> None:
    feed.start()
    with qtbot.waitSignal(feed.changed):
        pass
    feed.stop()


def test_that_several_engines_are_told_anew_when_a_state_changed_and_else_with_the_tick(feed: StripFeed) -> None:
    heard: list[object] = []
    feed.changed.connect(heard.append)
    ready = EngineState(EngineStatus.READY, "one")
    feed.engines_changed(EnginesNow((ready, ready), MetricSample(AT, 100.0, 7.0, running=7), 50.0))
    feed.engines_changed(EnginesNow((ready, ready), MetricSample(AT, 101.0, 7.0, running=8), 50.0))
    assert len(heard) == 1
    feed.engines_changed(EnginesNow((ready, replace(ready, status=EngineStatus.LOST))))
    assert len(heard) == 2


def test_that_several_engines_are_told_as_one_and_the_first_alone_changes_nothing(feed: StripFeed) -> None:
    ready = EngineState(EngineStatus.READY, "cpu-demo")
    lost = EngineState(EngineStatus.LOST, "far")
    feed.engines_changed(EnginesNow((ready, lost), MetricSample(AT, 100.0, 7.0, running=7), 50.0))
    feed.scraped(_sample(100.0))
    feed.engine_changed(ready)
    assert feed.state.text.startswith("1 of 2 lost, 2 engines, 7 running")
    assert "50 tok/s out" in feed.state.text


def test_that_one_engine_that_is_left_is_told_as_itself(feed: StripFeed) -> None:
    ready = EngineState(EngineStatus.READY, "cpu-demo")
    feed.engines_changed(EnginesNow((ready, ready)))
    feed.engines_changed(EnginesNow((ready,), _sample(100.0)))
    feed.scraped(_sample(100.0))
    assert feed.state.text.startswith("Ready, cpu-demo, 3 running")
