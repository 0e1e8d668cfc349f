"""Is a sentence carried by a passage? A plain judge of this bench, made of none of the gate's code or word lists.

Carried = one sentence of the passage has every number of it, at least 90 % of its words (of three letters or more,
small ones left out; two words are one when their first four letters are), and a "not" just when it has one. Sentences
that join two are left aside, and so are those that step over something else which the passage says behind an "and" or a
"when", and tie together what stands around it: nobody can say without reading them whether they are supported.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

NEEDED: Final = 0.9
BEGINNING: Final = 4
_SMALL: Final = """
    the and for are was has had can cannot not you your our its may will with from that this they them
"""
SMALL: Final = frozenset(_SMALL.split())
JOINING: Final = frozenset({"and", "but", "or", "when", "while", "और", "या", "आणि", "किंवा"})
_NUMBER = re.compile(r"\d+(?:[.:,]\d+)*")
_WORD = re.compile(r"[^\W\d_]{3,}")
_ANY_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0963]+[^\W\d_]*)*")
_NOT = re.compile(r"\b(?:no|not|never|nothing|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?।])\s+|\n+")


def is_carried(sentence: str, texts: Iterable[str]) -> bool:
    """Whether one of `texts` carries `sentence`; none carries one that has not two words."""
    words = _beginnings(sentence)
    return len(words) > 1 and any(_carries(own, sentence, words) for text in texts for own in _SENTENCE.split(text))


def _carries(own: str, sentence: str, words: frozenset[str]) -> bool:
    return (
        len(words & _beginnings(own)) / len(words) >= NEEDED
        and set(_NUMBER.findall(sentence)) <= set(_NUMBER.findall(own))
        and bool(_NOT.search(sentence)) == bool(_NOT.search(own))
        and not _steps_over(own, sentence, words)
    )


def _steps_over(own: str, sentence: str, words: frozenset[str]) -> bool:
    """Whether `own` says something else, behind an "and" or a "when", between two words of `sentence`."""
    said = set(_ANY_WORD.findall(sentence.lower()))
    skipped: list[str] = []
    found = False
    for word in _ANY_WORD.findall(own.lower()):
        if word[:BEGINNING] not in words:
            skipped.append(word)
            continue
        if found and JOINING.intersection(skipped) - said and len(_beginnings(" ".join(skipped))) > 1:
            return True
        found, skipped = True, []
    return False


def _beginnings(text: str) -> frozenset[str]:
    return frozenset(word[:BEGINNING] for word in _WORD.findall(text.lower()) if word not in SMALL)
