from __future__ import annotations

from typing import TYPE_CHECKING

from console.testing import STAGES, Outcome, Stage, main, run_stage, summary

if TYPE_CHECKING:
    import pytest


def test_that_a_stage_prints_its_name_and_how_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_stage(Stage("types", "pyright", ("pyright",)), lambda _command: 3)
    assert outcome.code == 3
    printed = capsys.readouterr().out
    assert "── types: pyright" in printed
    assert "✗ types                failed with exit 3" in printed


def test_that_the_summary_names_what_failed_and_how_to_run_only_that() -> None:
    outcomes = [Outcome(stage, int(stage.name in ("lint", "tests")), 61.0) for stage in STAGES]
    told = summary(outcomes).splitlines()
    assert told[-1].startswith("What failed: lint, tests. Only that: ./dabba test lint tests")
    assert told[-1].endswith("6:06")
    assert sum(line.startswith("✓") for line in told) == len(STAGES) - 2


def test_that_all_passed_is_said() -> None:
    assert "All passed" in summary([Outcome(STAGES[0], 0, 1.0)])


def test_that_an_unknown_stage_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lnit"]) == 2
    assert "There is no test stage lnit: there are lint, format, types" in capsys.readouterr().out


def test_that_one_stage_can_be_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr("console.testing.run_command", lambda command: ran.append(command[0]) or 0)
    assert main(["format"]) == 0
    assert ran == ["ruff"]


def test_that_the_stages_cover_lint_types_tests_coverage_and_journeys() -> None:
    assert [stage.name for stage in STAGES] == ["lint", "format", "types", "tests", "coverage", "journeys"]
