"""Children of the bench: real ones that close in mid-work, and ones that misbehave."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.bench import children
from console.bench.bridge import load_figures
from console.bench.children import Report, exits_in_mid_work, run_child, warm_start_s

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def act_as(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], None]:
    """Puts a module with this code in the place of the bench's own programs."""

    def act(code: str) -> None:
        (tmp_path / "bench_stand_in.py").write_text(code, encoding="utf-8")
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        monkeypatch.setattr(children, "PROGRAM", "bench_stand_in")
        monkeypatch.setattr(children, "START", "bench_stand_in")

    return act


def test_that_real_windows_close_cleanly_in_mid_work() -> None:
    reports = exits_in_mid_work(3, longest_ms=300)
    assert [report.complaint for report in reports] == ["", "", ""]
    assert all(report.clean and report.facts["threads_left"] == [] for report in reports)


@pytest.mark.parametrize(("code", "complaint"), [
    ("import sys; sys.exit(3)", "exit status 3"),
    ("print('{}'); import sys; print('QObject: leaked', file=sys.stderr)", "QObject: leaked"),
    ("raise KeyError('x')", "KeyError"),
    ("", "exit status 0"),
])  # fmt: skip
def test_that_a_child_which_complains_or_fails_is_not_clean(
    act_as: Callable[[str], None], code: str, complaint: str
) -> None:
    act_as(code)
    report = run_child("leave")
    assert not report.clean
    assert complaint in report.complaint


def test_that_a_child_which_hangs_is_ended_and_said(act_as: Callable[[str], None]) -> None:
    act_as("import threading; threading.Event().wait()")
    report = run_child("leave", limit_s=0.3)
    assert report.code is None
    assert "did not end within" in report.complaint


def test_that_a_start_which_fails_gives_no_figure(act_as: Callable[[str], None]) -> None:
    act_as("import sys; sys.exit(1)")
    assert warm_start_s(2) is None


def test_that_a_start_is_timed_to_the_painted_window(act_as: Callable[[str], None]) -> None:
    act_as("import json, time; print(json.dumps({'painted_at': time.monotonic()}))")
    taken = warm_start_s(3)
    assert taken is not None
    assert taken > 0


def test_that_what_a_load_run_did_not_report_is_not_measured() -> None:
    assert set(load_figures({}).values()) == {None}
    facts = {"stalls": {"p50": 0.2, "p99": 8.7, "max": 15.8, "samples": 9}, "cpu_share": 0.6, "tokens_per_s": 1600.0}
    figures = load_figures(facts)
    assert (figures["stall_p99_ms"], figures["tokens_per_s"], figures["charts_per_s"]) == (8.7, 1600.0, None)


def test_that_only_exit_status_0_without_complaint_is_clean() -> None:
    assert Report(0).clean
    assert not Report(0, complaint="a thread is left").clean
    assert not Report(3).clean
