"""Judges what the model writes, sentence by sentence, before anyone sees it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from engine_host.answering.events import Text, Withheld
from engine_host.answering.fact_gate import order_claim, order_tale
from engine_host.answering.grammar import compile_all, grammar
from engine_host.answering.grounding import LexicalChecker, Source
from engine_host.answering.relevance import Relevance
from engine_host.answering.sentences import LONGEST_SENTENCE, Sentence, SentenceSplitter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine_host.answering.grounding import SupportChecker
    from knowledge.article import Passage


REPEATED: Final = "it was said already"


def warm() -> None:
    """Read the gate's word lists and compile its patterns, for which the first sentence would wait (about 0.1 s)."""
    compile_all()
    for sentence in ("If a box is late, it is free.", "A box has a lid."):
        order_claim(sentence, ())
        order_tale(sentence)
    LexicalChecker([Source("Boxes", "| box | price |\n|---|---|\n| Mini | Rs 95 |\n\nA box has a lid.")]).support(
        "No, a box must not be late by 2 hours, and it has no lid."
    )
    Relevance("When does it come?", ["A box comes at 12:00."])


class Judge:
    """Sentences in, verdicts out. Nothing is released that was not judged; `spent_ms` is the time judging took.

    `checker` makes what tells whether a passage supports a sentence, from the turn's sources and question. What it
    supports is released; `answered` tells whether any of that was about the question.
    """

    def __init__(
        self,
        question: str,
        passages: tuple[Passage, ...],
        checker: Callable[[Sequence[Source], str], SupportChecker] = LexicalChecker,
    ) -> None:
        sources = [Source(". ".join((passage.title, *passage.heading_path)), passage.text) for passage in passages]
        self._texts = tuple(source.whole for source in sources)
        self._checker = checker(sources, question)
        self._relevance = Relevance(question, [passage.text for passage in passages])
        self._splitter = SentenceSplitter()
        self._said: set[str] = set()
        self._cut_off = False
        self.released = 0
        self.answered = False
        self.spent_ms = 0.0

    def feed(self, piece: str) -> list[Text | Withheld]:
        return self._judge_all(self._splitter.feed(piece))

    def finish(self) -> list[Text | Withheld]:
        return self._judge_all(self._splitter.flush())

    def _judge_all(self, sentences: list[Sentence]) -> list[Text | Withheld]:
        began = time.monotonic()
        verdicts = [self._verdict(sentence) for sentence in sentences]
        self.spent_ms += (time.monotonic() - began) * 1000
        return verdicts

    def _verdict(self, sentence: Sentence) -> Text | Withheld:
        reason, citation = self._judged(sentence)
        self._cut_off = citation is None and reason != REPEATED
        if citation is None:
            return Withheld(sentence.text, reason)
        self.released += 1
        self.answered = self.answered or self._relevance.answers(sentence.text)
        return Text(sentence.text, (citation,))

    def _judged(self, sentence: Sentence) -> tuple[str, int | None]:
        """Why the sentence is withheld, or the passage that it cites."""
        text = sentence.text
        if not sentence.whole:
            return f"its sentence is longer than {LONGEST_SENTENCE:,} characters", None
        if text in self._said:
            return REPEATED, None
        self._said.add(text)
        if claim := order_claim(text, self._texts):
            return claim, None
        support = self._checker.support(text)
        if support.citation is None:
            return support.reason, None
        if self._cut_off and grammar("needs_before").match(text):
            return "it speaks of what the sentence before said, and that was withheld", None
        return "", support.citation
