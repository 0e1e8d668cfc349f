"""Words that can mean the same although they do not always: a written word may stand for one of the passage's."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from engine_host.answering.wording import lines, meaning

if TYPE_CHECKING:
    from engine_host.answering.reading import Reading


def kin_of(words: frozenset[str]) -> frozenset[int]:
    """The numbers of the lines on which these words stand. Two words with a number in common can mean the same."""
    return frozenset(number for word in words for number in _lines_of().get(word, ()))


def in_words_of(said: Reading, known: frozenset[str]) -> Reading:
    """`said` with each word that `known` lacks as the word of `known` that it can stand for, where there is one."""
    strange = said.heavy - known
    if not strange:
        return said
    by_line = _by_line(known)
    spoken = {word: own for word in strange if (own := _stands_for(word, by_line))}
    if not spoken:
        return said

    def told(words: frozenset[str]) -> frozenset[str]:
        return frozenset(spoken.get(word, word) for word in words)

    return replace(
        said, content=told(said.content), heavy=told(said.heavy), denied=told(said.denied), reached=told(said.reached)
    )


def _stands_for(word: str, by_line: dict[int, str]) -> str:
    return min((by_line[line] for line in _lines_of().get(word, ()) if line in by_line), default="")


@lru_cache(maxsize=1024)
def _by_line(known: frozenset[str]) -> dict[int, str]:
    """The lines that words of `known` stand on, each with the first of its words."""
    return {line: word for word in sorted(known, reverse=True) for line in _lines_of().get(word, ())}


@cache
def _lines_of() -> dict[str, frozenset[int]]:
    numbers: dict[str, set[int]] = {}
    for number, line in enumerate(lines("kin")):
        for word in line:
            numbers.setdefault(meaning(word), set()).add(number)
    return {word: frozenset(own) for word, own in numbers.items()}
