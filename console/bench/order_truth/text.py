"""Text as the judge reads it: bare words without mark-up, disguise or case, and sentences."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from console.bench.order_truth.data import published

_SENTENCE_END = re.compile(r"(?<=[.!?।])[\"”'’)\]*_]*\s+|\n+")
_FRONT_MATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_TABLE = re.compile(r"^\|.*$", re.MULTILINE)
_LOOK_ALIKES = str.maketrans("аеорсухі", "aeopcyxi")
SHORTEST = 4
"""Words that a published sentence has at least to be told as one."""


def plain(text: str) -> str:
    """`text` in lower case: compatible and look-alike characters as one, ASCII digits, nothing invisible."""
    folded = unicodedata.normalize("NFKC", text)
    seen = "".join(c for c in folded if unicodedata.category(c) not in ("Cf", "Mn") or _is_sign(c))
    digits = "".join(str(unicodedata.digit(c)) if c.isdigit() and not c.isascii() else c for c in seen)
    return digits.casefold().translate(_LOOK_ALIKES)


def words_of(text: str) -> str:
    """The words of `text`, one blank between them: no punctuation, mark-up or emoji."""
    return " ".join("".join(c if c.isalnum() or _is_sign(c) else " " for c in plain(text)).split())


def sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


@cache
def published_words() -> str:
    """All published text as words, with blanks around, to look sentences up in."""
    return " " + " . ".join(words_of(_body(article)) for article in published()) + " "


@cache
def published_sentences() -> tuple[tuple[str, str], ...]:
    """Every published sentence with its words, tables and headings left out."""
    found: dict[str, str] = {}
    for article in published():
        lines = [line for line in _TABLE.sub("", _body(article)).splitlines() if not line.startswith("#")]
        for sentence in sentences("\n".join(lines)):
            words = words_of(sentence)
            if len(words.split()) >= SHORTEST:
                found.setdefault(words, sentence.lstrip("-* ").strip())
    return tuple((sentence, words) for words, sentence in found.items())


def is_published(text: str) -> bool:
    words = words_of(text)
    return not words or f" {words} " in published_words()


def _body(article: str) -> str:
    return _FRONT_MATTER.sub("", article)


def _is_sign(character: str) -> bool:
    """A vowel sign or virama of Devanagari: part of its word."""
    return "\u0900" <= character <= "\u0963" and unicodedata.category(character) in ("Mn", "Mc")
