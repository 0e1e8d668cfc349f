"""Phases and reasons, read from lines that vLLM 0.32.0 really wrote."""

from __future__ import annotations

import pytest

from engine_host.engine.phases import PhaseReader
from engine_host.engine.reasons import Reason, reason_of
from engine_host.engine.state import PhaseTime, StartPhase

EAGER = [
    (5.0, "(APIServer pid=1) INFO 11-30 09:50:56 [api_utils.py:286] non-default args: {'model': 'm'}"),
    (30.0, "(Worker pid=3) INFO 11-30 09:51:39 [cpu_model_runner.py:68] Starting to load model /m..."),
    (30.5, "Loading safetensors checkpoint shards: 100% Completed | 1/1 [00:00<00:00,  2.33it/s]"),
    (31.0, "(Worker pid=3) INFO 11-30 09:51:40 [default_loader.py:501] Loading weights took 0.44 seconds"),
    (32.0, "(EngineCore pid=2) INFO 11-30 09:51:41 [utils.py:347] Using LBHNC KV cache layout."),
    (32.1, "(Worker pid=3) INFO 11-30 09:51:41 [cpu_worker.py:260] Explicitly set (1.0/16.34) GiB for KV cache"),
    (33.0, "(EngineCore pid=2) INFO 11-30 09:51:42 [core.py:402] init engine (profile, create kv cache) took 1.09 s"),
    (34.0, "(APIServer pid=1) INFO 11-30 09:51:44 [entry.py:140] Starting vLLM server on http://127.0.0.1:18123"),
]  # fmt: skip


def test_that_each_phase_begins_at_its_first_line_and_ends_at_the_next() -> None:
    reader = PhaseReader()
    began = [at for at, line in EAGER if reader.feed(line, at)]
    assert began == [30.0, 32.0, 33.0]
    assert reader.phases[-1] == PhaseTime(StartPhase.WARM_UP, 33.0, None)
    reader.ready(36.0)
    assert reader.phases == (
        PhaseTime(StartPhase.ENVIRONMENT, 0.0, 30.0),
        PhaseTime(StartPhase.WEIGHTS, 30.0, 32.0),
        PhaseTime(StartPhase.KV, 32.0, 33.0),
        PhaseTime(StartPhase.WARM_UP, 33.0, 36.0),
        PhaseTime(StartPhase.READY, 36.0, 36.0),
    )


def test_that_compilation_is_a_phase_where_it_happens() -> None:
    reader = PhaseReader()
    reader.feed("Starting to load model m", 1.0)
    reader.feed("[backends.py:399] Compiling a graph for compile range (1, 2048) takes 20.1 s", 5.0)
    reader.feed("[gpu_worker.py:760] Available KV cache memory: 9.1 GiB", 30.0)
    reader.feed("Loading safetensors checkpoint shards: 0%", 31.0)
    assert [one.phase for one in reader.phases] == [
        StartPhase.ENVIRONMENT,
        StartPhase.WEIGHTS,
        StartPhase.COMPILE,
        StartPhase.KV,
    ]


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (
            (
                "  Value error, User-specified max_model_len (999999) is greater than the derived max_model_len "
                "(max_position_embeddings=8192.0 or model_max_length=None in model's config.json)."
            ),
            "a context of 999999 tokens was asked for and the model reads 8192",
        ),
        (
            (
                "ValueError: To serve at least one request with the model's max seq len (32768), (0.70 GiB KV cache is "
                "needed, which is larger than the available KV cache memory (0.50 GiB)."
            ),
            "the KV space cannot hold one request of the longest context",
        ),
        ("torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.", "memory is missing"),
        ("OSError: [Errno 98] Address already in use", "its port was taken by another program"),
        ("ModuleNotFoundError: No module named 'vllm'", "its Python lacks the package vllm"),
        ("OSError: You are trying to access a gated repo.", "the hub does not give this model without an accepted"),
        ("vllm.v1.engine.exceptions.EngineDeadError: EngineCore encountered an issue.", "its worker process died"),
        ("OSError: [Errno 28] No space left on device", "the disk is full"),
        ("ValueError: Unknown quantization method: q9.", "it said “Unknown quantization method: q9”"),
        (
            "api_server.py: error: unrecognized arguments: --nope",
            "this version of vLLM does not know the argument --nope",
        ),
    ],
)
def test_that_the_cause_is_told_in_our_words(line: str, why: str) -> None:
    reason = reason_of(["something before", line, "and after it"], 1)
    assert reason.why.startswith(why)
    assert reason.next_step.endswith(".")


def test_that_a_root_cause_beats_the_failure_that_follows_it() -> None:
    lines = [
        "RuntimeError: CUDA out of memory",
        "RuntimeError: Engine core initialization failed. See root cause above.",
    ]
    assert reason_of(lines, 1).why == "memory is missing"


def test_that_a_killed_engine_is_not_explained_by_old_lines() -> None:
    old = ["(APIServer pid=1) ERROR 11-30 09:51:56 [serving.py:274] ValueError: The model `nope` does not exist."]
    assert "signal 9" in reason_of(old, -9).why
    assert "memory" not in reason_of(old, -15).why


def test_that_silence_is_told_as_it_is() -> None:
    assert reason_of([], 3) == Reason("it ended by itself with exit status 3", "Look at the log, then start it again.")
    assert reason_of([], None).why == "its process is gone"
