"""Word lists of the search, read from assets/search: small words, endings, spellings, words of one meaning."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


def _table(name: str) -> dict[str, str]:
    return tomllib.loads(files("assets").joinpath(f"search/{name}.toml").read_text(encoding="utf-8"))


def _entries(text: str) -> list[tuple[str, tuple[str, ...]]]:
    """Lines of `one thing: word word`."""
    pairs = (line.split(":") for line in text.strip().splitlines())
    return [(thing.strip(), tuple(words.split())) for thing, words in pairs]


def _by_word(text: str) -> dict[str, str]:
    return {word: thing for thing, words in _entries(text) for word in words}


_WORDS = _table("words")
_ENGLISH = _table("english")

SMALL_WORDS = frozenset(_WORDS["small"].split())
SMALL_ROMAN_WORDS = frozenset(_WORDS["small_roman"].split())
MARATHI_ENDINGS = tuple(_WORDS["marathi_endings"].split())
HINDI_ENDINGS = tuple(_WORDS["hindi_endings"].split())
SAME_MEANING: Mapping[str, tuple[str, ...]] = dict(_entries(_WORDS["meanings"]))
"""An English word of help questions, and the Hindi and Marathi words for it."""

SPELLINGS: Mapping[str, str] = _by_word(_ENGLISH["spellings"])
"""A word as customers type it, and the words that are meant."""
PLAIN: Mapping[str, str] = _by_word(_ENGLISH["plain"])
"""A word of the trade, and the words that an English embedder knows for it."""
ALIKE: tuple[tuple[str, ...], ...] = tuple(tuple(line.split()) for line in _ENGLISH["alike"].strip().splitlines())
"""English words that find each other."""
