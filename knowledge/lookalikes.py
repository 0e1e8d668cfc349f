"""Words that are one slip of the pen away from a word, among many thousands. Pure."""

from __future__ import annotations

from collections import defaultdict

from knowledge.wording import LEAST_LETTERS, one_slip_apart


class Lookalikes:
    """Two words that are one slip apart become the same word when a letter of each, or of one of them, is left out."""

    def __init__(self) -> None:
        self._by_rest: defaultdict[str, list[str]] = defaultdict(list)

    def add(self, word: str) -> None:
        """Words that no slip is mended towards are left out: short ones, numbers, words of other scripts."""
        if len(word) >= LEAST_LETTERS - 1 and word.isascii() and word.isalpha():
            for rest in _rests(word):
                self._by_rest[rest].append(word)

    def of(self, word: str) -> set[str]:
        near = {own for rest in _rests(word) for own in self._by_rest.get(rest, ())}
        return {own for own in near if one_slip_apart(own, word)}


def _rests(word: str) -> set[str]:
    """The word, and what is left of it without one of its letters."""
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}
