"""Which words of an article are quoted, word for word, when no written sentence is released."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from engine_host.answering.fact_gate import order_tale
from engine_host.answering.relevance import Relevance
from engine_host.answering.verbatim import passage_sentences, unwrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.article import Passage

WINDOW = 3
NEAR = 0.05
"""How far under the first passage's score one may be that is still taken beside it."""


def best_quote(question: str, passages: Sequence[Passage]) -> tuple[int, str] | None:
    """1-based number of the passage to quote, and the quotation. `passages` are those given, best first.

    None when nothing in them may be quoted: all of it tells of single orders.
    """
    relevance = Relevance(question, [passage.text for passage in passages])
    with_kind = [n for n, passage in enumerate(near_the_first(passages), 1) if relevance.holds_kind(passage.text)]
    for number in (*with_kind[:1], *range(1, len(passages) + 1)):
        if text := best_window(relevance, passages[number - 1].text):
            return number, text
    return None


def near_the_first(passages: Sequence[Passage]) -> tuple[Passage, ...]:
    """The first passages of the list, as long as their scores are near the first one's: those behind distract."""
    return tuple(takewhile(lambda passage: passage.score >= passages[0].score - NEAR, passages))


def best_window(relevance: Relevance, passage: str, sentences: int = WINDOW) -> str:
    """At most `sentences` neighbouring sentences of `passage` that are most about the question, word for word.

    A sentence that tells of one order is left out, and the quotation is then shorter; empty when none stays.
    """
    parts = passage_sentences(passage)
    clean = [not order_tale(part) for part in parts]
    if len(parts) <= sentences and all(clean):
        return passage.strip()
    worth = [relevance.worth(part) for part in parts]
    for size in range(min(sentences, len(parts)), 0, -1):
        firsts = [i for i in range(len(parts) - size + 1) if all(clean[i : i + size])]
        if firsts:
            first = max(firsts, key=lambda i: (sum(worth[i : i + size]), worth[i]))
            return _between(passage, parts, first, first + size - 1)
    return ""


def _between(passage: str, parts: Sequence[str], first: int, last: int) -> str:
    """`passage` from part `first` to part `last`, as it stands there."""
    flat, starts = unwrapped(passage), list[int]()
    for part in parts:
        starts.append(flat.index(part, starts[-1] + len(parts[len(starts) - 1]) if starts else 0))
    return passage[starts[first] : starts[last] + len(parts[last])]
