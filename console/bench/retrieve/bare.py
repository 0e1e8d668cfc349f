"""What the same filtered search costs without this program: numpy, Qdrant's engine, and qdrant-client's own store."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np
import qdrant_edge as edge
from qdrant_client import QdrantClient, models

from console.bench.retrieve.collection import ASKER, DIM
from knowledge.point_filter import KEYWORDS, NUMBERS, findable, holds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from knowledge.point_store import VectorPoint

    Search = Callable[[NDArray[np.float32]], Sequence[str]]

LIMIT = 24
AT_ONCE = 256


def numpy_scan(points: Sequence[VectorPoint]) -> Search:
    """The filter is looked up beforehand: the least that a search can cost."""
    ids = [point.point_id for point in points]
    matrix = np.stack([point.whole for point in points])
    may = np.array([holds(findable(ASKER, ["en"]), point.facts) for point in points])

    def search(question: NDArray[np.float32]) -> list[str]:
        likeness = np.where(may, matrix @ question, -1)
        best = np.argpartition(likeness, -LIMIT)[-LIMIT:]
        return [ids[at] for at in best[np.argsort(-likeness[best])]]

    return search


def bare_engine(points: Sequence[VectorPoint], folder: Path) -> tuple[Search, Callable[[], None]]:
    """Qdrant's engine with payload indexes, one vector a point; and how it is closed."""
    shard = edge.EdgeShard.create(
        str(folder), edge.EdgeConfig(vectors={"whole": edge.EdgeVectorParams(DIM, edge.Distance.Cosine)})
    )
    for key in KEYWORDS:
        shard.update(edge.UpdateOperation.create_field_index(key, edge.PayloadSchemaType.Keyword))
    for key in NUMBERS:
        shard.update(edge.UpdateOperation.create_field_index(key, edge.PayloadSchemaType.Integer))
    for start in range(0, len(points), AT_ONCE):
        rows = [
            edge.Point(one.point_id, {"whole": one.whole.tolist()}, dict(one.facts))
            for one in points[start : start + AT_ONCE]
        ]
        shard.update(edge.UpdateOperation.upsert_points(rows))
    may = edge.Filter(
        must=[
            edge.FieldCondition("language", match=edge.MatchAny(["en"])),
            edge.FieldCondition("tenants", match=edge.MatchAny(["*", ASKER.tenant_id])),
            edge.FieldCondition("audience", match=edge.MatchAny([ASKER.audience.value])),
            edge.FieldCondition("status", match=edge.MatchAny(["published"])),
            edge.FieldCondition("valid_from", range=edge.RangeFloat(lte=ASKER.on.toordinal())),
            edge.FieldCondition("valid_to", range=edge.RangeFloat(gte=ASKER.on.toordinal())),
        ]
    )

    def search(question: NDArray[np.float32]) -> list[str]:
        request = edge.QueryRequest(
            LIMIT,
            query=edge.Query.Nearest(question.tolist(), using="whole"),
            filter=may,
            params=edge.SearchParams(exact=True),
        )
        return [str(point.id) for point in shard.query(request)]

    return search, shard.close


def bare_client(points: Sequence[VectorPoint]) -> tuple[Search, Callable[[], None]]:
    """qdrant-client without a server, in memory; and how it is closed."""
    client = QdrantClient(":memory:")
    size = models.VectorParams(size=DIM, distance=models.Distance.COSINE)
    client.create_collection("bench", vectors_config=size)
    for start in range(0, len(points), AT_ONCE):
        rows = [
            models.PointStruct(id=one.point_id, vector=one.whole.tolist(), payload=dict(one.facts))
            for one in points[start : start + AT_ONCE]
        ]
        client.upsert("bench", rows)
    day = ASKER.on.toordinal()
    must: list[models.Condition] = [
        models.FieldCondition(key="language", match=models.MatchAny(any=["en"])),
        models.FieldCondition(key="tenants", match=models.MatchAny(any=["*", ASKER.tenant_id])),
        models.FieldCondition(key="audience", match=models.MatchAny(any=[ASKER.audience.value])),
        models.FieldCondition(key="status", match=models.MatchAny(any=["published"])),
        models.FieldCondition(key="valid_from", range=models.Range(lte=day)),
        models.FieldCondition(key="valid_to", range=models.Range(gte=day)),
    ]

    def search(question: NDArray[np.float32]) -> list[str]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it says above 20,000 points that it is slow: that is what is measured
            found = client.query_points(
                "bench", query=question.tolist(), query_filter=models.Filter(must=must), limit=LIMIT
            )
        return [str(point.id) for point in found.points]

    return search, client.close
