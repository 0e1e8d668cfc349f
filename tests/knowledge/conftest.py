"""A library on a real database and a real embedded Qdrant; only the model is a fake."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from knowledge.library import Library
from storage.database import Database
from storage.paths import Home
from storage.settings import KnowledgeSettings, Settings
from tests.fakes.embedder import WordEmbedder

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path

    OpenLibrary = Callable[[], AbstractAsyncContextManager[Library]]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
async def db(home: Home) -> AsyncIterator[Database]:
    database = await Database.open(home)
    yield database
    await database.close()


@pytest.fixture
def open_library(db: Database, home: Home, embedder: WordEmbedder) -> OpenLibrary:
    settings = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, chunk_overlap=10, threshold=0.3))

    @asynccontextmanager
    async def opened() -> AsyncIterator[Library]:
        library = await Library.open(db, home, settings, ZoneInfo("Asia/Kolkata"), lambda: embedder)
        try:
            yield library
        finally:
            await library.close()

    return opened


@pytest.fixture
async def library(open_library: OpenLibrary) -> AsyncIterator[Library]:
    async with open_library() as opened:
        yield opened


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Writes an article's file: `write("late.md", "Body.", tenants="kamala")`."""

    def written(name: str, body: str, **matter: str) -> Path:
        path = tmp_path / "articles" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f"{key}: {value}\n" for key, value in matter.items())
        path.write_text(f"---\n{lines}---\n\n{body}\n", encoding="utf-8")
        return path

    return written
