"""The one form of every bench's result."""

from __future__ import annotations

import json

import pytest

from console.bench.report import judge, program_version, to_json, to_text

FIGURES = {"stall_p99_ms": 8.7, "clean_exits": 99.0, "cpu_share": 0.66, "warm_start_s": None}


@pytest.mark.parametrize(("target", "holds"), [
    ("<= 8.7", True),
    ("< 8.7", False),
    (">= 8.8", False),
    ("> 1", True),
    ("== 8.7", True),
])  # fmt: skip
def test_that_a_figure_is_held_against_its_target(target: str, holds: bool) -> None:
    assert judge("bridge", FIGURES, {"stall_p99_ms": target}).holds == {"stall_p99_ms": holds}


def test_that_a_figure_which_was_not_measured_misses_its_target() -> None:
    result = judge("bridge", FIGURES, {"warm_start_s": "<= 1.5", "absent": "<= 1"})
    assert result.holds == {"warm_start_s": False, "absent": False}
    assert not result.ok


def test_that_a_target_which_cannot_be_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="must begin with"):
        judge("bridge", FIGURES, {"cpu_share": "about 1"})


def test_that_json_carries_every_key_of_the_contract() -> None:
    raw = json.loads(to_json(judge("bridge", FIGURES, {"stall_p99_ms": "<= 16.7"})))
    assert set(raw) == {"bench", "version", "machine", "figures", "targets", "holds", "ok"}
    assert raw["version"] == program_version()
    assert raw["ok"] is True
    assert {"system", "python", "cores", "memory_gib"} <= set(raw["machine"])


def test_that_the_text_names_what_missed() -> None:
    text = to_text(judge("bridge", FIGURES, {"stall_p99_ms": "<= 16.7", "clean_exits": ">= 100"}))
    assert "clean_exits   99  target >= 100  MISSED" in text
    assert "warm_start_s  not measured" in text
    assert text.endswith("Not all targets hold.")
