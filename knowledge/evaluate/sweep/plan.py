"""What a sweep tries. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Final

from knowledge.evaluate.asking import DEPTH
from knowledge.ranking import Way

if TYPE_CHECKING:
    from storage.settings import KnowledgeSettings

MOST_TEXTS: Final = 40_000
"""About a quarter of an hour of embedding with the bundled model on two cores."""


@dataclass(frozen=True, slots=True)
class Cutting:
    """How articles are cut, in the embedder's tokens: each needs an index of its own."""

    chunk_tokens: int
    overlap: int

    def __str__(self) -> str:
        return f"{self.chunk_tokens} tokens, overlap {self.overlap}"


@dataclass(frozen=True, slots=True)
class Setting:
    """A cutting, and how many passages are taken from which way of searching."""

    cutting: Cutting
    way: Way
    k: int

    def __str__(self) -> str:
        return f"{self.cutting}, {self.way}, {self.k} passages"


@dataclass(frozen=True, slots=True)
class SweepPlan:
    """Every combination is tried. `most_texts` bounds what is embedded: a cutting that would pass it is left out."""

    chunk_tokens: tuple[int, ...] = (50, 100, 150, 250)
    overlaps: tuple[int, ...] = (0, 30)
    ks: tuple[int, ...] = (1, 2, 3, 4, 5, 8)
    ways: tuple[Way, ...] = tuple(Way)
    most_texts: int = MOST_TEXTS

    def __post_init__(self) -> None:
        if not all(1 <= k <= DEPTH for k in self.ks):
            raise ValueError(f"passages must be 1 to {DEPTH}")
        if not (self.chunk_tokens and self.overlaps and self.ks and self.ways):
            raise ValueError("a sweep needs at least one value of each kind")

    def cuttings(self, current: Cutting, most_tokens: int) -> tuple[Cutting, ...]:
        """Those to try, the current one first. A piece is never longer than the embedder reads."""
        tried = (Cutting(*pair) for pair in product(self.chunk_tokens, self.overlaps))
        limited = (Cutting(min(one.chunk_tokens, most_tokens), one.overlap) for one in (current, *tried))
        return tuple(dict.fromkeys(one for one in limited if one.overlap < one.chunk_tokens))

    def taken(self, current: int) -> tuple[int, ...]:
        """How many passages to take, the current number among them."""
        return tuple(sorted({*self.ks, min(current, DEPTH)}))


def current_cutting(settings: KnowledgeSettings) -> Cutting:
    return Cutting(settings.chunk_tokens, settings.chunk_overlap)
