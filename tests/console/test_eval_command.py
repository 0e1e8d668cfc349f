"""`dabba eval`: what a person and a script read, and the exit codes."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from typer.testing import CliRunner

from console.commands.evaluation import app
from console.commands.evaluation_sweep import print_sweep
from console.commands.evaluation_text import print_comparison, print_run, print_runs, run_object
from knowledge.evaluate.compare import compare
from knowledge.evaluate.sweep.plan import Cutting, Setting
from knowledge.evaluate.sweep.points import point_of
from knowledge.evaluate.sweep.report import SweepReport
from knowledge.ranking import Way
from tests.knowledge.evaluate.made import NOW, asked, run_of

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result

pytestmark = pytest.mark.usefixtures("home_folder")


def evaluation(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def as_json(*arguments: str) -> Any:
    result = evaluation(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_that_a_question_is_added_corrected_listed_and_removed() -> None:
    added = as_json("questions", "add", "एक हाथी?")
    assert (added["language"], added["article"], added["source"]) == ("hi", None, "edited")
    as_json("questions", "edit", added["id"], "--text", "दो हाथी?")
    assert [one["question"] for one in as_json("questions", "list")] == ["दो हाथी?"]
    assert evaluation("questions", "remove", added["id"]).exit_code == 0
    assert as_json("questions", "list") == []
    assert evaluation("questions", "remove", added["id"]).exit_code == 1


def test_that_the_sample_questions_are_added_once_and_exported(tmp_path: Path) -> None:
    assert "180 sample questions were added" in evaluation("questions", "import", "--sample").stdout
    assert "0 sample questions were added" in evaluation("questions", "import", "--sample").stdout
    path = tmp_path / "mine.jsonl"
    assert "180 questions were written" in evaluation("questions", "export", str(path)).stdout
    assert "180 questions were added or replaced" in evaluation("questions", "import", str(path)).stdout
    assert "no article" in evaluation("questions", "list").stdout


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("questions", "add", "is it free?", "--article", "late", "--passage", "x"), 1, "there is no article late"),
        (("questions", "from-turn", "t9"), 1, "no turn t9"),
        (("questions", "import"), 2, "name a file or --sample"),
        (("questions", "export", "/nowhere/mine.jsonl"), 1, "can't be written"),
        (("retrieval",), 1, "there are none yet"),
        (("retrieval", "--on", "tomorrow"), 2, "tomorrow is no day"),
        (("retrieval", "--compare", "last", "last-1"), 1, "There is no run last"),
        (("sweep",), 1, "there are none yet"),
        (("sweep", "--questions", "mine.jsonl", "--embedder", "magic"), 2, 'it must be "bundled"'),
        (("sweep", "--ways", "dense,magic"), 2, "there is no way magic; choose from hybrid, dense, words"),
        (("sweep", "--passages", "1,,2"), 2, "1,,2 is no list of numbers"),
        (("sweep", "--passages", "50"), 2, "passages must be 1 to 10"),
    ],
)
def test_that_what_was_not_done_is_said(
    arguments: tuple[str, ...], code: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.jsonl").write_text('{"question": "q", "language": "en", "tenant": "kamala"}', encoding="utf-8")
    result = evaluation(*arguments)
    assert result.exit_code == code
    assert sentence in " ".join(result.output.replace("│", " ").split())


def test_that_there_may_be_no_runs_yet() -> None:
    assert evaluation("retrieval", "--list").stdout.startswith("No runs yet.")
    assert as_json("retrieval", "--list") == []


def test_that_people_read_every_way_and_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    run = run_of("ab1", asked(1, 1), asked(2, 0, 0, 0, 0, 0, 1))
    print_run(run)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines if line.split()[:1] in (["hybrid"], ["dense"], ["words"])] == [
        "hybrid",
        "dense",
        "words",
    ]
    assert any(line.startswith("a2") and "0.00" in line for line in lines)
    assert json.loads(json.dumps(run_object(run), default=str))["ways"]["dense"][0]["recall_at_5"] == 0.5


def test_that_people_read_when_runs_were_and_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    before, after = run_of("ab1", asked(1), asked(2)), run_of("ab2", asked(1, 1), asked(2, 1), at=NOW + timedelta(1))
    print_runs((after, before), ZoneInfo("Asia/Kolkata"))
    print_comparison(compare(before, after))
    said = capsys.readouterr().out
    assert "2026-12-01 17:30" in said
    assert "2 questions are found better among the first five:\n  question 1\n  question 2" in said
    assert said.rstrip().splitlines()[-1].startswith("ab2 is better than ab1")


def test_that_people_read_which_setting_wins_and_why(capsys: pytest.CaptureFixture[str]) -> None:
    found = [asked(1, 1), asked(2, 0, 1), asked(3, 1, 0), asked(4)]
    settings = [Setting(Cutting(200, 30), way, k) for way in (Way.HYBRID, Way.DENSE) for k in (1, 2)]
    points = tuple(point_of(setting, 9, found) for setting in settings)
    print_sweep(SweepReport("s1", NOW, "0.1", "words", 4, points, settings[1], ("A cutting was left out.",), 2))
    said = capsys.readouterr().out
    lines = [line.split() for line in said.splitlines()]
    assert ["200", "30", "hybrid", "1", "8", "0.500", "0.500", "0.500", "wins"] in lines
    assert ["200", "30", "hybrid", "2", "12", "0.750", "0.625", "0.658", "now"] in lines
    assert "The winner on these questions: 200 tokens, overlap 30, hybrid, 1 passages." in said
    assert "The setting of now counts as equal to the best." in said
    assert "2 searches could not be run" in said
    assert "A cutting was left out." in said
