"""The ingest bench: an import beside bare fastembed on the same texts, an unchanged folder, one article replaced, and
how much memory thousands of articles take."""

from __future__ import annotations

import asyncio
import tempfile
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from console.bench.ingest.embedders import InstantEmbedder, NotingEmbedder
from console.bench.ingest.memory import own_mib, slope
from console.bench.ingest.texts import article, sample_sections
from console.bench.report import BenchResult, judge
from console.bench.retrieve.collection import ASKER
from knowledge.embedding import BATCH, MINILM, FastembedEmbedder, threads
from knowledge.embedding_model import embedding_model_folder
from knowledge.library import Library
from storage.database import Database
from storage.paths import Home
from storage.settings import Settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping, Sequence

    from fastembed import TextEmbedding

    from knowledge.embedding import Embedder

    Tell = Callable[[str], None]

ARTICLES: Final = 400
ROUNDS: Final = 8
"""Import and bare fastembed take turns, so that both meet the same load of the machine."""
MANY: Final = 5_000
SAMPLED_EVERY: Final = 250
WARM: Final = 0.2
"""The first fifth of the articles is not in the slope: buffers and caches fill."""
TARGETS: Final[Mapping[str, str]] = {
    "ratio_to_bare_fastembed": ">= 0.9",
    "reimport_embedded": "== 0",
    "reimport_s": "<= 2",
    "replace_s": "<= 3",
    "old_text_hits": "== 0",
    "memory_mib_per_1000_articles": "<= 8",
}
OLD: Final = "House rules of kitchen 7 and the seventh secret canary"


async def run_ingest_bench(home: Home, articles: int, many: int, tell: Tell = print) -> BenchResult:
    """`home` lends its embedding model. Raises ModelMissing, StorageError, IndexUnavailable."""
    with tempfile.TemporaryDirectory(prefix="dabba-ingest-") as name:
        folder = Path(name)
        figures: dict[str, float | None] = await _real(folder, embedding_model_folder(home), articles, tell)
        figures |= await _many(folder, many, tell)
    return judge("ingest", figures, TARGETS)


