"""Judges what the model writes, sentence by sentence, before anyone sees it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine_host.answering.events import Text, Withheld
from engine_host.answering.fact_gate import order_claim
from engine_host.answering.grounding import find_support
from engine_host.answering.relevance import Relevance
from engine_host.answering.sentences import SentenceSplitter

if TYPE_CHECKING:
    from knowledge.article import Passage


class Judge:
    """Sentences in, verdicts out. Nothing is released that was not judged; `spent_ms` is the time judging took."""

    def __init__(self, question: str, passages: tuple[Passage, ...]) -> None:
        self._texts = tuple(f"{passage.title}. {passage.text}" for passage in passages)
        self._relevance = Relevance(question, [passage.text for passage in passages])
        self._splitter = SentenceSplitter()
        self._said: set[str] = set()
        self.released = 0
        self.spent_ms = 0.0

    def feed(self, piece: str) -> list[Text | Withheld]:
        return self._judge_all(self._splitter.feed(piece))

    def finish(self) -> list[Text | Withheld]:
        return self._judge_all(self._splitter.flush())

    def _judge_all(self, sentences: list[str]) -> list[Text | Withheld]:
        began = time.monotonic()
        verdicts = [self._verdict(sentence) for sentence in sentences]
        self.spent_ms += (time.monotonic() - began) * 1000
        self.released += sum(isinstance(verdict, Text) for verdict in verdicts)
        return verdicts

    def _verdict(self, sentence: str) -> Text | Withheld:
        if sentence in self._said:
            return Withheld(sentence, "it was said already")
        self._said.add(sentence)
        if claim := order_claim(sentence, self._texts):
            return Withheld(sentence, claim)
        support = find_support(sentence, self._texts)
        if support.citation is None:
            return Withheld(sentence, support.reason)
        if not self._relevance.is_about(sentence):
            return Withheld(sentence, "it is true, but not about the question")
        if self._relevance.kinds and not self.released and not self._relevance.holds_kind(sentence):
            return Withheld(sentence, "it is true, but does not tell the time or amount that was asked for")
        return Text(sentence, (support.citation,))
