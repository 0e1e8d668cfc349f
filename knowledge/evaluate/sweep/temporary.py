"""A library in a temporary folder, beside the live one: same articles, cut another way, gone when it is closed."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.library import Library
from storage.database import Database
from storage.paths import Home

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Sequence
    from datetime import tzinfo

    from knowledge.article import ArticleText
    from knowledge.embedding import Embedder
    from knowledge.evaluate.sweep.plan import Cutting
    from storage.settings import Settings

PREFIX = "dabba-sweep-"


@asynccontextmanager
async def temporary_library(
    texts: Sequence[ArticleText],
    cutting: Cutting,
    base: tuple[Settings, tzinfo],
    load: Callable[[], Embedder],
    on_article: Callable[[int], None],
) -> AsyncGenerator[Library]:
    """A library of published articles; `on_article` hears how many are in. Its index is embedded, never a server's.

    `base` is what else is set, and the kitchen's time zone. Raises KnowledgeError, StorageError; nothing stays then.
    """
    settings, timezone = base
    changed = {"chunk_tokens": cutting.chunk_tokens, "chunk_overlap": cutting.overlap, "qdrant_url": None}
    cut = settings.model_copy(update={"knowledge": settings.knowledge.model_copy(update=changed)})
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        home = Home(Path(folder)).make()
        db = await Database.open(home)
        try:
            library = await Library.open(db, home, cut, timezone, load)
            try:
                for number, text in enumerate(texts, start=1):
                    await library.add_text(text)
                    on_article(number)
                yield library
            finally:
                await library.close()
        finally:
            await db.close()
