"""Sentences of a passage, and whether a written sentence is one of them word for word."""

from __future__ import annotations

import re
from functools import lru_cache

from engine_host.answering.folding import fold
from engine_host.answering.sentences import split_sentences

# A line that goes on in the next one: no end mark, and the next line starts like the middle of a sentence.
_WRAPPED = re.compile(r"(?<=[^\s.!?:।॥|#])\n[ \t]*(?=[a-z\u0900-\u0963\u0970-\u097f(\[])")
_MARKS = re.compile(r"^(?:[-*#>+|\s]+|\d{1,2}\.\s|\[\d{1,2}\]\s?)+|[\s.!।|]+$")
_EMPHASIS = re.compile(r"[*_`]+")


@lru_cache(maxsize=512)
def passage_sentences(passage: str) -> tuple[str, ...]:
    """The sentences, headings and table rows of a passage; a paragraph's line breaks are no ends."""
    return tuple(split_sentences(unwrapped(passage)))


def unwrapped(passage: str) -> str:
    """`passage` with blanks for the line breaks in its sentences: as long as before, so that places stay places."""
    return _WRAPPED.sub(lambda found: " " * len(found[0]), passage)


def stands_in(sentence: str, passage: str) -> bool:
    """Whether `sentence` is a whole sentence of `passage`. Part of one is not enough: "not" may stand before."""
    wanted = _plain(sentence)
    return bool(wanted) and wanted in _plain_sentences(passage)


@lru_cache(maxsize=512)
def _plain_sentences(passage: str) -> frozenset[str]:
    return frozenset(map(_plain, passage_sentences(passage)))


@lru_cache(maxsize=4096)
def _plain(sentence: str) -> str:
    return _MARKS.sub("", _EMPHASIS.sub("", fold(sentence)))