async def _real(folder: Path, model: Path, articles: int, tell: Tell) -> dict[str, float | None]:
    embedder = NotingEmbedder(FastembedEmbedder(model))
    bare = _bare(model)
    source = folder / "articles"
    speeds = _Speeds()
    async with _library(folder / "real", embedder) as library:
        await library.warm()
        for turn in range(ROUNDS):
            numbers = range(turn * articles // ROUNDS, (turn + 1) * articles // ROUNDS)
            part = await asyncio.to_thread(_write, source / str(turn), numbers)
            await speeds.measure(library, part, embedder, bare)
            tell(f"{numbers.stop} of {articles} articles: {speeds.text()}")
        figures = speeds.figures(articles)
        embedder.noted.clear()
        began = time.perf_counter()
        await library.add_paths(sorted(source.iterdir()), _unheard)
        figures |= {"reimport_s": time.perf_counter() - began, "reimport_embedded": float(len(embedder.noted))}
        figures |= await _replaced(library, source)
    async with _library(folder / "real", embedder) as library:
        figures["old_text_hits"] = (figures["old_text_hits"] or 0) + await _hits(library)
    return figures


class _Speeds:
    """Seconds of imports and of bare fastembed, added up over the rounds."""

    def __init__(self) -> None:
        self.imported_s = self.bare_s = self.sorted_s = 0.0
        self.chunks = self.texts = 0

    async def measure(self, library: Library, part: Path, embedder: NotingEmbedder, bare: TextEmbedding) -> None:
        embedder.noted.clear()
        began = time.perf_counter()
        rows = await library.add_paths([part], _unheard)
        self.imported_s += time.perf_counter() - began
        self.chunks += sum(row.chunks for row in rows)
        texts = tuple(embedder.noted)
        self.texts += len(texts)
        self.bare_s += await asyncio.to_thread(_seconds, bare, texts)
        self.sorted_s += await asyncio.to_thread(_seconds, bare, sorted(texts, key=len))

    def text(self) -> str:
        return f"imported in {self.imported_s:.1f} s, bare fastembed {self.bare_s:.1f} s"

    def figures(self, articles: int) -> dict[str, float | None]:
        return {
            "articles": articles,
            "chunks": self.chunks,
            "texts": self.texts,
            "import_chunks_per_s": self.chunks / self.imported_s,
            "bare_chunks_per_s": self.chunks / self.bare_s,
            "bare_sorted_chunks_per_s": self.chunks / self.sorted_s,
            "ratio_to_bare_fastembed": self.bare_s / self.imported_s,
            "ratio_to_bare_sorted": self.sorted_s / self.imported_s,
        }


async def _replaced(library: Library, source: Path) -> dict[str, float | None]:
    """One article gets another text; from the file's saving to a search that brings the new one and not the old."""
    file = source / "0" / "one.md"
    file.write_text(f"# {OLD}\n\n{OLD} is this sentence.\n", encoding="utf-8")
    await library.add_file(file)
    file.write_text("# House rules of kitchen 7\n\nThe lids of kitchen 7 are blue from now on.\n", encoding="utf-8")
    began = time.perf_counter()
    await library.add_file(file)
    found = await library.retrieve("which colour have the lids of kitchen 7?", ASKER, 5)
    took = time.perf_counter() - began
    served = any("are blue from now on" in passage.text for passage in found.passages)
    return {"replace_s": took if served else None, "old_text_hits": await _hits(library)}


async def _hits(library: Library) -> float:
    found = await library.retrieve(OLD, ASKER, 20)
    return float(sum("canary" in passage.text for passage in found.passages))


async def _many(folder: Path, many: int, tell: Tell) -> dict[str, float | None]:
    """Memory that is this process's own, while many articles come in with vectors that take no time."""
    source = await asyncio.to_thread(_write, folder / "many", range(many))
    memory: list[tuple[int, float]] = []

    def sample(_row: object) -> None:
        nonlocal done
        done += 1
        if done % SAMPLED_EVERY == 0:
            memory.append((done, own_mib()))
            tell(f"{done} of {many} articles: {memory[-1][1]:.0f} MiB")

    done = 0
    began = time.perf_counter()
    async with _library(folder / "instant", InstantEmbedder()) as library:
        await library.add_paths([source], sample)
    took = time.perf_counter() - began
    return {
        "memory_articles": many,
        "memory_mib_per_1000_articles": slope([one for one in memory if one[0] > WARM * many]) * 1000,
        "memory_mib_at_end": memory[-1][1] if memory else None,
        "articles_per_s_without_embedding": many / took,
    }


@asynccontextmanager
async def _library(folder: Path, embedder: Embedder) -> AsyncGenerator[Library]:
    home = Home(folder).make()
    db = await Database.open(home)
    try:
        library = await Library.open(db, home, Settings(), ZoneInfo("Asia/Kolkata"), lambda: embedder)
        try:
            yield library
        finally:
            await library.close()
    finally:
        await db.close()


def _write(folder: Path, numbers: range) -> Path:
    sections = sample_sections()
    folder.mkdir(parents=True)
    for number in numbers:
        (folder / f"{number:05}.md").write_text(article(sections, number), encoding="utf-8")
    return folder


def _bare(model: Path) -> TextEmbedding:
    """fastembed as it is, on the same model with as many threads; the model is registered by now."""
    from fastembed import TextEmbedding

    return TextEmbedding(MINILM, specific_model_path=str(model), threads=threads(), local_files_only=True)


def _seconds(bare: TextEmbedding, texts: Sequence[str]) -> float:
    began = time.perf_counter()
    for _vector in bare.embed(texts, batch_size=BATCH):
        pass
    return time.perf_counter() - began


def _unheard(_row: object) -> None:
    """Nobody looks at single rows here."""
