"""How like two questions are by their letters: pieces of words, weighted by how rare they are. Any script."""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from engine_host.answering.signs import spelt_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

SHORTEST, LONGEST = 2, 4


class LetterLikeness:
    """Holds a question against `texts`: the cosine of their weighted pieces."""

    def __init__(self, texts: Sequence[str]) -> None:
        counted = [pieces(text) for text in texts]
        seen = Counter(piece for one in counted for piece in one)
        self._size = len(texts)
        self._rarity = {piece: math.log(self._size / count) for piece, count in seen.items()}
        self._unseen = math.log(max(self._size, 1))
        places: dict[str, list[tuple[int, float]]] = {}
        for row, one in enumerate(counted):
            for piece, weight in self._weighted(one).items():
                places.setdefault(piece, []).append((row, weight))
        self._places = {piece: _columns(found) for piece, found in places.items()}

    def to(self, text: str) -> NDArray[np.float32]:
        """One number from 0 to 1 a text."""
        import numpy as np

        likeness = np.zeros(self._size, dtype=np.float32)
        for piece, weight in self._weighted(pieces(text)).items():
            if piece in self._places:
                rows, weights = self._places[piece]
                likeness[rows] += weight * weights
        return likeness

    def _weighted(self, counted: Counter[str]) -> dict[str, float]:
        weights = {
            piece: (1 + math.log(count)) * self._rarity.get(piece, self._unseen) for piece, count in counted.items()
        }
        length = math.sqrt(sum(weight * weight for weight in weights.values()))
        return {piece: weight / length for piece, weight in weights.items()} if length else {}


def pieces(text: str) -> Counter[str]:
    """Runs of 2 to 4 letters within words, and pairs of words."""
    words = spelt_words(text).split()
    found: Counter[str] = Counter(f"{one} {other}" for one, other in pairwise(words))
    for word in words:
        padded = f" {word} "
        for size in range(SHORTEST, LONGEST + 1):
            found.update(padded[at : at + size] for at in range(len(padded) - size + 1))
    return found


def _columns(found: Sequence[tuple[int, float]]) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    import numpy as np

    return np.array([row for row, _ in found], dtype=np.intp), np.array([weight for _, weight in found], np.float32)
