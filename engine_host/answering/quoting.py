"""Which words of an article are quoted, word for word, when no written sentence is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.relevance import Relevance
from engine_host.answering.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.article import Passage

WINDOW = 3
NEAR = 3
"""How far down the list a passage may stand that is quoted because it holds the kind of fact asked for."""


def best_quote(question: str, passages: Sequence[Passage]) -> tuple[int, str]:
    """1-based number of the passage to quote, and the quotation. `passages` are those given, best first."""
    relevance = Relevance(question, [passage.text for passage in passages])

    first_with_kind = (n for n, passage in enumerate(passages[:NEAR], 1) if relevance.holds_kind(passage.text))
    number = next(first_with_kind, 1)
    return number, best_window(relevance, passages[number - 1].text)


def best_window(relevance: Relevance, passage: str, sentences: int = WINDOW) -> str:
    """The `sentences` neighbouring sentences of `passage` that are most about the question, word for word."""
    parts = split_sentences(passage)
    if len(parts) <= sentences:
        return passage.strip()
    worth = [relevance.worth(part) for part in parts]
    first = max(range(len(parts) - sentences + 1), key=lambda i: (sum(worth[i : i + sentences]), worth[i]))
    starts: list[int] = []
    for part in parts:
        starts.append(passage.index(part, starts[-1] + len(parts[len(starts) - 1]) if starts else 0))
    last = first + sentences - 1
    return passage[starts[first] : starts[last] + len(parts[last])]
