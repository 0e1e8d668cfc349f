"""What the Engine page says, from records to words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from console.engine.engine_shown import (
    DOTS,
    FailureShown,
    SleepShown,
    derive_action,
    derive_attached,
    derive_engine_rows,
    derive_failure,
    derive_origin,
    derive_sleep,
    derive_state_line,
)  # fmt: skip
from console.engine.home_facts import HomeFacts, derive_foot
from console.engine.log_lines import read_line
from console.engine.more_shown import derive_more, derive_removal, derive_stops
from console.engine.report import derive_report
from console.engine.start_shown import derive_start, time_ticks
from console.widgets.attach_dialog import derive_url_fault
from console.widgets.pill import PillMark
from engine_host.engine.attaching import key_name
from engine_host.engine.finding import Found
from engine_host.engine.left_behind import Kind, LeftEngine
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.restarting import Restart
from engine_host.engine.start_times import StartTimes
from engine_host.engine.state import EngineState, EngineStatus, PhaseTime, StartPhase

NOW = datetime(2026, 11, 30, 9, 12, 53, tzinfo=UTC)
P = StartPhase
LAST = StartTimes(
    "r0",
    SMOLLM2.name,
    True,
    (PhaseTime(P.ENVIRONMENT, 0, 15.9), PhaseTime(P.WEIGHTS, 15.9, 17.8), PhaseTime(P.READY, 33.0, 33.0)),
)


def engine(status: EngineStatus, **fields: object) -> EngineState:
    known = {"name": "cpu-demo", "model": SMOLLM2.name, "url": "http://127.0.0.1:8021", "run": "r1", "hosted": True}
    return EngineState(status, since=NOW, **(known | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("state", "key"),
    [
        (EngineState(), "start"),
        (engine(EngineStatus.STARTING), "cancel"),
        (engine(EngineStatus.READY), "stop"),
        (engine(EngineStatus.STALLED), "stop"),
        (engine(EngineStatus.STOPPING), None),
        (engine(EngineStatus.STOPPED), "start"),
        (engine(EngineStatus.FAILED), "start"),
        (engine(EngineStatus.READY, hosted=False), "detach"),
        (engine(EngineStatus.LOST, hosted=False), "detach"),
    ],
)
def test_that_each_state_offers_the_one_thing_that_can_be_done(state: EngineState, key: str | None) -> None:
    assert derive_action(state, cancelling=False).key == key
    assert derive_action(state, cancelling=True).key is None


def test_that_a_start_shows_passed_running_and_waiting_phases_beside_the_last_start() -> None:
    phases = (PhaseTime(P.ENVIRONMENT, 0, 15.7), PhaseTime(P.WEIGHTS, 15.7, None))
    shown = derive_start(engine(EngineStatus.STARTING, phases=phases, process_group=48213), LAST, 17.0)
    assert shown is not None
    assert (shown.progress, shown.group) == ("17 s of about 33 s", "group 48213")
    by_name = {bar.label: bar for bar in shown.bars}
    assert (by_name["environment"].figure, by_name["environment"].second) == ("15.7 s", "15.9")
    assert (by_name["weights"].kind, by_name["weights"].figure) == ("hot", "1.3 s")
    assert by_name["KV"].length is None
    assert by_name["ready"].kind == "ghost"
    assert shown.note == "vLLM does not report progress here; the last weights took 1.9 s."


def test_that_a_start_that_failed_does_not_go_on() -> None:
    phases = (PhaseTime(P.ENVIRONMENT, 0, 15.7), PhaseTime(P.WEIGHTS, 15.7, None))
    shown = derive_start(engine(EngineStatus.FAILED, phases=phases), None, None)
    assert shown is not None
    assert (shown.progress, shown.now, shown.bars[1].figure) == ("not finished", None, "not ended")


def test_that_nothing_is_shown_of_a_start_nobody_saw() -> None:
    assert derive_start(EngineState(), None, None) is None


def test_that_the_axis_has_few_round_marks() -> None:
    assert [tick.text for tick in time_ticks(117.6)] == ["0 s", "30", "60", "90"]
    assert len(time_ticks(1.0)) <= 6


@pytest.mark.parametrize(
    ("url", "ok"), [("http://10.0.0.7:8000", True), ("", False), ("10.0.0.7", False), ("http://", False)]
)
def test_that_an_address_is_checked_before_it_is_asked(url: str, ok: bool) -> None:
    assert (derive_url_fault(url) == "") is ok
    assert key_name("http://x/") == key_name("http://x")


@pytest.mark.parametrize("status", list(EngineStatus))
def test_that_every_state_has_a_dot_and_one_button(status: EngineStatus) -> None:
    assert DOTS[status]
    assert derive_action(engine(status), cancelling=False).text


def test_that_a_draining_engine_can_be_stopped_at_once() -> None:
    draining = derive_action(engine(EngineStatus.DRAINING), cancelling=True)
    assert (draining.key, draining.text) == ("stop", "Stop now")


def test_that_an_attached_server_says_what_it_is_and_lacks() -> None:
    bare = engine(EngineStatus.READY, hosted=False, url="http://10.0.0.7:8000", found=Found("qwen", None, 4096))
    assert derive_attached(bare).splitlines() == [
        "An OpenAI-compatible server, no vLLM: qwen with 4,096 tokens of context, no metrics, no tools, no sleep.",
        "It publishes no vLLM metrics: Live shows only what this console measures itself.",
        "It takes no tools: the model cannot call one.",
        "It writes its log where it runs.",
    ]
    full = engine(EngineStatus.READY, hosted=False, found=Found("qwen", "0.32.0", 4096, metrics=True, tools=True))
    assert "Its figures are on the Live page." in derive_attached(full)


def test_that_each_engine_of_the_pool_is_named_with_its_place_and_state() -> None:
    failed = engine(EngineStatus.FAILED, name="cpu-demo 2", restart=Restart(2, 3, 4.0))
    rows = derive_engine_rows(((1, EngineState()), (2, engine(EngineStatus.READY)), (4, failed)), "cpu-demo", NOW)
    assert [(row.key, row.title, row.time, row.second) for row in rows] == [
        ("1", "cpu-demo", "not started", "hosted, no process"),
        ("2", "cpu-demo", "ready", "hosted, 127.0.0.1:8021"),
        ("4", "cpu-demo 2", "restart 2 of 3 in 4 s", "hosted, no process"),
    ]
    assert derive_engine_rows(((1, failed),), "x", NOW + timedelta(seconds=3))[0].time == "restart 2 of 3 in 1 s"
    assert derive_state_line(engine(EngineStatus.DRAINING), NOW) == PillMark("draining", "info", dot=True)
    assert derive_origin(engine(EngineStatus.READY, hosted=False)) == "attached, 127.0.0.1:8021"
    unnamed = replace(engine(EngineStatus.READY, hosted=False), name="127.0.0.1:8021", model="big-model")
    assert derive_origin(unnamed) == "attached, big-model"
    assert derive_origin(engine(EngineStatus.READY)) == "hosted by this console"
    assert "before this console" in derive_origin(replace(engine(EngineStatus.READY), adopted=True))


@pytest.mark.parametrize(
    ("reason", "next_step", "change", "fix", "text"),
    [
        ("Too long.", "Choose less.", {"max_model_len": 4608}, "change", "Set Context to 4,608 tok and start again"),
        ("Too big.", "Choose less.", {"kv_space_gib": 0.3}, "change", "Set KV space to 0.3 GiB and start again"),
        ("Too slow.", "Wait.", {"start_limit_s": 60.0}, "change", "Set start limit s to 60.0 and start again"),
        ("Wrong.", "Correct it.", {"python": None}, "change", "Clear python and start again"),
        ("It was killed by signal 9.", "Start it again.", {}, "start", "Start again"),
        ("It ended by itself.", "Look at the log.", {}, "errors", "Show its errors"),
        ("Its runtime is not installed.", "Run ./dabba to finish the set-up.", {}, None, ""),
    ],
)
def test_that_a_failure_offers_the_button_that_does_its_next_step(
    reason: str, next_step: str, change: dict[str, float | None], fix: str | None, text: str
) -> None:
    failed = engine(EngineStatus.FAILED, reason=reason, next_step=next_step, change=change)
    shown = derive_failure(failed, ("the last line",))
    assert shown == FailureShown(reason, next_step, fix, text, ("the last line",))  # type: ignore[arg-type]
    assert derive_failure(engine(EngineStatus.READY)) is None
    soon = derive_failure(engine(EngineStatus.FAILED, reason="x", restart=Restart(1, 3, 1.0)))
    assert soon is not None
    assert (soon.fix, soon.fix_text) == ("start", "Start now")


@pytest.mark.parametrize(
    ("kind", "words", "actions"),
    [
        (Kind.LEFT, "Left by an earlier run", ["adopt engine", "end r9"]),
        (Kind.KEPT, "Kept running", ["adopt engine", "end r9"]),
        (Kind.WORKERS, "Workers of a dead engine", ["end r9"]),
        (Kind.IN_USE, "Another program", ["adopt engine"]),
    ],
)
def test_that_the_foot_tells_what_an_earlier_run_left_and_what_it_holds(
    kind: Kind, words: str, actions: list[str]
) -> None:
    left = LeftEngine("r9", "engine", kind, "cpu-demo", SMOLLM2.name, "http://127.0.0.1:1", 77, 2**31, 3)
    told = derive_foot(HomeFacts(left=(left,)), (EngineState(),))[0]
    assert words in told.text
    assert "process 77, holds 2.00 GiB" in told.text
    assert [key for key, _ in told.actions] == actions
    ours = derive_foot(HomeFacts("vllm 1", left=(left,)), (engine(EngineStatus.READY, process_group=77),))
    assert [fact.text for fact in ours] == ["No engine left by an earlier run.", "vllm 1"]
    assert "set-up" in derive_foot(HomeFacts(), ())[1].text


def test_that_sleep_is_offered_only_where_the_engine_has_it() -> None:
    ready = engine(EngineStatus.READY)
    cpu = derive_sleep(ready, sleep_mode=True, on_gpu=False)
    assert cpu is not None
    assert (cpu.key, cpu.why) == (None, "vLLM has no sleep mode on a CPU.")
    gpu = derive_sleep(ready, sleep_mode=False, on_gpu=True)
    assert gpu is not None
    assert "does not turn sleep mode on" in gpu.why
    assert derive_sleep(ready, sleep_mode=True, on_gpu=True) == SleepShown("sleep", "Sleep")
    assert derive_sleep(engine(EngineStatus.SLEEPING), sleep_mode=True, on_gpu=True) == SleepShown("wake", "Wake")
    assert derive_sleep(engine(EngineStatus.STOPPED), sleep_mode=True, on_gpu=True) is None
    busy = derive_sleep(engine(EngineStatus.BUSY), sleep_mode=True, on_gpu=True)
    assert busy is not None
    assert busy.key is None


def test_that_the_report_has_the_reason_the_profile_and_the_log_and_no_secret() -> None:
    failed = engine(EngineStatus.FAILED, reason="Memory is missing.", next_step="Close programs.")
    lines = [
        read_line(line) for line in ("--api-key abc123 ran", "proxy http://me:pass@host", "HF_TOKEN=hf_secretsecret")
    ]
    profile = EngineProfile("CPU demo", SMOLLM2, version=2)
    report = derive_report(failed, profile, None, None, [line for line in lines if line])
    assert "Reason: Memory is missing. Close programs." in report
    assert "Profile: CPU demo, version 2" in report
    assert "max_num_seqs 32 seqs" in report
    for secret in ("abc123", "pass@", "hf_secretsecret"):
        assert secret not in report
    assert "http://me:***@host" in report
    assert "max_num_batched_tokens 2,048 tok" in report


def test_that_a_stop_can_be_given_another_limit_and_the_settings_own_comes_first() -> None:
    assert [entry.key for entry in derive_stops(10.0)] == ["stop 10", "stop 60", "stop 300", "stop 0"]
    assert [entry.key for entry in derive_stops(0.0)] == ["stop 60", "stop 300", "stop 0"]
    assert derive_action(engine(EngineStatus.BUSY), cancelling=False).text == "Drain and stop"


def test_that_a_profile_for_several_machines_shows_what_to_type_where() -> None:
    assert derive_action(EngineState(), cancelling=False, elsewhere=True).key == "steps"
    assert derive_action(engine(EngineStatus.READY), cancelling=False, elsewhere=True).key == "stop"


def test_that_only_a_further_engine_can_be_removed() -> None:
    stops = derive_stops(10.0)
    assert derive_more(stops, removable=False) == stops
    assert [entry.key for entry in derive_more((), removable=True)] == ["remove"]
    assert derive_more(stops, removable=True)[-1].text == "Remove this engine…"


def test_that_sleep_stands_in_the_menu_with_its_reason_where_the_head_is_narrow() -> None:
    (off,) = derive_more((), SleepShown(None, "Sleep", "vLLM has no sleep mode on a CPU."), removable=False)
    assert (off.text, off.enabled) == ("Sleep: vLLM has no sleep mode on a CPU.", False)
    (on,) = derive_more((), SleepShown("wake", "Wake"), removable=False)
    assert (on.key, on.text, on.enabled) == ("wake", "Wake", True)


@pytest.mark.parametrize(
    ("state", "told"),
    [
        (engine(EngineStatus.BUSY), ["gets nothing new", "10 s to end", "processes end", "taken out of the settings"]),
        (EngineState(), ["has no process", "taken out of the settings"]),
        (engine(EngineStatus.STARTING), ["start of cpu-demo is given up"]),
        (engine(EngineStatus.READY, hosted=False), ["10 s to end", "runs on", "key that was kept"]),
        (engine(EngineStatus.LOST, hosted=False), ["runs on"]),
    ],
)
def test_that_a_removal_says_what_becomes_of_the_answers_under_way(state: EngineState, told: list[str]) -> None:
    shown = derive_removal(state, "cpu-demo", 10.0)
    assert shown.title == "Remove cpu-demo?"
    assert all(part in shown.words for part in told), shown.words


def test_that_without_time_to_finish_an_answer_is_said_to_break_off() -> None:
    assert "what it writes breaks off" in derive_removal(engine(EngineStatus.BUSY), "cpu-demo", 0.0).words


def test_that_an_engine_that_is_being_removed_has_no_button_but_the_one_that_cuts_its_answers() -> None:
    removing = derive_action(engine(EngineStatus.READY), cancelling=False, removing=True)
    assert (removing.key, removing.text) == (None, "Removing…")
    draining = derive_action(engine(EngineStatus.DRAINING), cancelling=False, removing=True)
    assert draining.text == "Stop now"
