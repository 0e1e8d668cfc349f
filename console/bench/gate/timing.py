"""How long the gate takes, and how late the first sentence is, over answers that are made of labelled sentences."""

from __future__ import annotations

import random
import re
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine_host.answering import disguise, fact_gate, grammar, measures, passage_facts, reading, verbatim, wording
from engine_host.answering.events import Text
from engine_host.answering.judge import Judge
from engine_host.answering.sentences import split_sentences
from knowledge.article import Passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from console.bench.gate.labelled import Labelled

PASSAGES: Final = 4
TOKEN: Final = re.compile(r"\s*\S{1,4}|\s+")
_KEPT: Final = (disguise, fact_gate, grammar, measures, passage_facts, reading, verbatim, wording)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model might write to a question, sentence by sentence, and the passages that it was given."""

    question: str
    passages: tuple[Passage, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timed:
    """Milliseconds: of the reading of the passages, before the first word comes, and of each sentence after it.

    `cpu` is the part of a sentence's time in which this thread ran: the rest is other work of a busy machine.
    """

    prepare: float
    sentences: tuple[float, ...]
    cpu: tuple[float, ...]


def answers(rows: Sequence[Labelled], seed: int = 1) -> Iterator[Answer]:
    """One answer a passage: all sentences that are labelled for it, with three other passages beside it."""
    rng = random.Random(seed)  # noqa: S311
    by_passage: dict[str, list[Labelled]] = {}
    for row in rows:
        by_passage.setdefault(row.passage, []).append(row)
    own = {text: _passage(group[0]) for text, group in by_passage.items()}
    for text, group in by_passage.items():
        others = [passage for other, passage in own.items() if other != text]
        beside = rng.sample(others, min(PASSAGES - 1, len(others)))
        yield Answer(group[0].question, (own[text], *beside), tuple(row.sentence for row in group))


def timed(answer: Answer) -> Timed:
    """The times of one turn that nobody asked before: nothing of its passages or sentences is kept from earlier."""
    forget_what_was_read()
    began = time.perf_counter()
    judge = Judge(answer.question, answer.passages)
    prepared = time.perf_counter()
    spent: list[float] = []
    ran: list[float] = []
    for sentence in answer.sentences:
        at, ran_at = time.perf_counter(), time.thread_time()
        judge.feed(sentence + "\n")
        spent.append((time.perf_counter() - at) * 1000)
        ran.append((time.thread_time() - ran_at) * 1000)
    return Timed((prepared - began) * 1000, tuple(spent), tuple(ran))


def delay_of_the_first(answer: Answer) -> int | None:
    """How many more sentences had begun when the first came out than when its own last token came; None when the first
    sentence was withheld. Without a gate the first sentence is on the screen with its last token."""
    judge = Judge("", answer.passages)
    written = ""
    for token in TOKEN.findall(" ".join(answer.sentences)):
        written += token
        if verdicts := judge.feed(token):
            return len(split_sentences(written)) - 1 if isinstance(verdicts[0], Text) else None
    return 0 if any(isinstance(verdict, Text) for verdict in judge.finish()) else None


def forget_what_was_read() -> None:
    """Empty every cache of the gate, but for the word lists and patterns, which a running program has read."""
    for room in _KEPT:
        for kept in vars(room).values():
            if hasattr(kept, "cache_info") and kept.cache_info().maxsize is not None:
                kept.cache_clear()


def _passage(row: Labelled) -> Passage:
    return Passage(row.article, row.source.title, (), row.passage, 0, len(row.passage), "", 1.0, given=True)
