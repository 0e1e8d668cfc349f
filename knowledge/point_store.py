"""Points: passages as vectors with the facts that a search filters by, and what a store of them can do.

There are two stores with one schema: `point_store_edge` in a folder and `point_store_server` at a URL. Both block and
belong to the index's one thread; both are heavy to import, this room is not.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Protocol

from knowledge.article import ArticleStatus
from knowledge.errors import IndexUnavailable
from knowledge.language import base_language
from knowledge.point_filter import EVERYBODY

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from knowledge.article import ArticleText
    from knowledge.point_filter import Conditions, Facts

WHOLE = "whole"
SENTENCES = "sentences"
PAGE = 500
"""Points that are read in one go, where all are."""


@dataclass(frozen=True, slots=True)
class Point:
    """A passage to be indexed: what is embedded is `above` in a line and `text` below it. `facts` are filtered by."""

    point_id: str
    above: str
    text: str
    facts: Facts


@dataclass(frozen=True, slots=True)
class VectorPoint:
    """A point as it is stored: unit vectors of the whole passage (`dim` numbers) and of its sentences (a row each).

    `kind` is the name of the VectorKind that they are of, where they were just made.
    """

    point_id: str
    facts: Facts
    whole: NDArray[np.float32]
    sentences: NDArray[np.float32]
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Hit:
    """A point that was found, and cosine similarities to the question, -1 to 1: of the whole passage, and of the
    sentence in it that is nearest."""

    point_id: str
    article_id: str
    whole: float
    nearest: float


class PointStore(Protocol):
    """Points of one embedder. Every method raises IndexUnavailable when the store fails."""

    def write(self, points: Sequence[VectorPoint]) -> None:
        """Keep points; one with the same id is replaced."""
        ...

    def search(self, question: NDArray[np.float32], findable: Conditions, limit: int) -> list[Hit]:
        """The nearest of all points that fulfil the conditions, best first; equals in the order of their ids."""
        ...

    def count(self, chosen: Conditions) -> int: ...
    def delete(self, chosen: Conditions) -> None: ...
    def delete_points(self, point_ids: Sequence[str]) -> None: ...
    def set_facts(self, chosen: Conditions, facts: Facts) -> None:
        """Set these facts and leave others as they are."""
        ...

    def facts(self) -> dict[str, Facts]:
        """The facts of every point, by its id."""
        ...

    def read(self, point_ids: Sequence[str]) -> list[VectorPoint]:
        """Those of the points that are there, with their vectors."""
        ...

    def close(self) -> None:
        """Make everything durable and let go. A second call does nothing."""
        ...


def facts_of(text: ArticleText, article_id: str, generation: int) -> dict[str, object]:
    """What a point carries for the filter. Days are ordinals; no limit is the first or the last day there is."""
    named = [tenant for tenant in text.tenants if tenant != EVERYBODY]
    return {
        "article_id": article_id,
        "generation": generation,
        "status": ArticleStatus.PUBLISHED.value,
        "tenants": named if text.tenants else [EVERYBODY],
        "audience": text.audience.value,
        "language": base_language(text.language),
        "valid_from": (text.valid_from or date.min).toordinal(),
        "valid_to": (text.valid_to or date.max).toordinal(),
    }


@contextmanager
def translated(deed: str, kinds: tuple[type[Exception], ...]) -> Generator[None]:
    """Errors of these kinds as one sentence."""
    try:
        yield
    except kinds as error:
        raise IndexUnavailable(
            f"The article index can't be {deed}: {reason_of(error)}. Make room on the disk or start the Qdrant server."
        ) from error


def reason_of(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else "no reason given"
