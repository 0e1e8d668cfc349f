"""Passages as points in Qdrant, through LlamaIndex. Everything here blocks and belongs to the index's one thread.

Importing it imports LlamaIndex and Qdrant: about three seconds.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import numpy as np
from llama_index.core.vector_stores.types import VectorStoreQuery
from llama_index.vector_stores.qdrant import QdrantVectorStore  # pyright: ignore[reportMissingTypeStubs]
from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException

from knowledge.article import ArticleStatus
from knowledge.chunking import embedded_sentences
from knowledge.embedding import BATCH
from knowledge.errors import IndexUnavailable
from knowledge.language import base_language
from knowledge.llama_parts import LlamaEmbedding, Point, node_of
from knowledge.permission import readable_audiences

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from pathlib import Path

    from knowledge.article import ArticleText, Asker
    from knowledge.embedding import Embedder

EVERYBODY = "*"
PAGE = 1000
SERVER_TIMEOUT_S = 10
KEYWORDS = ("article_id", "status", "tenants", "audience", "language")
WHOLE = "whole"
SENTENCES = "sentences"
NUMBERS = ("generation", "valid_from", "valid_to")


@dataclass(frozen=True, slots=True)
class Hit:
    """A point that was found, and cosine similarities to the question, -1 to 1: of the whole passage, and of the
    sentence in it that is nearest."""

    point_id: str
    article_id: str
    whole: float
    nearest: float


def facts_of(text: ArticleText, article_id: str, generation: int) -> dict[str, object]:
    """What a point carries for the filter. Days are ordinals; no limit is the first or the last day there is."""
    return {
        "article_id": article_id,
        "generation": generation,
        "status": ArticleStatus.PUBLISHED.value,
        "tenants": list(text.tenants) or [EVERYBODY],
        "audience": text.audience.value,
        "language": base_language(text.language),
        "valid_from": (text.valid_from or date.min).toordinal(),
        "valid_to": (text.valid_to or date.max).toordinal(),
    }


def filter_for(asker: Asker, languages: Sequence[str]) -> models.Filter:
    """What this asker may find in these languages. A point that lacks a field is never found."""
    day = asker.on.toordinal()
    audiences = [audience.value for audience in readable_audiences(asker.audience)]
    return models.Filter(
        must=[
            _any_of("language", list(languages)),  # an embedded Qdrant tests them one by one: the rarest first
            _any_of("tenants", [EVERYBODY, asker.tenant_id]),
            _any_of("audience", audiences),
            _any_of("status", [ArticleStatus.PUBLISHED.value]),
            models.FieldCondition(key="valid_from", range=models.Range(lte=day)),
            models.FieldCondition(key="valid_to", range=models.Range(gte=day)),
        ]
    )


def _any_of(key: str, values: list[str]) -> models.FieldCondition:
    return models.FieldCondition(key=key, match=models.MatchAny(any=values))


@contextmanager
def _translated(deed: str) -> Generator[None]:
    try:
        yield
    except (ApiException, sqlite3.Error, OSError) as error:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else "no reason given"
        raise IndexUnavailable(
            f"The article index can't be {deed}: {reason}. Make room on the disk or start the Qdrant server."
        ) from error


def _damaged(place: Path | str, error: Exception) -> IndexUnavailable:
    return IndexUnavailable(
        f"The article index in {place} is damaged: {error}. Delete that folder; it is made again from the articles."
    )


class PointStore:
    """One collection of one embedder. Embedded in a folder, which one process may hold, or on a Qdrant server."""

    def __init__(self, place: Path | str, embedder: Embedder) -> None:
        """Open or make the collection. `place` is a folder or a URL. Raises IndexUnavailable."""
        self.embedder = embedder
        # The name says what is embedded: another way needs another name, and `repair` then writes every article anew.
        self._collection = f"passages-and-sentences-{embedder.name}".lower()
        self._embedding = LlamaEmbedding(embedder, BATCH)
        embedded = not isinstance(place, str)
        with _translated("opened"):
            try:
                self._client = _server(place) if isinstance(place, str) else QdrantClient(path=str(place))
            except (ValueError, KeyError, EOFError) as error:
                raise _damaged(place, error) from error
            except sqlite3.DatabaseError as error:
                if isinstance(error, sqlite3.OperationalError):  # locked or full: the file itself may be whole
                    raise
                raise _damaged(place, error) from error
            if not self._client.collection_exists(self._collection):
                self._make_collection(with_indexes=not embedded)
            self._client.delete_collection(f"passages-{embedder.name}".lower())  # before sentences were embedded
            # index_doc_id and payload indexes do nothing in an embedded Qdrant but warn
            self._store = QdrantVectorStore(
                self._collection, client=self._client, index_doc_id=False, dense_vector_name=WHOLE
            )

    def close(self) -> None:
        self._client.close()

    def write(self, points: Sequence[Point]) -> None:
        """Embed and keep points; one with the same id is replaced. Raises TextTooLong, IndexUnavailable."""
        nodes = self._embedding([node_of(point) for point in points])
        sentences = [self.embedder.embed(embedded_sentences(point.above, point.text)) for point in points]
        with _translated("written"):
            self._store.add(list(nodes))
            self._client.update_vectors(
                self._collection,
                [
                    models.PointVectors(id=point.point_id, vector={SENTENCES: rows.tolist()})
                    for point, rows in zip(points, sentences, strict=True)
                ],
            )

    def search(self, question: str, asker: Asker, languages: Sequence[str], limit: int) -> list[Hit]:
        """The nearest passages that the asker may see, best first."""
        vector = self._embedding.get_query_embedding(question)
        with _translated("searched"):
            found = self._store.query(
                VectorStoreQuery(query_embedding=vector, similarity_top_k=limit),
                qdrant_filters=filter_for(asker, languages),
            )
            nodes, scores = found.nodes or [], found.similarities or []
            nearest = self._nearest_sentences(vector, [node.node_id for node in nodes])
        return [
            Hit(node.node_id, str(node.metadata["article_id"]), float(score), nearest.get(node.node_id, float(score)))
            for node, score in zip(nodes, scores, strict=True)
        ]

    def _nearest_sentences(self, question: Sequence[float], point_ids: Sequence[str]) -> dict[str, float]:
        """How near the nearest sentence of each passage is to the question."""
        records = self._client.retrieve(self._collection, point_ids, with_payload=False, with_vectors=[SENTENCES])
        found: dict[str, float] = {}
        for record in records:
            if isinstance(record.vector, dict) and (rows := record.vector.get(SENTENCES)):
                found[str(record.id)] = float(np.max(np.asarray(rows, dtype=np.float32) @ np.asarray(question)))
        return found

    def count(self, article_id: str, generation: int) -> int:
        chosen = models.Filter(must=[_any_of("article_id", [article_id]), _generation(generation)])
        with _translated("read"):
            return self._client.count(self._collection, count_filter=chosen, exact=True).count

    def delete_article(self, article_id: str, *, keep: int | None = None, only: int | None = None) -> None:
        """Delete the article's points: all, all but those of generation `keep`, or those of generation `only`."""
        chosen = models.Filter(
            must=[_any_of("article_id", [article_id]), *([] if only is None else [_generation(only)])],
            must_not=None if keep is None else [_generation(keep)],
        )
        with _translated("written"):
            self._client.delete(self._collection, points_selector=models.FilterSelector(filter=chosen))

    def set_facts(self, article_id: str, generation: int, facts: Mapping[str, object]) -> None:
        """Set these facts on the points of that generation, and leave others as they are. Nothing is embedded."""
        chosen = models.Filter(must=[_any_of("article_id", [article_id]), _generation(generation)])
        with _translated("written"):
            self._client.set_payload(self._collection, dict(facts), points=models.FilterSelector(filter=chosen))

    def delete_points(self, point_ids: Sequence[str]) -> None:
        with _translated("written"):
            self._client.delete(self._collection, points_selector=models.PointIdsList(points=list(point_ids)))

    def point_ids(self) -> frozenset[str]:
        """The ids of every point of the collection."""
        found: set[str] = set()
        offset = None
        with _translated("read"):
            while True:
                page, offset = self._client.scroll(
                    self._collection, limit=PAGE, offset=offset, with_payload=False, with_vectors=False
                )
                found.update(str(record.id) for record in page)
                if offset is None:
                    return frozenset(found)

    def _vector(self, *, several: bool = False) -> models.VectorParams:
        """One vector a point, or several that are only read of points already found: those need no graph."""
        return models.VectorParams(
            size=self.embedder.dim,
            distance=models.Distance.COSINE,
            multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
            if several
            else None,
            hnsw_config=models.HnswConfigDiff(m=0) if several else None,
        )

    def _make_collection(self, *, with_indexes: bool) -> None:
        vectors = {WHOLE: self._vector(), SENTENCES: self._vector(several=True)}
        self._client.create_collection(self._collection, vectors_config=vectors)
        if not with_indexes:
            return
        for key in KEYWORDS:
            self._client.create_payload_index(self._collection, key, models.PayloadSchemaType.KEYWORD)
        for key in NUMBERS:
            self._client.create_payload_index(self._collection, key, models.PayloadSchemaType.INTEGER)


def _server(url: str) -> QdrantClient:
    """A client that never sends what is meant for this machine through a proxy."""
    here = urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
    return QdrantClient(url=url, timeout=SERVER_TIMEOUT_S, check_compatibility=False, trust_env=not here)


def _generation(generation: int) -> models.FieldCondition:
    return models.FieldCondition(key="generation", match=models.MatchValue(value=generation))
