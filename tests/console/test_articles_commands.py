"""`dabba articles …`: what a person and a script read of drafts, changes, versions and receipts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from typer.testing import CliRunner

from console.commands.articles import app
from knowledge.library import Library
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result


@pytest.fixture(autouse=True)
def fake_embedder(home_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = Library.open

    async def opened(*arguments: Any) -> Library:
        return await real(*arguments, load_embedder=WordEmbedder)

    monkeypatch.setattr(Library, "open", opened)


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    def written(name: str, text: str) -> str:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return str(file)

    return written


def articles(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def as_json(*arguments: str) -> Any:
    result = articles(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def found(question: str = "refunds") -> list[str]:
    return [passage["text"] for passage in as_json("search", question)["passages"]]


def test_that_an_article_goes_through_draft_change_version_and_receipt(write: Callable[[str, str], str]) -> None:
    drafted = as_json("draft", write("refunds.md", "Refunds take two days."))
    key = drafted["article_id"]
    assert (drafted["status"], found()) == ("draft", [])
    assert articles("publish", key[:8]).stdout == "Refunds answers from now on.\n"
    assert found() == ["Refunds take two days."]

    as_json("draft", write("other.md", "Refunds take three days."), "--of", "refunds.md")
    assert "Refunds take three days." in articles("show", key, "--draft").stdout
    as_json("publish", key)
    assert [version["number"] for version in as_json("versions", key)] == [2, 1]
    changed = articles("versions", key, "--diff", "1", "2").stdout
    assert "- Refunds take two days.\n+ Refunds take three days." in changed
    as_json("restore", key, "1")
    assert found() == ["Refunds take two days."]

    told = articles("change", key, "--tenants", "kamala,meridian", "--valid-to", "2031-12-31").stdout
    assert told == "Refunds is for customers of kamala, meridian, in en, until 2031-12-31.\n"
    articles("retire", key)
    assert found() == []
    assert as_json("list")[0]["state"] == "retired"

    receipt = as_json("delete", key)
    assert (receipt["points_before"], receipt["points_after"], receipt["proven"]) == (1, 0, True)
    assert as_json("receipts") == [receipt]
    assert "1 pieces before, 0 after: seen gone." in articles("receipts").stdout
    assert as_json("list") == []


def test_that_a_name_that_means_nothing_or_several_is_told(write: Callable[[str, str], str]) -> None:
    result = articles("retire", "late.md")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "late.md names no article. `dabba articles list` shows the ids" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("change", "x"), "name what shall change"),
        (("change", "x", "--audience", "everyone"), "choose customers or staff"),
        (("restore", "x", "99999999999999999999"), "less than or equal to"),
        (("change", "x", "--tenants", ""), "name ids with commas between them, or all"),
        (("change", "x", "--tenants", " , "), "name ids with commas between them, or all"),
        (("change", "x", "--tenants", "all,kamala"), "name ids with commas between them, or all"),
        (("change", "x", "--valid-to", "tomorrow"), "write a day as 2026-11-30, or none"),
    ],
)
def test_that_a_change_that_cannot_be_meant_is_refused(arguments: tuple[str, ...], told: str) -> None:
    result = articles(*arguments)
    assert result.exit_code == 2
    assert told in " ".join(result.output.replace("│", " ").split())
