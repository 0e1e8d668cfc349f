from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import TYPE_CHECKING

from console.testing import ANSWERING, ROOT, STAGES, Outcome, Stage, main, run_held, run_stage, summary

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import pytest


def test_that_a_stage_prints_its_name_and_how_it_ended(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = run_stage(Stage("types", "pyright", ("pyright",)), lambda _command: 3)
    assert outcome.code == 3
    printed = capsys.readouterr().out
    assert "── types: pyright" in printed
    assert "✗ types                failed with exit 3" in printed


def test_that_the_summary_names_what_failed_and_how_to_run_only_that() -> None:
    outcomes = [Outcome(stage, int(stage.name in ("lint", "tests")), 61.0) for stage in STAGES]
    told = summary(outcomes, 366.0).splitlines()
    assert told[-1].startswith("What failed: lint, tests. Only that: ./dabba test lint tests")
    assert told[-1].endswith("6:06")
    assert sum(line.startswith("✓") for line in told) == len(STAGES) - 2


def test_that_all_passed_is_said() -> None:
    assert "All passed · 0:02" in summary([Outcome(STAGES[0], 0, 1.0)], 2.0)


def test_that_an_unknown_stage_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lnit"]) == 2
    assert "There is no test stage lnit: there are lint, format, types" in capsys.readouterr().out


def test_that_one_stage_can_be_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    monkeypatch.setattr("console.testing.run_command", lambda command: ran.append(command[0]) or 0)
    assert main(["format"]) == 0
    assert ran == ["ruff"]


def test_that_the_stages_cover_lint_types_tests_coverage_and_journeys() -> None:
    assert [stage.name for stage in STAGES] == ["lint", "format", "types", "tests", "answering", "journeys"]


def test_that_the_answering_core_is_tested_once_and_must_be_covered() -> None:
    commands = {stage.name: stage.command for stage in STAGES}
    assert f"--ignore={ANSWERING}" in commands["tests"]
    assert ANSWERING in commands["answering"]
    assert "--cov-fail-under=95" in commands["answering"]
    assert (ROOT / ANSWERING).is_dir()


def test_that_the_home_of_the_journeys_is_set_up_beside_the_stages_before_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    told: list[str] = []

    class SetUp:
        def __init__(self, command: list[str], *, env: dict[str, str], **_others: object) -> None:
            told.append(f"{command[-1]} begun in {env['DABBA_HOME']}")

        def terminate(self) -> None:
            told.append("asked to end")

        def wait(self) -> None:
            told.append("waited for")

    monkeypatch.setenv("DABBA_TEST_HOME", str(tmp_path))
    monkeypatch.setattr("console.testing.subprocess.Popen", SetUp)
    monkeypatch.setattr("console.testing.run_command", lambda command: told.append(command[-1]) or 0)
    assert main(["lint", "journeys"]) == 0
    assert told[:3] == [f"setup begun in {tmp_path}", ".", "waited for"]
    assert told[-1] == "--durations=0"


def test_that_the_journeys_alone_set_their_home_up_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.testing.subprocess.Popen", None)
    monkeypatch.setattr("console.testing.run_command", lambda _command: 0)
    assert main(["journeys"]) == 0


def test_that_types_are_checked_beside_the_journeys_and_told_after_them(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    @contextlib.contextmanager
    def no_set_up() -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(wait=lambda: 0)

    monkeypatch.setattr("console.testing.set_up_journeys_home", no_set_up)
    monkeypatch.setattr("console.testing.run_command", lambda _command: 0)
    monkeypatch.setattr("console.testing.run_held", lambda stage: (Outcome(stage, 1, 47.0), "1 error\n"))
    assert main(["lint", "types", "journeys"]) == 1
    told = capsys.readouterr().out
    assert told.index("── journeys") < told.index("── types: pyright, strict for the product\n1 error\n✗ types")
    assert "What failed: types. Only that: ./dabba test types" in told


def test_that_what_runs_beside_another_is_heard_to_its_end() -> None:
    outcome, said = run_held(Stage("version", "Python's", ("platform",)))
    assert outcome.code == 0
    assert said.strip()
