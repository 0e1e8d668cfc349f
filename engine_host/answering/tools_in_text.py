"""Finds tool calls that a model wrote into its text, before a sentence is made of them. Pure.

Nothing of such a call is ever released. What goes through is the same however the text was split.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from engine_host.answering.tools import LOOK_UP, ORDER_NUMBER, tool_texts

LONGEST_CALL = 800
"""Characters after which something that may be a call is not waited for any longer."""

_FENCE = "```"
_FENCE_END = re.compile(_FENCE)
_NAME_END = re.compile(r"\)|\n")
_OBJECT = re.compile(r"(?:\[\s{0,8})?\{\s{0,8}[\"'{}\[]")
_HALF_OBJECT = r"(?:\[\s{0,8})?\{\s{0,8}|\[\s{0,8}"
_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[{}\[\]]', re.DOTALL)
_KEYS = rf"name|function|tool|tool_name|tool_calls?|function_call|arguments|parameters|{ORDER_NUMBER}|customer_id"


@dataclass(frozen=True, slots=True)
class SpelledCall:
    """What looks like a call, as it was written, with its marks."""

    text: str


Sifted = str | SpelledCall


class CallSieve:
    """Feed pieces of text; each call returns what is certain by now: text that holds no call, and calls."""

    def __init__(self) -> None:
        self._open = ""

    def feed(self, piece: str) -> list[Sifted]:
        self._open += piece
        return self._sift(last=False)

    def finish(self) -> list[Sifted]:
        """The rest, when no more text comes."""
        return self._sift(last=True)

    def _sift(self, *, last: bool) -> list[Sifted]:
        done: list[Sifted] = []
        while self._open:
            begin = _begins().search(self._open)
            if begin is None:
                done += self._cut(len(self._open) - (0 if last else _half_mark(self._open)))
                break
            done += self._cut(begin.start())
            end = _end_of(begin.group(), self._open)
            if end is None and len(self._open) < LONGEST_CALL and not last:
                break
            written = self._open[: LONGEST_CALL if end is None else end]
            if _is_call(written):
                self._open = self._open[len(written) :]
                done.append(SpelledCall(written))
            else:
                done += self._cut(len(begin.group()) if end is None else end)
        return done

    def _cut(self, length: int) -> list[Sifted]:
        """The first `length` characters as text."""
        text, self._open = self._open[:length], self._open[length:]
        return [text] if text else []


def _end_of(begin: str, text: str) -> int | None:
    """Where the call that begins at the start of `text` ends; None when that is not to be seen."""
    if _OBJECT.fullmatch(begin):
        return _closing_bracket(text[:LONGEST_CALL])
    closing = _ends()[begin.casefold()]
    found = closing.search(text, len(begin), LONGEST_CALL) if closing else None
    return found.end() if found else None


def _closing_bracket(text: str) -> int | None:
    depth = 0
    for match in _BRACKETS.finditer(text):
        depth += {"{": 1, "[": 1, "}": -1, "]": -1}.get(match.group(), 0)
        if depth == 0:
            return match.end()
    return None


def _is_call(text: str) -> bool:
    return bool(_call_signs().search(text))


def _half_mark(text: str) -> int:
    """How many characters at the end of `text` may be the beginning of a mark."""
    tail = text[-40:]
    found = _half_marks().search(tail)
    return len(tail) - found.start() if found else 0


@cache
def _ends() -> dict[str, re.Pattern[str] | None]:
    """The end of each mark, None where whatever follows belongs to the call."""
    marks: list[dict[str, str]] = tool_texts()["marks"]
    ends = {mark["begins"].casefold(): mark["ends"] for mark in marks}
    written = {begin: re.compile(re.escape(end), re.IGNORECASE) if end else None for begin, end in ends.items()}
    return {**written, LOOK_UP: _NAME_END, _FENCE: _FENCE_END}


@cache
def _begins() -> re.Pattern[str]:
    return re.compile(f"{'|'.join(map(re.escape, _ends()))}|{_OBJECT.pattern}", re.IGNORECASE | re.ASCII)


@cache
def _half_marks() -> re.Pattern[str]:
    halves = {begin[:length] for begin in _ends() for length in range(1, len(begin))}
    longest_first = sorted(map(re.escape, halves), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(longest_first)}|{_HALF_OBJECT})\Z", re.IGNORECASE | re.ASCII)


@cache
def _call_signs() -> re.Pattern[str]:
    certain = "|".join(re.escape(begin) for begin in _ends() if begin != _FENCE)
    return re.compile(rf"{certain}|[\"'](?:{_KEYS})[\"']\s*:", re.IGNORECASE | re.ASCII)
