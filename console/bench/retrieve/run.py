"""The retrieve bench: questions against made-up collections with every filter on, branch by branch."""

from __future__ import annotations

import tempfile
import time
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Final

from console.bench.report import BenchResult, judge
from console.bench.retrieve.bare import bare_client, bare_engine, numpy_scan
from console.bench.retrieve.collection import ASKER, Writer, collection
from knowledge.chunking import ChunkLimits
from knowledge.embedding import BATCH, FastembedEmbedder
from knowledge.embedding_model import embedding_model_folder
from knowledge.finding import Finder
from knowledge.index import PassageIndex
from knowledge.ranking import by_meaning_and_words
from knowledge.retrieve import NEAREST, SHARING, Search, Shelf, fused, held_against_words
from storage.database import Database
from storage.paths import Home
from storage.queries.articles import upsert_article
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray
    from sqlalchemy.orm import Session

    from console.bench.retrieve.collection import Made
    from knowledge.point_store import VectorPoint

SIZES: Final = (2_000, 20_000)
QUESTIONS: Final = 100
BARE_CLIENT_QUESTIONS: Final = 20
LIMIT: Final = 5
THRESHOLD: Final = 0.47
TARGETS: Final[Mapping[str, str]] = {"total_p95_2000": "<= 25", "total_p95_20000": "<= 60"}


class Rooms:
    """What a search of the library works with, without the library around it."""

    def __init__(self, db: Database, index: PassageIndex, worker: Worker) -> None:
        self.db = db
        self.index = index
        self.worker = worker
        self.finder = Finder(db, worker, THRESHOLD)


async def run_retrieve_bench(
    home: Home, sizes: Sequence[int] = SIZES, tell: Callable[[str], None] = print
) -> BenchResult:
    """`home` lends its embedding model. Raises ModelMissing, StorageError, IndexUnavailable."""
    figures: dict[str, float | None] = {}
    for size in sizes:
        figures |= await _of_size(home, size, tell)
    return judge("retrieve", figures, {name: target for name, target in TARGETS.items() if _size_of(name) in sizes})


def figures_of(times: Mapping[str, Sequence[float]], size: int) -> dict[str, float | None]:
    """Milliseconds: the median and the slow end of every step."""
    figures: dict[str, float | None] = {}
    for step, measured in times.items():
        cuts = quantiles(measured, n=20)
        figures |= {f"{step}_p50_{size}": round(cuts[9], 2), f"{step}_p95_{size}": round(cuts[18], 2)}
    return figures


def _size_of(target: str) -> int:
    return int(target.rsplit("_", 1)[1])


async def _of_size(home: Home, size: int, tell: Callable[[str], None]) -> dict[str, float | None]:
    tell(f"Making a collection of {size:,} chunks.")
    made = list(collection(size))
    points = [point for one in made for point in one.points]
    with tempfile.TemporaryDirectory(prefix="dabba-retrieve-") as folder:
        async with _rooms(home, Path(folder), made) as rooms:
            tell(f"Asking {QUESTIONS} questions.")
            began = time.perf_counter()
            await rooms.finder.catalogue()
            words_s = time.perf_counter() - began
            times = await _ask(rooms, Writer(size))
        times |= _bare(points, Path(folder) / "bare")
    return {f"words_made_s_{size}": round(words_s, 2), **figures_of(times, size)}


@asynccontextmanager
async def _rooms(home: Home, folder: Path, made: Sequence[Made]) -> AsyncGenerator[Rooms]:
    db = await Database.open(Home(folder / "home").make())
    worker = Worker("bench-words")
    load = partial(FastembedEmbedder, embedding_model_folder(home))
    try:
        index = await PassageIndex.open(folder / "vectors", load, ChunkLimits(200, 30))
        try:
            await db.run(partial(_keep, made))
            points = [point for one in made for point in one.points]
            for start in range(0, len(points), BATCH):
                await index.store(points[start : start + BATCH])
            yield Rooms(db, index, worker)
        finally:
            await index.close()
    finally:
        await worker.aclose()
        await db.close()


def _keep(made: Sequence[Made], session: Session) -> None:
    for one in made:
        upsert_article(session, one.row, one.chunks)


async def _ask(rooms: Rooms, writer: Writer) -> dict[str, list[float]]:
    """Step by step for one half of the questions, as a whole for the other: an embedder remembers what it was asked."""
    times: dict[str, list[float]] = {"embed": [], "dense": [], "words": [], "fuse": [], "total": []}
    for _ in range(5):
        await rooms.finder.retrieve(rooms.index, writer.question(), ASKER, LIMIT)
    for _ in range(QUESTIONS):
        for step, ms in (await _step_by_step(rooms, writer.question())).items():
            times[step].append(ms)
        question = writer.question()
        began = time.perf_counter()
        await rooms.finder.retrieve(rooms.index, question, ASKER, LIMIT)
        times["total"].append(_since(began))
    return times


async def _step_by_step(rooms: Rooms, question: str) -> dict[str, float]:
    catalogue = await rooms.finder.catalogue()
    shelf = Shelf(rooms.db, rooms.index, catalogue, rooms.worker)
    search = Search(question, ASKER, catalogue.view(ASKER), LIMIT, THRESHOLD)
    began = time.perf_counter()
    held = await held_against_words(shelf, search, "en", SHARING)
    words = _since(began)
    began = time.perf_counter()
    await rooms.index.meaning(held.question)
    embed = _since(began)
    began = time.perf_counter()
    also = [match.ref for match in held.best]
    hits = await rooms.index.search(held.question, ASKER, ("en",), NEAREST, also=also)
    dense = _since(began)
    began = time.perf_counter()
    ranked = by_meaning_and_words(hits, held.matches.coverage, search.view.articles)
    await fused(shelf, search, [ranked])
    return {"words": words, "embed": embed, "dense": dense, "fuse": _since(began)}


def _bare(points: Sequence[VectorPoint], folder: Path) -> dict[str, list[float]]:
    writer = Writer(7)
    numpy = _timed(numpy_scan(points), writer.vectors(QUESTIONS))
    folder.mkdir()
    search, close = bare_engine(points, folder)
    engine = _timed(search, writer.vectors(QUESTIONS))
    close()
    search, close = bare_client(points)
    client = _timed(search, writer.vectors(BARE_CLIENT_QUESTIONS))
    close()
    return {"bare_numpy": numpy, "bare_engine": engine, "bare_client": client}


def _timed(search: Callable[[NDArray[np.float32]], Sequence[str]], questions: NDArray[np.float32]) -> list[float]:
    search(questions[0])
    times: list[float] = []
    for question in questions:
        began = time.perf_counter()
        search(question)
        times.append(_since(began))
    return times


def _since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
