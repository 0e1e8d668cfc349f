"""What a search by words found, best first or one by one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from knowledge.words import keys_of_passage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


class Rows(Protocol):
    """The index that was searched."""

    @property
    def refs(self) -> Sequence[str]: ...
    def row_of(self, ref: str) -> int | None: ...
    def group_of(self, row: int) -> str: ...


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A passage that shares words with a question.

    `rank` is its BM25 score, to order by. `coverage` is 0 to 1: the cosine between the question's words, weighted by
    how rare they are, and those of them that the passage has. 1 = every content word is there.
    """

    ref: str
    group: str
    rank: float
    coverage: float


class Matches:
    """What a question's words found: every passage of the search, best first or one by one."""

    def __init__(
        self,
        index: Rows,
        ranks: NDArray[np.float64],
        covered: NDArray[np.float64],
        weights: Sequence[tuple[tuple[str, ...], float]],
    ) -> None:
        """`weights` are the question's words, each with how rare it is, squared."""
        self._index = index
        self._ranks = ranks
        self._covered = covered
        self._weights = weights
        self._whole = sum(weight for _, weight in weights)

    def best(self, limit: int) -> list[WordMatch]:
        """Those that share a word, best first. Ties are in the order of the references."""
        rows = np.flatnonzero(self._ranks)
        if len(rows) > limit:
            least = np.partition(self._ranks[rows], len(rows) - limit)[len(rows) - limit]
            rows = rows[self._ranks[rows] >= least]  # all of the last rank, which their references decide
        refs = self._index.refs
        listed = sorted(rows.tolist(), key=lambda row: (-self._ranks[row], refs[row]))[:limit]
        return [
            WordMatch(refs[row], self._index.group_of(row), float(self._ranks[row]), self._share(row)) for row in listed
        ]

    def coverage(self, ref: str) -> float:
        """Of a passage that was not searched, or shares no word: 0."""
        row = self._index.row_of(ref)
        return 0.0 if row is None or row >= len(self._covered) else self._share(row)

    def coverage_of(self, text: str) -> float:
        """Of any passage, also one that was not searched; `text` with its title and headings."""
        keys = {key for keys in keys_of_passage(text) for key in keys}
        shared = sum(weight for alternatives, weight in self._weights if keys.intersection(alternatives))
        return math.sqrt(shared / self._whole) if self._whole else 0.0

    def rank(self, ref: str) -> float:
        row = self._index.row_of(ref)
        return 0.0 if row is None or row >= len(self._ranks) else float(self._ranks[row])

    def _share(self, row: int) -> float:
        return math.sqrt(self._covered[row] / self._whole) if self._whole else 0.0
