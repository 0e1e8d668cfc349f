from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from console.live.charts_shown import derive_kv
from console.live.engine_reading import EngineRead
from console.live.latency_shown import derive_latency
from console.live.pool_shown import derive_choices, derive_newest, derive_shown, derive_truth_line, runs_of
from console.live.reading import LiveRead
from console.live.tracks import EngineHistory
from console.live.view import ALL, View
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import Histogram
from tests.console.live.house import READY
from tests.console.live.scrapes import T0, buckets, sample

if TYPE_CHECKING:
    from engine_host.metrics.samples import MetricSample

SECOND = replace(READY, name="cpu-demo 2", run="r2", url="http://127.0.0.1:2")


def engine(key: str, state: EngineState, *scrapes: MetricSample, seqs: int | None = 32) -> EngineRead:
    history = EngineHistory()
    for scrape in scrapes:
        history.add(scrape)
    return EngineRead(key, state, history.rows(), scrapes[-1] if scrapes else None, seqs)


def two(**second: Any) -> tuple[EngineRead, EngineRead]:
    return (
        engine("1", READY, sample(0, running=3.0, kv_usage=0.5, kv_blocks=100)),
        engine("2", SECOND, sample(0, **({"running": 4.0, "kv_usage": 1.0, "kv_blocks": 100} | second))),
    )


def test_that_all_engines_are_shown_as_one() -> None:
    shown = derive_shown(two(), ALL)
    assert shown.newest is not None
    assert (shown.newest.running, shown.newest.kv_usage, shown.max_seqs) == (7, 0.75, 64)
    assert shown.rows.figures["running"].tolist() == [7.0]


def test_that_one_engine_is_shown_alone() -> None:
    shown = derive_shown(two(), "2")
    assert shown.engine == SECOND
    assert shown.newest is not None
    assert (shown.newest.running, shown.max_seqs) == (4, 32)


def test_that_the_only_engine_is_shown_whatever_was_chosen() -> None:
    first, _ = two()
    assert derive_shown((first,), ALL).engine == READY
    assert derive_shown((first,), "2").engine == READY


def test_that_the_seats_of_the_batch_are_unknown_when_one_of_them_is() -> None:
    first, second = two()
    assert derive_shown((first, replace(second, max_seqs=None)), ALL).max_seqs is None


def test_that_an_engine_that_stopped_leaves_the_sum_of_now() -> None:
    first, second = two()
    gone = replace(second, state=replace(SECOND, status=EngineStatus.STOPPED))
    shown = derive_shown((first, gone), ALL)
    assert shown.newest is not None
    assert (shown.newest.running, shown.max_seqs) == (3, 32)


def test_that_the_choice_names_every_engine_and_the_worst_state() -> None:
    first, second = two()
    lost = replace(second, state=replace(SECOND, status=EngineStatus.LOST))
    told = [(one.key, one.text, one.kind) for one in derive_choices((first, lost))]
    assert told == [("all", "All engines (2)", "error"), ("1", "cpu-demo", "ok"), ("2", "cpu-demo 2, lost", "error")]


def test_that_an_engine_whose_metrics_cannot_be_read_is_named() -> None:
    first, _ = two()
    silent = engine("2", SECOND)
    assert derive_truth_line((first, silent), ALL) == (
        "Not in these figures: cpu-demo 2, whose metrics cannot be read."
    )
    assert derive_truth_line((first, silent), "1") == ""


def test_that_a_server_of_several_models_is_called_so() -> None:
    both = engine("1", READY, sample(0, running=1.0, models=("a", "b")))
    assert derive_truth_line((both,), ALL) == "These figures are of 2 models together: a, b."
    assert derive_truth_line((both, two()[1]), "1") == "These figures are of 2 models together: a, b."
    assert derive_truth_line((both, two()[1]), ALL) == ""


def test_that_turns_are_of_an_engine_by_all_its_runs() -> None:
    names = {"r0": "cpu-demo", "r1": "cpu-demo", "r9": "cpu-demo 2"}
    assert runs_of(READY, names) == {"r0", "r1"}
    assert runs_of(replace(READY, run="r5"), names) == {"r0", "r1", "r5"}


def test_that_a_chart_says_why_there_is_no_sum() -> None:
    near, far = buckets(1, 0, 0, 0, 0), Histogram((9.0, math.inf), (1, 1), 1, 1.0)
    engines = two(ttft=far, kv_blocks=None)
    engines = (engine("1", READY, sample(0, running=1.0, kv_usage=0.5, kv_blocks=9, ttft=near)), engines[1])
    shown = derive_shown(engines, ALL)
    read = LiveRead(T0, shown.engine, shown.rows, shown.newest, shown.max_seqs, engines=engines)
    assert derive_latency(read, View(), "ttft").missing == (
        "There is no sum of the engines: they count in different buckets. Choose one of them."
    )
    assert "their blocks are not told" in derive_kv(read, View()).missing


def test_that_later_samples_renew_the_gauges_and_nothing_else() -> None:
    first, second = two()
    shown = derive_shown((first, second), ALL)
    read = LiveRead(T0, shown.engine, shown.rows, shown.newest, shown.max_seqs, engines=(first, second))
    told = {"1": sample(0.5, running=9.0, kv_usage=0.5, kv_blocks=100), "3": sample(0.5, running=50.0)}
    for key, running in ((ALL, 13), ("1", 9), ("2", 4)):
        seen = derive_newest(read, told, key)
        assert seen.newest is not None
        assert seen.newest.running == running
        assert (seen.rows, seen.now) == (read.rows, read.now)


def test_that_a_sample_that_is_not_later_renews_nothing() -> None:
    first, second = two()
    shown = derive_shown((first, second), ALL)
    read = LiveRead(T0, shown.engine, shown.rows, shown.newest, shown.max_seqs, engines=(first, second))
    assert derive_newest(read, {"1": sample(0, running=9.0)}, "1").newest is first.newest
