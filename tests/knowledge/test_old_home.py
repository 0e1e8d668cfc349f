"""A home whose index was kept by qdrant-client without a server comes through: its articles are embedded anew."""

from __future__ import annotations

import shutil
from datetime import date
from typing import TYPE_CHECKING

from qdrant_client import QdrantClient, models

from knowledge.article import Asker, Audience
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from storage.paths import Home
    from tests.knowledge.conftest import OpenLibrary

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))


def make_old(folder: Path) -> None:
    """What lay in the folder before."""
    shutil.rmtree(folder)
    folder.mkdir()
    client = QdrantClient(path=str(folder))
    size = models.VectorParams(size=WordEmbedder.dim, distance=models.Distance.COSINE)
    client.create_collection("passages-and-sentences-words", vectors_config={"whole": size, "sentences": size})
    client.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_that_the_old_index_goes_when_the_new_one_has_everything(
    open_library: OpenLibrary, home: Home, write: Callable[..., Path], embedder: WordEmbedder
) -> None:
    async with open_library() as library:
        await library.add_file(write("late.md", "A late dabba is free."))
        await library.add_file(write("theirs.md", "A late dabba costs half.", tenants="meridian"))
        retired = await library.add_file(write("old.md", "A late dabba was free."))
        assert retired.article_id
        await library.retire(retired.article_id)
    make_old(home.vectors)
    assert "collection" in names(home.vectors)
    async with open_library() as library:
        found = await library.retrieve("late dabba", ASKER, 5)
        assert [passage.text for passage in found.passages] == ["A late dabba is free."]
        seen = len(embedder.texts)
    assert names(home.vectors) == ["dabba.lock", "passages-and-sentences-words", "serving.json"]
    async with open_library() as library:
        await library.warm()
    assert len(embedder.texts) == seen
