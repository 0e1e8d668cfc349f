"""Key words that were misspelt: delivry, oder, trakcing."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

SHORTEST = 4
TWO_SLIPS_FROM = 8


class KeyWords:
    """Finds the key word that was meant. A word that is `known` is never taken for another."""

    def __init__(self, keys: Iterable[str], known: AbstractSet[str]) -> None:
        self._known = known
        self._by_letter: dict[str, list[str]] = {}
        for key in keys:
            self._by_letter.setdefault(key[0], []).append(key)
        self.nearest = lru_cache(maxsize=4096)(self._nearest)

    def _nearest(self, word: str) -> str:
        """The key word within one slip of `word` (two in a long one) that begins alike; else `word` itself."""
        if len(word) < SHORTEST or word in self._known or not word.isalpha() or not word.isascii():
            return word
        near = [
            (slips, key)
            for key in self._by_letter.get(word[0], ())
            if abs(len(key) - len(word)) <= _allowed(key) and (slips := slips_between(word, key)) <= _allowed(key)
        ]
        return min(near)[1] if near else word


def _allowed(key: str) -> int:
    return 2 if len(key) >= TWO_SLIPS_FROM else 1


def slips_between(one: str, other: str) -> int:
    """How many letters are wrong, missing, too many or changed places (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, left in enumerate(one, start=1):
        last, before, row = before, row, [i]
        for j, right in enumerate(other, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (left != right))
            if i > 1 and j > 1 and left == other[j - 2] and one[i - 2] == right:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
