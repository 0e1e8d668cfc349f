"""Search by words: BM25 over the passages an asker may see, and how much of the question each covers.

Passages come and go one by one; each belongs to a group, an article, and what may be seen is told by groups.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

import numpy as np

from knowledge.lookalikes import Lookalikes
from knowledge.word_matches import Matches
from knowledge.wording import may_be_a_slip
from knowledge.words import SMALL_WORDS, sound, stem, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from numpy.typing import NDArray

# The usual constants; b is lower than 0.75 because passages are of one size already.
K1 = 1.2
B = 0.6
_WASTE = 0.5
"""When so much of the rows is of passages that are gone, the rest is written anew."""


class WordIndex:
    """Passages by their words, in memory: some 3 KB a passage."""

    def __init__(self, *, sounds: bool = True) -> None:
        """`sounds` = questions may be in Roman letters and passages in Devanagari, or the other way round."""
        self._sounds = sounds
        self._refs: list[str] = []
        self._row_of: dict[str, int] = {}
        self._lengths = array("I")
        self._alive = bytearray()
        self._groups = array("I")
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._rows_of_group: defaultdict[str, list[int]] = defaultdict(list)
        self._postings: defaultdict[str, tuple[array[int], array[int]]] = defaultdict(_no_rows)
        self._spelled: defaultdict[str, array[int]] = defaultdict(_no_words)
        self._lookalikes = Lookalikes()
        self._keys: dict[str, tuple[str, ...]] = {}
        self._gone = 0

    def add(self, ref: str, group: str, text: str) -> None:
        """`text` with its title and headings."""
        row = len(self._refs)
        counts: dict[str, int] = {}
        length = 0
        for word, count in Counter(words_of(text)).items():
            if word not in self._spelled:
                self._lookalikes.add(word)
            self._spelled[word].append(row)
            keys = self._keys_of(word)
            length += count if keys else 0
            for key in keys:
                counts[key] = counts.get(key, 0) + count
        for key, count in counts.items():
            rows, how_often = self._postings[key]
            rows.append(row)
            how_often.append(min(count, 65_535))
        self._refs.append(ref)
        self._row_of[ref] = row
        self._lengths.append(length)
        self._alive.append(1)
        self._groups.append(self._number_of(group))
        self._rows_of_group[group].append(row)

    def remove(self, group: str) -> None:
        """Forget the passages of a group; nothing happens when there are none."""
        rows = self._rows_of_group.pop(group, [])
        for row in rows:
            self._alive[row] = 0
            self._row_of.pop(self._refs[row], None)
        self._gone += len(rows)

    @property
    def wasteful(self) -> bool:
        """Whether it should be made anew of the passages that are left."""
        return self._gone > 1_000 and self._gone > _WASTE * len(self._refs)

    @property
    def refs(self) -> Sequence[str]:
        return self._refs

    def row_of(self, ref: str) -> int | None:
        return self._row_of.get(ref)

    def group_of(self, row: int) -> str:
        return self._names[self._groups[row]]

    def search(self, question: Sequence[tuple[str, ...]], groups: AbstractSet[str]) -> Matches:
        """Hold a question's words (see `keys_of_question`) against the passages of `groups`.

        How rare a word is, too, is counted among those passages only.
        """
        here = self._here(groups)
        passages = int(np.count_nonzero(here))
        ranks, covered = np.zeros(len(here)), np.zeros(len(here))
        weights: list[tuple[tuple[str, ...], float]] = []
        lengths = np.array(self._lengths, dtype=np.uint32)
        mean_length = max(1.0, float(lengths[here].sum()) / max(1, passages))
        for alternatives in question:
            rows, counts = self._found(alternatives, here)
            weight = math.log(1 + (passages - len(rows) + 0.5) / (len(rows) + 0.5))
            weights.append((alternatives, weight * weight))
            ranks[rows] += weight * _saturated(counts, lengths[rows] / mean_length)
            covered[rows] += weight * weight
        return Matches(self, ranks, covered, weights)

    def slips(self, words: Iterable[str], groups: AbstractSet[str]) -> dict[str, str]:
        """Those of `words` that no passage of `groups` has, each with the word that was perhaps meant.

        That is the commonest word of those passages that begins alike and is one slip of the pen away.
        """
        doubtful = [word for word in words if may_be_a_slip(word)]
        here = self._here(groups) if doubtful else np.zeros(0, dtype=bool)
        found: dict[str, str] = {}
        for word in doubtful:
            if not self._passages_with(word, here):
                near = [own for own in self._lookalikes.of(word) if own[0] == word[0]]
                count, meant = max(((self._passages_with(own, here), own) for own in near), default=(0, ""))
                if count:
                    found[word] = meant
        return found

    def _number_of(self, group: str) -> int:
        if group not in self._numbers:
            self._numbers[group] = len(self._names)
            self._names.append(group)
        return self._numbers[group]

    def _keys_of(self, word: str) -> tuple[str, ...]:
        """No key for a small word."""
        keys = self._keys.get(word)
        if keys is None:
            small, keys = word in SMALL_WORDS, (stem(word), sound(word)) if self._sounds else (stem(word),)
            keys = self._keys[word] = () if small else keys
        return keys

    def _here(self, groups: AbstractSet[str]) -> NDArray[np.bool_]:
        """For every row whether it is there and of these groups."""
        allowed = np.fromiter((name in groups for name in self._names), dtype=bool, count=len(self._names))
        alive = np.frombuffer(bytes(self._alive), dtype=np.bool_)
        return allowed[np.frombuffer(self._groups, dtype=np.uint32)] & alive if len(alive) else alive

    def _found(
        self, alternatives: tuple[str, ...], here: NDArray[np.bool_]
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        """The rows that have one of the keys, and how often they have the one that they have most."""
        parts = [self._posted(key, here) for key in alternatives]
        if len(parts) == 1:
            return parts[0]
        rows, where = np.unique(np.concatenate([rows for rows, _ in parts]), return_inverse=True)
        counts = np.zeros(len(rows), dtype=np.uint16)
        np.maximum.at(counts, where, np.concatenate([counts for _, counts in parts]))
        return rows, counts

    def _posted(self, key: str, here: NDArray[np.bool_]) -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
        kept = self._postings.get(key)
        if kept is None:
            return np.zeros(0, dtype=np.uint32), np.zeros(0, dtype=np.uint16)
        rows, counts = np.array(kept[0], dtype=np.uint32), np.array(kept[1], dtype=np.uint16)
        chosen = here[rows]
        return rows[chosen], counts[chosen]

    def _passages_with(self, word: str, here: NDArray[np.bool_]) -> int:
        rows = self._spelled.get(word)
        return int(np.count_nonzero(here[np.array(rows, dtype=np.uint32)])) if rows else 0


def filled(passages: Iterable[tuple[str, str, str]], *, sounds: bool = True) -> WordIndex:
    """An index of passages: reference, group, and text with title and headings."""
    index = WordIndex(sounds=sounds)
    for ref, group, text in passages:
        index.add(ref, group, text)
    return index


def _no_rows() -> tuple[array[int], array[int]]:
    return array("I"), array("H")


def _no_words() -> array[int]:
    return array("I")


def _saturated(counts: NDArray[np.uint16], relative_lengths: NDArray[np.float64]) -> NDArray[np.float64]:
    return counts * (K1 + 1) / (counts + K1 * (1 - B + B * relative_lengths))
