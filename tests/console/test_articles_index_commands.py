"""`dabba articles embed` and `dabba articles move`."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from qdrant_client import QdrantClient
from typer.testing import CliRunner

import knowledge.index_room
import knowledge.point_store_server as server_room
from console.commands.articles import app
from storage.paths import Home
from storage.settings import KnowledgeSettings, Settings, load_settings, save_settings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from typer.testing import Result

pytestmark = pytest.mark.filterwarnings("ignore:Local mode performs exact", "ignore:Payload indexes have no effect")
URL = "http://qdrant.example:6333"


class Other(WordEmbedder):
    name = "other"


@pytest.fixture(autouse=True)
def kitchen(home_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home with one article and two embedders that may be set."""

    def embedder_of(settings: KnowledgeSettings, home: Home) -> Callable[[], WordEmbedder]:
        return WordEmbedder if settings.embedder == "bundled" else Other

    monkeypatch.setattr(knowledge.index_room, "embedder_of", embedder_of)
    file = tmp_path / "refunds.md"
    file.write_text("Refunds take two days.", encoding="utf-8")
    assert articles("add", str(file)).exit_code == 0
    return Home(home_folder)


def articles(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def found() -> list[str]:
    return [one["text"] for one in json.loads(articles("search", "refunds", "--json").stdout)["passages"]]


def test_that_another_embedder_reads_everything_and_answers_from_then_on(kitchen: Home) -> None:
    assert articles("embed").stdout == "words answers already. Nothing had to be embedded.\n"
    save_settings(kitchen, Settings(knowledge=KnowledgeSettings(embedder="multilingual")))
    assert found() == ["Refunds take two days."]
    assert articles("embed").stdout == "other answers from now on.\n"
    assert json.loads(articles("embed", "--json").stdout) == {"embedder": "other", "changed": False}
    assert found() == ["Refunds take two days."]


def test_that_a_move_switches_the_setting_when_the_server_answers_alike(
    kitchen: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = QdrantClient(":memory:")
    monkeypatch.setattr(client, "close", lambda: None)
    monkeypatch.setattr(server_room, "client_of", partial(_same, client))
    told = articles("move", "--to", f"{URL}/")
    assert told.exit_code == 0, told.output
    assert told.stdout.startswith(f"The index is at {URL}: 1 passages, 1 articles, all as they are here.")
    assert load_settings(kitchen).knowledge.qdrant_url == URL
    assert found() == ["Refunds take two days."]
    assert "is at http://qdrant.example:6333 already" in articles("move", "--to", URL).stderr


def _same(client: QdrantClient, _url: str) -> QdrantClient:
    return client


@pytest.mark.parametrize(
    ("to", "told"), [("localhost", "it must begin with"), ("http://127.0.0.1:9", "The article index can't be opened")]
)
def test_that_a_move_that_cannot_be_changes_nothing(kitchen: Home, to: str, told: str) -> None:
    result: Any = articles("move", "--to", to)
    assert result.exit_code != 0
    assert told in result.stderr
    assert load_settings(kitchen).knowledge.qdrant_url is None
    assert found() == ["Refunds take two days."]
