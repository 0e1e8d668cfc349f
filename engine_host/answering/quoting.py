"""Which words of an article are quoted, word for word, when no written sentence is released."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.folding import fold
from engine_host.answering.grounding import content_words
from engine_host.answering.patterns import rules
from engine_host.answering.sentences import split_sentences

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from knowledge.article import Passage

KIND_BONUS = 0.12
"""What a passage gains that holds the kind of fact asked for, in cosine similarity."""
KIND_WORDS = 1.5
"""What a sentence gains for the same, in words shared with the question."""


def best_quote(question: str, passages: Sequence[Passage]) -> tuple[int, str]:
    """1-based number of the passage to quote, and the quotation. `passages` are those given, best first."""
    kinds = kinds_asked_for(question)

    def worth(number: int) -> tuple[float, int]:
        passage = passages[number - 1]
        return passage.score + KIND_BONUS * _holds(kinds, passage.text), -number

    number = max(range(1, len(passages) + 1), key=worth)
    return number, best_window(question, passages[number - 1].text)


def kinds_asked_for(question: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of the facts that a question asks for: a time for "when", an amount for "how much"."""
    folded = fold(question)
    holds = {rule.name: rule.pattern for rule in rules("kinds", "fact", "kind")}
    return tuple(holds[rule.name] for rule in rules("kinds", "question", "kind") if rule.pattern.search(folded))


def best_window(question: str, passage: str, sentences: int = 3) -> str:
    """The `sentences` neighbouring sentences of `passage` that answer best, word for word: those that share most
    words with the question and hold the kind of fact that it asks for."""
    parts = split_sentences(passage)
    if len(parts) <= sentences:
        return passage.strip()
    wanted, kinds = content_words(question), kinds_asked_for(question)
    scores = [len(wanted & content_words(part)) + KIND_WORDS * _holds(kinds, part) for part in parts]
    first = max(range(len(parts) - sentences + 1), key=lambda i: (sum(scores[i : i + sentences]), scores[i]))
    starts: list[int] = []
    for part in parts:
        starts.append(passage.index(part, starts[-1] + len(parts[len(starts) - 1]) if starts else 0))
    last = first + sentences - 1
    return passage[starts[first] : starts[last] + len(parts[last])]


def _holds(kinds: tuple[re.Pattern[str], ...], text: str) -> bool:
    folded = fold(text)
    return any(kind.search(folded) for kind in kinds)
