"""Sentences out of a stream of text pieces: the same sentences however the text was split."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?।॥…]+[\"'”’)\]]*(?=\s)|\n+")
_NO_END = re.compile(
    r"(?:^|[\s(])(?:rs|no|nos|mr|mrs|ms|dr|st|approx|e\.g|i\.e|vs|etc|a\.m|p\.m)\.$|^\d{1,2}\.$", re.IGNORECASE
)


class SentenceSplitter:
    """Feed pieces; each call returns the sentences that are now complete, with their trailing blanks removed.

    A sentence is complete when its end mark is followed by white space, so `12.50` and `Rs. 30` stay whole.
    """

    def __init__(self) -> None:
        self._open = ""

    def feed(self, piece: str) -> list[str]:
        self._open += piece
        done: list[str] = []
        start = 0
        for match in _END.finditer(self._open):
            sentence = self._open[start : match.end()]
            if match.group().startswith("\n") or not _NO_END.search(sentence.strip()):
                done.append(sentence.strip())
                start = match.end()
        self._open = self._open[start:]
        return [sentence for sentence in done if sentence]

    def flush(self) -> list[str]:
        """The rest, when no more text comes."""
        rest, self._open = self._open.strip(), ""
        return [rest] if rest else []


def split_sentences(text: str) -> list[str]:
    splitter = SentenceSplitter()
    return [*splitter.feed(text), *splitter.flush()]
