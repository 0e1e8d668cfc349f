"""How like two questions are by their letters: pieces of words, weighted by how rare they are. Any script."""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from engine_host.answering.signs import spelt_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SHORTEST, LONGEST = 2, 4
KEPT = 4096


class LetterLikeness:
    """Holds a question against `texts`: the cosine of their weighted pieces."""

    def __init__(self, texts: Sequence[str]) -> None:
        """Takes some 0.2 s for 3,000 questions."""
        import numpy as np

        counted = [pieces(text) for text in texts]
        self._numbers = {piece: number for number, piece in enumerate({piece for one in counted for piece in one})}
        self._size = len(texts)
        numbers = np.array([self._numbers[piece] for one in counted for piece in one], dtype=np.intp)
        counts = np.array([count for one in counted for count in one.values()], dtype=np.float32)
        rows = np.repeat(np.arange(self._size), [len(one) for one in counted])
        self._rarity = np.log(self._size / np.bincount(numbers, minlength=len(self._numbers))).astype(np.float32)
        weights = (1 + np.log(counts)) * self._rarity[numbers]
        lengths = np.sqrt(np.bincount(rows, weights=weights**2, minlength=self._size))
        weights = (weights / np.maximum(lengths[rows], 1e-9)).astype(np.float32)
        by_piece = np.argsort(numbers, kind="stable")
        self._rows, self._weights = rows[by_piece], weights[by_piece]
        self._starts = np.searchsorted(numbers[by_piece], np.arange(len(self._numbers) + 1))

    def to(self, text: str) -> NDArray[np.float32]:
        """One number from 0 to 1 a text."""
        import numpy as np

        likeness = np.zeros(self._size, dtype=np.float32)
        for piece, weight in self._weighted(pieces(text)).items():
            if (number := self._numbers.get(piece)) is not None:
                here = slice(self._starts[number], self._starts[number + 1])
                likeness[self._rows[here]] += np.float32(weight) * self._weights[here]
        return likeness

    def _weighted(self, counted: Counter[str]) -> dict[str, float]:
        unseen = math.log(max(self._size, 1))
        weights = {
            piece: (1 + math.log(count))
            * (float(self._rarity[self._numbers[piece]]) if piece in self._numbers else unseen)
            for piece, count in counted.items()
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {piece: weight / length for piece, weight in weights.items()} if length else {}


@lru_cache(maxsize=KEPT)
def pieces(text: str) -> Counter[str]:
    """Runs of 2 to 4 letters within words, and pairs of words. Kept: not to be changed."""
    words = spelt_words(text).split()
    padded = [f" {word} " for word in words]
    runs = [
        word[at : at + size]
        for word in padded
        for size in range(SHORTEST, LONGEST + 1)
        for at in range(len(word) - size + 1)
    ]
    return Counter(runs + [f"{one} {other}" for one, other in pairwise(words)])
