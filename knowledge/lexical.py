"""Search by words: BM25 over the passages an asker may see, and how much of the question each covers. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.wording import may_be_a_slip, one_slip_apart
from knowledge.words import keys_of_passage, words_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from collections.abc import Set as AbstractSet

# The usual constants; b is lower than 0.75 because passages are of one size already.
K1 = 1.2
B = 0.6


@dataclass(frozen=True, slots=True)
class WordMatch:
    """A passage that shares words with a question.

    `rank` is its BM25 score, to order by. `coverage` is 0 to 1: the cosine between the question's words, weighted by
    how rare they are, and those of them that the passage has. 1 = every content word is there.
    """

    ref: str
    rank: float
    coverage: float


class WordIndex:
    """Passages by their words. Made once for a set of passages, then only read."""

    def __init__(self, passages: Iterable[tuple[str, str]]) -> None:
        """`passages` are pairs of a reference and the text with its title and headings."""
        self._postings: dict[str, dict[str, int]] = defaultdict(dict)
        self._lengths: dict[str, int] = {}
        self._spelled: dict[str, set[str]] = defaultdict(set)
        for ref, text in passages:
            for word in words_of(text):
                self._spelled[word].add(ref)
            words = keys_of_passage(text)
            self._lengths[ref] = len(words)
            for key, count in Counter(key for keys in words for key in set(keys)).items():
                self._postings[key][ref] = count

    def search(self, question: Sequence[tuple[str, ...]], allowed: Collection[str], limit: int) -> list[WordMatch]:
        """The best matches among the `allowed` for a question's words (see `keys_of_question`), best first.

        How rare a word is, too, is counted among the allowed passages only. Ties are in the order of the references.
        """
        here = {ref: length for ref, length in self._lengths.items() if ref in allowed}
        if not here:
            return []
        mean_length = max(1.0, sum(here.values()) / len(here))
        ranks: dict[str, float] = defaultdict(float)
        covered: dict[str, float] = defaultdict(float)
        whole = 0.0
        for alternatives in question:
            counts = self._counts(alternatives, here)
            weight = math.log(1 + (len(here) - len(counts) + 0.5) / (len(counts) + 0.5))
            whole += weight * weight
            for ref, count in counts.items():
                ranks[ref] += weight * _saturated(count, here[ref] / mean_length)
                covered[ref] += weight * weight
        best = sorted(ranks, key=lambda ref: (-ranks[ref], ref))[:limit]
        return [WordMatch(ref, ranks[ref], math.sqrt(covered[ref] / whole)) for ref in best]

    def slips(self, words: Iterable[str], allowed: AbstractSet[str]) -> dict[str, str]:
        """Those of `words` that no allowed passage has, each with the word that was perhaps meant.

        That is the commonest word of the allowed passages that begins alike and is one slip of the pen away.
        """
        found: dict[str, str] = {}
        for word in words:
            if may_be_a_slip(word) and not self._passages_with(word, allowed):
                near = [own for own in self._spelled if own[0] == word[0] and one_slip_apart(own, word)]
                count, meant = max(((self._passages_with(own, allowed), own) for own in near), default=(0, ""))
                if count:
                    found[word] = meant
        return found

    def _passages_with(self, word: str, allowed: AbstractSet[str]) -> int:
        return len(self._spelled.get(word, frozenset[str]()) & allowed)

    def _counts(self, alternatives: tuple[str, ...], here: Collection[str]) -> dict[str, int]:
        counts: dict[str, int] = {}
        for key in alternatives:
            for ref, count in self._postings.get(key, {}).items():
                if ref in here:
                    counts[ref] = max(counts.get(ref, 0), count)
        return counts


def _saturated(count: int, relative_length: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * relative_length))
