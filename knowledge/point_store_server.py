"""Points on a Qdrant server, in the same schema as in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from qdrant_client import QdrantClient, models
from qdrant_client.http.exceptions import ApiException

from knowledge.point_answers import hits_of, vector_point_of
from knowledge.point_filter import KEYWORDS, NUMBERS, AnyOf, IdIn, Number, Unlike
from knowledge.point_store import PAGE, SENTENCES, WHOLE, translated

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.point_filter import Condition, Conditions, Facts
    from knowledge.point_store import Hit, VectorPoint

TIMEOUT_S = 10
_SERVER = (ApiException, OSError, ValueError)


class ServerStore:
    """One collection of a server."""

    def __init__(self, client: QdrantClient, collection: str, dim: int) -> None:
        """Open or make the collection, with its payload indexes. Raises IndexUnavailable."""
        self._client = client
        self._collection = collection
        with translated("opened", _SERVER):
            if not client.collection_exists(collection):
                client.create_collection(collection, vectors_config=_kind(dim))
            self._index_payload()

    def close(self) -> None:
        self._client.close()

    def write(self, points: Sequence[VectorPoint]) -> None:
        rows = [
            models.PointStruct(
                id=point.point_id,
                vector={WHOLE: point.whole.tolist(), SENTENCES: point.sentences.tolist()},
                payload=dict(point.facts),
            )
            for point in points
        ]
        with translated("written", _SERVER):
            self._client.upsert(self._collection, rows, wait=True)

    def search(self, question: NDArray[np.float32], findable: Conditions, limit: int) -> list[Hit]:
        vector = question.tolist()
        with translated("searched", _SERVER):
            found = self._nearest(vector, WHOLE, findable, limit)
            chosen = (IdIn(frozenset(str(point.id) for point in found)),)
            sentences = self._nearest([vector], SENTENCES, chosen, len(found))
        return hits_of(found, sentences)

    def count(self, chosen: Conditions) -> int:
        with translated("read", _SERVER):
            return self._client.count(self._collection, count_filter=_filter(chosen), exact=True).count

    def delete(self, chosen: Conditions) -> None:
        with translated("written", _SERVER):
            self._client.delete(self._collection, points_selector=models.FilterSelector(filter=_filter(chosen)))

    def delete_points(self, point_ids: Sequence[str]) -> None:
        with translated("written", _SERVER):
            self._client.delete(self._collection, points_selector=models.PointIdsList(points=list(point_ids)))

    def set_facts(self, chosen: Conditions, facts: Facts) -> None:
        with translated("written", _SERVER):
            self._client.set_payload(
                self._collection, dict(facts), points=models.FilterSelector(filter=_filter(chosen)), wait=True
            )

    def facts(self) -> dict[str, Facts]:
        found: dict[str, Facts] = {}
        offset: Any = None
        with translated("read", _SERVER):
            while True:
                page, offset = self._client.scroll(
                    self._collection, limit=PAGE, offset=offset, with_payload=True, with_vectors=False
                )
                found.update({str(record.id): record.payload or {} for record in page})
                if offset is None:
                    return found

    def read(self, point_ids: Sequence[str]) -> list[VectorPoint]:
        with translated("read", _SERVER):
            records = self._client.retrieve(
                self._collection, list(point_ids), with_payload=True, with_vectors=[WHOLE, SENTENCES]
            )
        return [vector_point_of(record) for record in records]

    def _nearest(
        self, query: list[float] | list[list[float]], using: str, chosen: Conditions, limit: int
    ) -> list[models.ScoredPoint]:
        if not limit:
            return []
        found = self._client.query_points(
            self._collection,
            query=query,
            using=using,
            query_filter=_filter(chosen),
            limit=limit,
            search_params=models.SearchParams(exact=True),
            with_payload=["article_id"],
        )
        return found.points

    def _index_payload(self) -> None:
        known = self._client.get_collection(self._collection).payload_schema
        wanted = dict.fromkeys(KEYWORDS, models.PayloadSchemaType.KEYWORD)
        wanted |= dict.fromkeys(NUMBERS, models.PayloadSchemaType.INTEGER)
        for key, kind in wanted.items():
            if key not in known:
                self._client.create_payload_index(self._collection, key, kind, wait=True)


def client_of(url: str) -> QdrantClient:
    """A client that never sends what is meant for this machine through a proxy."""
    here = urlsplit(url).hostname in {"localhost", "127.0.0.1", "::1"}
    return QdrantClient(url=url, timeout=TIMEOUT_S, check_compatibility=False, trust_env=not here)


def _kind(dim: int) -> dict[str, models.VectorParams]:
    """A vector for the whole passage, several for its sentences, which are only read of points already found."""
    return {
        WHOLE: models.VectorParams(size=dim, distance=models.Distance.COSINE),
        SENTENCES: models.VectorParams(
            size=dim,
            distance=models.Distance.COSINE,
            multivector_config=models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM),
            hnsw_config=models.HnswConfigDiff(m=0),
        ),
    }


def _filter(conditions: Conditions) -> models.Filter:
    return models.Filter(
        must=[_condition(one) for one in conditions if not isinstance(one, Unlike)],
        must_not=[_condition(one) for one in conditions if isinstance(one, Unlike)],
    )


def _condition(condition: Condition) -> models.FieldCondition | models.HasIdCondition:
    match condition:
        case AnyOf(key=key, values=values):
            return models.FieldCondition(key=key, match=models.MatchAny(any=list(values)))
        case Number(key=key, least=least, most=most):
            return models.FieldCondition(key=key, range=models.Range(gte=least, lte=most))
        case Unlike(key=key, number=number):
            return models.FieldCondition(key=key, match=models.MatchValue(value=number))
        case IdIn(point_ids=point_ids):
            return models.HasIdCondition(has_id=sorted(point_ids))
