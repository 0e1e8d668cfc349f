"""The canaries bench: does any search path tell a tenant the word of another, or anything of a deleted article?"""

from __future__ import annotations

import os
import tempfile
import uuid
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from console.bench.canaries.asking import Count, ask_all
from console.bench.canaries.deleting import Deleted, add_all, ask_again, delete_all
from console.bench.canaries.paths import PATHS
from console.bench.canaries.world import World
from console.bench.ingest.embedders import InstantEmbedder
from console.bench.report import judge
from knowledge.finding import Finder
from knowledge.library import Library
from storage.database import Database
from storage.paths import Home
from storage.settings import KnowledgeSettings, Settings
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from console.bench.report import BenchResult

QDRANT: Final = "DABBA_QDRANT_URL"
"""Names a Qdrant server: then everything is asked there as well."""
THRESHOLD: Final = 0.3
ANSWERED: Final = ">= 0.95"
"""Whoever may hear a word and says it finds it: else no leaks would mean nothing."""


async def run_canaries_bench(
    questions: int, deletions: int, seed: int, tell: Callable[[str], None] = print
) -> BenchResult:
    """In an index of its own in a temporary folder, and on the server that DABBA_QDRANT_URL names.

    Raises StorageError, IndexUnavailable.
    """
    places: dict[str, str | None] = {"": None}
    if url := os.environ.get(QDRANT):
        places["_server"] = url
    figures: dict[str, float | None] = {}
    targets: dict[str, str] = {}
    for suffix, place in places.items():
        tell(f"Asking {'the server at ' + place if place else 'the index in a folder'}.")
        measured = await _measured(place, questions, deletions, seed, tell)
        figures |= {f"{name}{suffix}": value for name, value in measured.items()}
        targets |= {f"{name}{suffix}": target for name, target in _targets(questions, deletions).items()}
    return judge("canaries", figures, targets)


def _targets(questions: int, deletions: int) -> dict[str, str]:
    return {
        "questions": f">= {questions}",
        "leaks": "== 0",
        "own_words_found": ANSWERED,
        "deletions": f">= {deletions}",
        "found_before_deletion": f">= {deletions}",
        "deletions_proven": f">= {deletions}",
        "hits_after_deletion": "== 0",
        "hits_after_restart": "== 0",
    }


async def _measured(
    place: str | None, questions: int, deletions: int, seed: int, tell: Callable[[str], None]
) -> dict[str, float | None]:
    embedder = _embedder()
    with tempfile.TemporaryDirectory(prefix="dabba-canaries-") as name:
        home = Home(Path(name)).make()
        try:
            async with _library(home, place, embedder) as (library, finder, db):
                world = World(library, seed)
                await world.fill()
                asked = await ask_all(library, finder, db, world, questions, seed, tell)
                leaving = await add_all(library, deletions, seed + 1)
                deleted = await delete_all(library, finder, db, leaving, tell)
            async with _library(home, place, embedder) as (library, finder, db):
                deleted.hits_after_restart = await ask_again(library, finder, db, leaving)
        finally:
            if place:
                _drop_collection(place, embedder.name)
    return _figures(asked, deleted)


def _figures(asked: Count, deleted: Deleted) -> dict[str, float | None]:
    return {
        "questions": asked.questions,
        "searches": asked.questions * len(PATHS),
        **{f"leaks_{name}": leaks for name, leaks in asked.leaks.items()},
        **{f"told_something_{name}": told for name, told in asked.heard.items()},
        "leaks": sum(asked.leaks.values()),
        "own_words_asked": asked.allowed,
        "own_words_found": asked.answered / asked.allowed if asked.allowed else None,
        "deletions": deleted.deletions,
        "found_before_deletion": deleted.found_before,
        "deletions_proven": deleted.proven,
        "hits_after_deletion": deleted.hits,
        "hits_after_restart": deleted.hits_after_restart,
    }


@asynccontextmanager
async def _library(
    home: Home, place: str | None, embedder: InstantEmbedder
) -> AsyncGenerator[tuple[Library, Finder, Database]]:
    db = await Database.open(home)
    worker = Worker("bench-words")
    settings = Settings(knowledge=KnowledgeSettings.model_validate({"threshold": THRESHOLD, "qdrant_url": place}))
    try:
        library = await Library.open(db, home, settings, ZoneInfo("Asia/Kolkata"), lambda: embedder)
        try:
            await library.warm()
            yield library, Finder(db, worker, THRESHOLD), db
        finally:
            await library.close()
    finally:
        await worker.aclose()
        await db.close()


def _embedder() -> InstantEmbedder:
    """One whose points lie in a collection of their own, whatever else a server holds."""
    embedder = InstantEmbedder()
    embedder.name = f"canaries-{uuid.uuid4()}"
    return embedder


def _drop_collection(url: str, name: str) -> None:
    from knowledge.point_store_server import client_of

    client = client_of(url)
    client.delete_collection(name)
    client.close()
