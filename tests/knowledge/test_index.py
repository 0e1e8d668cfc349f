from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any, cast

import pytest
from filelock import FileLock
from qdrant_client import QdrantClient, models

from knowledge.article import Asker, Audience
from knowledge.chunking import ChunkLimits
from knowledge.errors import IndexInUse, IndexUnavailable, ModelMissing
from knowledge.index import PassageIndex
from knowledge.point_store import Point, facts_of
from storage.errors import WorkerClosed
from tests.fakes.embedder import WordEmbedder
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from pathlib import Path

    from knowledge.point_store_edge import EdgeStore

LIMITS = ChunkLimits(60, 10)
ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))


def point(number: int, article_id: str = "a", generation: int = 1, **changes: Any) -> Point:
    facts = facts_of(replace(article_text(), **changes), article_id, generation)
    return Point(f"00000000-0000-0000-0000-{number:012d}", "Refunds", f"text {number}", facts)


async def test_that_a_folder_in_use_is_waited_for_and_then_said(tmp_path: Path) -> None:
    with FileLock(tmp_path / "dabba.lock", thread_local=False), pytest.raises(IndexInUse, match="an open console or"):
        await PassageIndex.open(tmp_path, WordEmbedder, LIMITS, wait_s=0.3)


async def test_that_the_folder_is_free_again_after_close_and_after_a_failed_open(tmp_path: Path) -> None:
    def no_model() -> WordEmbedder:
        raise ModelMissing("The embedding model is not installed. Run the set-up.")

    with pytest.raises(ModelMissing):
        await PassageIndex.open(tmp_path, no_model, LIMITS, wait_s=0.3)
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS, wait_s=0.3)
    await index.close()
    await index.close()
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS, wait_s=0.3)
    await index.close()
    with pytest.raises(WorkerClosed):
        await index.point_ids()


def shard(folder: Path) -> Path:
    return folder / "passages-and-sentences-words"


async def test_that_a_damaged_manifest_is_said_with_what_to_do(tmp_path: Path) -> None:
    shard(tmp_path).mkdir()
    (shard(tmp_path) / "vectors.json").write_text("{")
    with pytest.raises(IndexUnavailable, match=r"is damaged.*Delete that folder"):
        await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)


@pytest.mark.parametrize("files", ["edge_config.json", "segments/*/segment.json"])
async def test_that_a_damaged_shard_is_said_with_what_to_do(tmp_path: Path, files: str) -> None:
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    await index.write([point(number) for number in range(20)])
    await index.close()
    for file in shard(tmp_path).glob(files):
        file.write_bytes(b"nothing of the kind " * 99)
    with pytest.raises(IndexUnavailable, match=r"is damaged.*Delete that folder"):
        await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)


async def test_that_vectors_of_two_kinds_never_mix(tmp_path: Path) -> None:
    class Smaller(WordEmbedder):
        dim = 128

    class Other(WordEmbedder):
        name = "other words"

    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    await index.write([point(1)])
    await index.close()
    with pytest.raises(IndexUnavailable, match="holds other vectors than those of words"):
        await PassageIndex.open(tmp_path, Smaller, LIMITS)
    other = await PassageIndex.open(tmp_path, Other, LIMITS)
    assert await other.point_ids() == frozenset()
    assert shard(tmp_path).exists()
    await other.forget_others()
    await other.close()
    assert not shard(tmp_path).exists()


async def test_that_an_unreachable_server_is_said(tmp_path: Path) -> None:
    with pytest.raises(IndexUnavailable, match=r"The article index can't be opened"):
        await PassageIndex.open("http://127.0.0.1:9", WordEmbedder, LIMITS)


async def test_that_points_are_counted_and_deleted_by_generation(tmp_path: Path) -> None:
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    await index.write([point(1), point(2), point(3, generation=2), point(4, "b")])
    assert [await index.count("a", 1), await index.count("a", 2), await index.count("b", 1)] == [2, 1, 1]
    await index.delete_article("a", keep=2)
    assert len(await index.point_ids()) == 2
    await index.delete_article("a", only=1)
    assert len(await index.point_ids()) == 2
    await index.delete_points(["00000000-0000-0000-0000-000000000004"])
    await index.delete_article("a")
    assert await index.point_ids() == frozenset()
    await index.close()


