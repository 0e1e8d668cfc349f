"""What both stores answer with, read alike. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from knowledge.point_store import SENTENCES, WHOLE, Hit, VectorPoint

if TYPE_CHECKING:
    from collections.abc import Sequence


DIGITS = 5


class Record(Protocol):
    """A point as the engine and the server's client give it."""

    @property
    def id(self) -> Any: ...
    @property
    def vector(self) -> Any: ...
    @property
    def payload(self) -> Any: ...


class ScoredRecord(Record, Protocol):
    @property
    def score(self) -> float: ...


def hits_of(found: Sequence[ScoredRecord], sentences: Sequence[ScoredRecord]) -> list[Hit]:
    """Points found by their whole passages, and the same ones scored by their nearest sentence; best first."""
    nearest = {str(record.id): float(record.score) for record in sentences}
    hits = [
        Hit(str(one.id), str(one.payload["article_id"]), float(one.score), nearest.get(str(one.id), float(one.score)))
        for one in found
    ]
    return in_order(hits)


def vector_point_of(record: Record) -> VectorPoint:
    whole, sentences = (np.asarray(record.vector[name], dtype=np.float32) for name in (WHOLE, SENTENCES))
    return VectorPoint(str(record.id), dict(record.payload), whole, sentences)


def in_order(hits: Sequence[Hit]) -> list[Hit]:
    """Best first; equals by their ids. Two engines round the last digits of a cosine differently."""
    return sorted(hits, key=lambda hit: (-round(hit.whole, DIGITS), hit.point_id))
