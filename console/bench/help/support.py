"""Is a sentence carried by a text? A plain judge of this bench, made of none of the gate's code or word lists.

Carried = somewhere in the text one sentence, or two neighbours, have every number of it, at least 80 % of its content
words (four letters or more; two words are one when their first four letters are) and a "not" just when it has one.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NEEDED: Final = 0.8
BEGINNING: Final = 4
_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")
_WORD = re.compile(rf"[^\W\d_]{{{BEGINNING},}}")
_NOT = re.compile(r"\b(?:no|not|never|nothing|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def is_carried(sentence: str, texts: Iterable[str]) -> bool:
    """Whether one of `texts` carries `sentence`. A sentence without content words is carried by nothing."""
    words = _beginnings(sentence)
    return bool(words) and any(_carries(window, sentence, words) for text in texts for window in _windows(text))


def _carries(window: str, sentence: str, words: frozenset[str]) -> bool:
    share = len(words & _beginnings(window)) / len(words)
    return (
        share >= NEEDED
        and set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(window))
        and bool(_NOT.search(sentence)) == bool(_NOT.search(window))
    )


def _windows(text: str) -> list[str]:
    sentences = [part for part in _SENTENCE.split(text) if part.strip()]
    return sentences + [f"{one} {other}" for one, other in pairwise(sentences)]


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(word[:BEGINNING].lower() for word in _WORD.findall(text))
