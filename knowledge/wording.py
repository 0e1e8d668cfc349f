"""A customer's English in the words of articles: how people type, words of the trade, slips of the pen. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from knowledge.word_lists import PLAIN, SPELLINGS

if TYPE_CHECKING:
    from collections.abc import Mapping

_WORD = re.compile(r"[^\W_]+")
LEAST_LETTERS = 5
"""Shorter words have too many others one slip away: `bus` and `box`, `rain` and `train`."""


def plain_english(text: str) -> str:
    """`wen do i get my dabba` is `when do i get my box`: known spellings first, then words of the trade."""
    return with_words(with_words(text, SPELLINGS), PLAIN)


def with_words(text: str, others: Mapping[str, str]) -> str:
    """`text` with every word that `others` has, in any case, as it says there."""
    return _WORD.sub(lambda word: others.get(word[0].lower(), word[0]), text)


def may_be_a_slip(word: str) -> bool:
    """Whether a word that no article has is long and plain enough to be held against those that they have."""
    return len(word) >= LEAST_LETTERS and word.isascii() and word.isalpha()


def one_slip_apart(one: str, other: str) -> bool:
    """Whether one letter more, less, other, or two neighbours exchanged make one word the other."""
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    same = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[same:], other[same:]
    exchanged = rest[:2] == others[1::-1] and rest[2:] == others[2:]
    return exchanged or rest[1:] == others[1:] or rest[1:] == others or rest == others[1:]
