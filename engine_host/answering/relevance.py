"""Is a sentence about the question? It is held against the passage sentence that is most about it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine_host.answering.folding import fold
from engine_host.answering.grounding import content_words
from engine_host.answering.patterns import rules
from engine_host.answering.verbatim import passage_sentences
from knowledge.wording import plain_english

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

NEEDED_SHARE = 0.5
KIND_WORTH = 1.0
"""What the kind of fact that is asked for is worth, beside words that weigh about 0.5 (common) to 3 (rare)."""


class Relevance:
    """Weighs the words that a question shares with a text: rare ones among the passages' sentences weigh more.

    A "when" or "how much" asks for a time or an amount: a text that holds one is worth more. The question is read as
    the search reads it: `gpay` asks about UPI.
    """

    def __init__(self, question: str, passages: Sequence[str]) -> None:
        self.kinds = kinds_asked_for(question)
        sentences = [content_words(part) for passage in passages for part in passage_sentences(passage)]
        counts = {word: sum(word in own for own in sentences) for word in content_words(plain_english(question))}
        self._weights = {word: math.log(1 + len(sentences) / count) for word, count in counts.items() if count}
        best = max((self._shared(own) for own in sentences), default=0.0)
        self._needed = NEEDED_SHARE * best

    def worth(self, text: str) -> float:
        return self._shared(content_words(text)) + KIND_WORTH * self.holds_kind(text)

    def is_about(self, sentence: str) -> bool:
        """Whether it shares at least half of what the best passage sentence shares with the question."""
        return self._shared(content_words(sentence)) >= self._needed

    def answers(self, sentence: str) -> bool:
        """Whether it is about the question and, when a time or an amount was asked for, holds one."""
        return self.is_about(sentence) and (not self.kinds or self.holds_kind(sentence))

    def holds_kind(self, text: str) -> bool:
        """Whether `text` holds a fact of a kind that was asked for; False when none was."""
        folded = fold(text)
        return any(kind.search(folded) for kind in self.kinds)

    def _shared(self, words: frozenset[str]) -> float:
        return sum(weight for word, weight in self._weights.items() if word in words)


def kinds_asked_for(question: str) -> tuple[re.Pattern[str], ...]:
    """Patterns of the facts that a question asks for: a time for "when", an amount for "how much"."""
    folded = fold(question)
    facts = {rule.name: rule.pattern for rule in rules("kinds", "fact", "kind")}
    return tuple(facts[rule.name] for rule in rules("kinds", "question", "kind") if rule.pattern.search(folded))
