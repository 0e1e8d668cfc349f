from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from console.commands import articles

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "late.md").write_text("# Late\n\nA late dabba is free.<!-- or not -->", encoding="utf-8")
    (tmp_path / "twin.txt").write_text("# Late\n\nA late dabba is free.", encoding="utf-8")
    (tmp_path / "scan.pdf").write_bytes(b"%PDF-1.7")
    return tmp_path


def check(*arguments: str) -> tuple[int, str]:
    ended = CliRunner().invoke(articles.app, ["check", *arguments])
    return ended.exit_code, ended.stdout


def test_that_each_file_is_told_with_its_verdict(folder: Path) -> None:
    code, out = check(str(folder), "--json")
    late, scan, twin = json.loads(out)
    assert code == 0
    assert (late["verdict"], late["kind"], late["encoding"], late["characters"]) == ("text", "Markdown", "UTF-8", 29)
    assert late["notes"][0].startswith("1 comment was left out")
    assert (scan["verdict"], "It is damaged" in scan["sentence"]) == ("refused", True)
    assert twin["notes"] == ["The same text is in late.md. Leave one out."]


def test_that_people_get_a_table_and_a_sum(folder: Path) -> None:
    code, out = check(str(folder))
    assert code == 0
    assert out.splitlines()[0].split() == ["file", "verdict", "kind", "encoding", "characters", "what"]
    assert out.splitlines()[-1] == "3 files: 2 give a text, 1 are refused with a reason."


def test_that_a_reader_that_fails_is_told_and_ends_with_1(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_data: bytes) -> None:
        raise ZeroDivisionError("of odd bytes")

    monkeypatch.setattr("knowledge.readers.reading.decode", broken)
    code, out = check(str(folder), "--json")
    late, scan, twin = json.loads(out)
    assert code == 1
    assert (late["verdict"], twin["verdict"], scan["verdict"]) == ("failed", "failed", "refused")
    assert "Its reader failed on it" in late["sentence"]
    assert late["sentence"].endswith("(ZeroDivisionError: of odd bytes)")


def test_that_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    code, out = check(str(tmp_path / "gone.md"), "--json")
    assert (code, json.loads(out)[0]["verdict"]) == (0, "refused")