async def test_that_facts_change_what_is_found_without_embedding_again(tmp_path: Path) -> None:
    embedder = WordEmbedder()
    index = await PassageIndex.open(tmp_path, lambda: embedder, LIMITS)
    await index.write([point(1), point(2, generation=2), point(3, "b")])
    embedded = len(embedder.texts)

    async def found() -> list[str]:
        return sorted(hit.point_id[-1] for hit in await index.search("text", ASKER, ["en"], 5))

    await index.set_facts("a", 1, {"status": "retired"})
    assert await found() == ["2", "3"]
    await index.set_facts("a", 1, {"status": "published", "tenants": ["meridian"]})
    assert await found() == ["2", "3"]
    await index.set_facts("a", 1, facts_of(article_text(), "a", 1))
    assert await found() == ["1", "2", "3"]
    await index.close()
    assert len(embedder.texts) == embedded
    again = await PassageIndex.open(tmp_path, lambda: embedder, LIMITS)
    await again.set_facts("a", 2, {"valid_to": date(2026, 11, 29).toordinal()})
    assert sorted(hit.point_id[-1] for hit in await again.search("text", ASKER, ["en"], 5)) == ["1", "3"]
    await again.close()


async def test_that_the_filter_is_part_of_the_search_itself(tmp_path: Path) -> None:
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    await index.write(
        [
            point(1, tenants=("meridian",)),
            point(2, audience=Audience.STAFF),
            point(3, valid_to=date(2026, 11, 29)),
            point(4, language="hi"),
            point(5, tenants=("kamala", "meridian"), valid_from=date(2026, 11, 30), language="en-IN"),
        ]
    )
    hits = await index.search("text 1", ASKER, ["en"], 1)
    assert [hit.point_id[-1] for hit in hits] == ["5"]
    await index.close()


async def test_that_a_hit_tells_how_near_the_passage_and_its_nearest_sentence_are(tmp_path: Path) -> None:
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    whole = replace(point(1), text="Cards take five days. Wallets are quick.")
    await index.write([whole])
    (hit,) = await index.search("Refunds Wallets are quick.", ASKER, ["en"], 5)
    assert hit.nearest == pytest.approx(1, abs=1e-5)
    assert hit.whole < 0.9
    await index.close()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_that_an_index_of_before_is_deleted_when_it_is_told_to_be(tmp_path: Path) -> None:
    size = models.VectorParams(size=WordEmbedder.dim, distance=models.Distance.COSINE)
    older = QdrantClient(path=str(tmp_path))
    older.create_collection("passages-and-sentences-words", vectors_config=size)
    older.close()
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    await index.write([point(1)])
    assert (tmp_path / "collection").exists()
    await index.forget_others()
    await index.close()
    assert names(tmp_path) == ["dabba.lock", "passages-and-sentences-words"]


async def test_that_the_embedder_knows_a_word_that_it_reads_in_one_piece(tmp_path: Path) -> None:
    class Pieces(WordEmbedder):
        def count_tokens(self, text: str) -> int:
            return 2 + len(text) // 5

    index = await PassageIndex.open(tmp_path, Pieces, LIMITS)
    assert await index.known({"lunch", "supercalifragilistic"}) == {"lunch"}
    await index.close()


async def test_that_chunk_limits_never_exceed_what_the_embedder_reads(tmp_path: Path) -> None:
    index = await PassageIndex.open(tmp_path, WordEmbedder, ChunkLimits(5000, 600))
    pieces = await index.chunk(article_text("A sentence of five words. " * 100))
    assert max(piece.tokens for _, piece in pieces) <= WordEmbedder.max_tokens
    await index.close()


async def test_that_a_failing_disk_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    index = await PassageIndex.open(tmp_path, WordEmbedder, LIMITS)
    store = cast("EdgeStore", index._store)

    class Full:
        def update(self, _operation: object) -> None:
            raise Exception("Service runtime error: No space left on device (os error 28)")

    real = store._shard
    monkeypatch.setattr(store, "_shard", Full())
    with pytest.raises(IndexUnavailable, match=r"can't be written: .*No space left.* Make room on the disk"):
        await index.write([point(1)])
    monkeypatch.setattr(store, "_shard", real)
    await index.close()
