"""Points in a folder of this machine: Qdrant's own engine inside this process, with its write-ahead log.

What was written survives the death of the process; `close` and every change of facts make it survive a power cut.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import qdrant_edge as edge

from knowledge.errors import IndexUnavailable
from knowledge.point_answers import hits_of, vector_point_of
from knowledge.point_filter import KEYWORDS, NUMBERS, AnyOf, IdIn, Number, Unlike
from knowledge.point_store import PAGE, SENTENCES, WHOLE, reason_of, translated

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.point_filter import Condition, Conditions, Facts
    from knowledge.point_store import Hit, VectorPoint

_ENGINE = (Exception,)
"""The engine raises the bare class for everything that goes wrong in it."""
_FLUSH_EVERY = 2_000
"""Points: the log of so many is replayed in 0.2 s at the next opening, and a flush costs 0.1 s."""


class EdgeStore:
    """One shard in one folder, which one process may hold."""

    def __init__(self, folder: Path, dim: int) -> None:
        """Open the folder's shard or make it. Raises IndexUnavailable."""
        self._closed = False
        self._unflushed = 0
        there = (folder / "edge_config.json").exists()
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._shard = edge.EdgeShard.load(str(folder)) if there else edge.EdgeShard.create(str(folder), _kind(dim))
            self._index_payload()
            self._shard.optimize()  # room of deleted points is given back; takes no time when there is little
        except _ENGINE as error:
            raise IndexUnavailable(_sentence(folder, error)) from error

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        with translated("written", _ENGINE):
            self._shard.flush()
            self._shard.close()

    def write(self, points: Sequence[VectorPoint]) -> None:
        rows = [
            edge.Point(
                point.point_id,
                {WHOLE: point.whole.tolist(), SENTENCES: point.sentences.tolist()},
                dict(point.facts),
            )
            for point in points
        ]
        self._update(edge.UpdateOperation.upsert_points(rows), len(rows))

    def search(self, question: NDArray[np.float32], findable: Conditions, limit: int) -> list[Hit]:
        vector = question.tolist()
        with translated("searched", _ENGINE):
            found = self._nearest(edge.Query.Nearest(vector, using=WHOLE), findable, limit)
            chosen = (IdIn(frozenset(str(point.id) for point in found)),)
            sentences = self._nearest(edge.Query.Nearest([vector], using=SENTENCES), chosen, len(found))
        return hits_of(found, sentences)

    def count(self, chosen: Conditions) -> int:
        with translated("read", _ENGINE):
            return self._shard.count(edge.CountRequest(exact=True, filter=_filter(chosen)))

    def delete(self, chosen: Conditions) -> None:
        self._update(edge.UpdateOperation.delete_points_by_filter(_filter(chosen)))

    def delete_points(self, point_ids: Sequence[str]) -> None:
        self._update(edge.UpdateOperation.delete_points(list(point_ids)))

    def set_facts(self, chosen: Conditions, facts: Facts) -> None:
        """Durable at once, because nothing would tell after a power cut that a fact is an old one."""
        self._update(edge.UpdateOperation.set_payload_by_filter(_filter(chosen), dict(facts)), _FLUSH_EVERY)

    def facts(self) -> dict[str, Facts]:
        found: dict[str, Facts] = {}
        offset: Any = None
        with translated("read", _ENGINE):
            while True:
                page, offset = self._shard.scroll(
                    edge.ScrollRequest(offset=offset, limit=PAGE, with_payload=True, with_vector=False)
                )
                found.update({str(record.id): record.payload or {} for record in page})
                if offset is None:
                    return found

    def read(self, point_ids: Sequence[str]) -> list[VectorPoint]:
        with translated("read", _ENGINE):
            records = self._shard.retrieve(list(point_ids), with_payload=True, with_vector=True)
        return [vector_point_of(record) for record in records]

    def _nearest(self, query: edge.Query, chosen: Conditions, limit: int) -> list[edge.ScoredPoint]:
        if not limit:
            return []
        request = edge.QueryRequest(
            limit,
            query=query,
            filter=_filter(chosen),
            params=edge.SearchParams(exact=True),
            with_payload=["article_id"],
        )
        return self._shard.query(request)

    def _update(self, operation: edge.UpdateOperation, weight: int = 0) -> None:
        with translated("written", _ENGINE):
            self._shard.update(operation)
            self._unflushed += weight
            if self._unflushed >= _FLUSH_EVERY:
                self._shard.flush()
                self._unflushed = 0

    def _index_payload(self) -> None:
        """Also of a shard whose process died before all were made."""
        known = self._shard.info().payload_schema
        wanted = dict.fromkeys(KEYWORDS, edge.PayloadSchemaType.Keyword)
        wanted |= dict.fromkeys(NUMBERS, edge.PayloadSchemaType.Integer)
        for key, kind in wanted.items():
            if key not in known:
                self._shard.update(edge.UpdateOperation.create_field_index(key, kind))


def _kind(dim: int) -> edge.EdgeConfig:
    """A vector for the whole passage, several for its sentences, which are only read of points already found."""
    sentences = edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim)
    return edge.EdgeConfig(
        vectors={
            WHOLE: edge.EdgeVectorParams(dim, edge.Distance.Cosine),
            SENTENCES: edge.EdgeVectorParams(dim, edge.Distance.Cosine, multivector_config=sentences),
        },
        optimizers=edge.EdgeOptimizersConfig(indexing_threshold=0),  # no graph: it takes minutes and gains nothing yet
        max_search_threads=1,
    )


def _filter(conditions: Conditions) -> edge.Filter:
    return edge.Filter(
        must=[_condition(one) for one in conditions if not isinstance(one, Unlike)],
        must_not=[_condition(one) for one in conditions if isinstance(one, Unlike)],
    )


def _condition(condition: Condition) -> edge.FieldCondition | edge.HasIdCondition:
    match condition:
        case AnyOf(key=key, values=values):
            return edge.FieldCondition(key, match=edge.MatchAny(list(values)))
        case Number(key=key, least=least, most=most):
            return edge.FieldCondition(key, range=edge.RangeFloat(gte=least, lte=most))
        case Unlike(key=key, number=number):
            return edge.FieldCondition(key, match=edge.MatchValue(number))
        case IdIn(point_ids=point_ids):
            return edge.HasIdCondition(set(point_ids))


def _sentence(folder: Path, error: Exception) -> str:
    reason = reason_of(error)
    if isinstance(error, OSError) or "WouldBlock" in reason:
        return f"The article index can't be opened: {reason}. Make room on the disk, or close what else holds {folder}."
    return (
        f"The article index in {folder} is damaged: {reason}. Delete that folder; it is made again from the articles."
    )
