"""Where sentences begin and end: Latin stops and the danda (।), which other splitters don't know. Pure."""

from __future__ import annotations

import re

Span = tuple[int, int]

_END = re.compile(
    r"""
    [।॥]+["'”’)\]]*            # a danda ends a sentence whatever follows
    | [.!?…]+["'”’)\]*_]*(?=\s)  # a stop needs white space after it: 5.5, kamaladabba.example
    """,
    re.VERBOSE,
)
_LAST_WORD = re.compile(r"(\w[\w.]*)\.$")
_SHORT = frozenset(
    ("rs", "dr", "mr", "mrs", "ms", "st", "no", "nos", "vs", "e.g", "i.e", "eg", "ie", "approx", "a.m", "p.m", "ext")
)

_LONGEST_SHORT = 8  # more than the longest of them, so that a longer word is not taken for its end


def sentence_spans(text: str, start: int, end: int) -> list[Span]:
    """Spans of the sentences of `text[start:end]`, without the white space around them."""
    spans: list[Span] = []
    begin = start
    for match in _END.finditer(text, start, end):
        last = text[max(begin, match.start() - _LONGEST_SHORT) : match.start() + 1]
        if match[0][0] == "." and _is_abbreviation(last):
            continue
        _add(spans, text, begin, match.end())
        begin = match.end()
    _add(spans, text, begin, end)
    return spans


def trimmed(text: str, start: int, end: int) -> Span:
    """The span without white space at both ends; empty (`start == end`) when nothing is left."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _add(spans: list[Span], text: str, start: int, end: int) -> None:
    start, end = trimmed(text, start, end)
    if start < end:
        spans.append((start, end))


def _is_abbreviation(sentence: str) -> bool:
    last = _LAST_WORD.search(sentence)
    if last is None:
        return False
    word = last[1].lower()
    return word in _SHORT or (len(word) == 1 and word.isalpha())
