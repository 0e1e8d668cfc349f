"""Does a passage support a sentence? Numbers with their units, limits, negations, who acts and every word that carries
meaning are compared; no judge model.

What is said must be carried by one fact of the passage; a sentence that joins several is held, clause by clause,
against the facts of one passage. What is not carried is withheld, and the passage itself is quoted instead, so
strictness costs a smooth answer and never a true one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from engine_host.answering.carrying import OPPOSITE, UNSAID, Said, difference
from engine_host.answering.grammar import case_before, clauses, cuts, grammar, is_case
from engine_host.answering.measures import measures
from engine_host.answering.passage_facts import passage_facts
from engine_host.answering.reading import Reading, conditions, read
from engine_host.answering.sentences import split_sentences
from engine_host.answering.verbatim import stands_in
from engine_host.answering.wording import meanings, normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.answering.passage_facts import Fact

NEEDED_WORDS = 2
LIKELY_FACTS = 6
"""How many facts of a passage are looked at closely: those that share the most words with what is said."""
_NAMED_LIMIT = re.compile(r"\d[\d:.,]*(?:\s\S+)?")


@dataclass(frozen=True, slots=True)
class Source:
    """What a written sentence is held against. The words of `title` stand in the reader's mind with every sentence."""

    title: str
    text: str

    @property
    def whole(self) -> str:
        return f"{self.title}. {self.text}" if self.title else self.text


@dataclass(frozen=True, slots=True)
class Support:
    """`citation` is the 1-based number of the passage that supports the sentence, None when none does; then `reason`
    says, for staff, what is missing in the nearest one."""

    citation: int | None
    reason: str = ""


class SupportChecker(Protocol):
    """Tells whether one of a turn's sources supports a sentence. Made once a turn, with its sources and question."""

    def support(self, sentence: str) -> Support: ...


class LexicalChecker:
    """Compares words and numbers. Needs no model; the passages are read before the first sentence comes."""

    def __init__(self, sources: Sequence[Source], question: str = "") -> None:
        self._sources = tuple(sources)
        self._asked = read(question)
        for source in self._sources:
            _prepare(source.title, source.text)

    def support(self, sentence: str) -> Support:
        """Hold `sentence` against each source; the first that supports it is cited."""
        reasons: list[str] = []
        for number, source in enumerate(self._sources, start=1):
            if stands_in(sentence, source.whole) or not (reason := self._what_is_missing(sentence, source)):
                return Support(number)
            reasons.append(reason)
        return Support(None, reasons[0] if reasons else "no passage was found for this question")

    def _what_is_missing(self, sentence: str, source: Source) -> str:
        plain = normal(sentence)
        opening = grammar("answer").match(plain)
        body = plain[opening.end() :] if opening else plain
        whole = read(body)
        if not _says_enough(whole):
            return "it says too little to be checked against a passage"
        reason = _nearest_difference(Said(body, whole, whole), source)
        parts = _parts(body) if reason else []
        if len(parts) > 1 and not any(
            _nearest_difference(Said(part, read(part), whole, self._free(part, body, source)), source) for part in parts
        ):
            reason = ""
        if not reason and (told := grammar("before_so").match(body)) and not is_case(told["fact"]):
            alone = read(told["fact"])
            reason = _nearest_difference(Said(told["fact"], alone, alone), source) if _says_enough(alone) else ""
        return reason or (_opened_wrongly(opening, whole, source, self._asked) if opening else "")

    def _free(self, part: str, body: str, source: Source) -> frozenset[str]:
        """In "To send a gift, choose Gift …" the words of the purpose may be the question's or the whole passage's."""
        purpose = grammar("purpose").match(body)
        return self._asked.content | read(source.text).content if purpose and purpose[0] == part else frozenset()


def find_support(sentence: str, passages: tuple[str, ...]) -> Support:
    return LexicalChecker([Source("", passage) for passage in passages]).support(sentence)


def content_words(text: str) -> frozenset[str]:
    """Stems of the words that carry meaning; words of one meaning are one stem; negations are left out."""
    return read(text).content


def is_negative(text: str) -> bool:
    return read(text).is_negative


def _says_enough(said: Reading) -> bool:
    return bool(said.content) and len(said.heavy) + len(said.measures) + said.is_negative >= NEEDED_WORDS


def _opened_wrongly(opening: re.Match[str], said: Reading, source: Source, asked: Reading) -> str:
    """After Yes nothing is denied, unless the question does; after No something is denied or narrowed, if only by the
    passage."""
    if opening["yes"]:
        return "it says yes and then denies" if said.is_negative and not asked.is_negative else ""
    narrows = meanings("narrowing")
    near = (read(fact.text) for fact in passage_facts(source.text))
    denies = said.is_negative or said.content & narrows or any(n.is_negative and n.content & said.content for n in near)
    return "" if denies else "it says no where the passage denies nothing"


def _likely(said: Reading, source: Source) -> list[Fact]:
    """The facts that share the most words with what is said; of those that share as many, the short ones first."""

    def distance(fact: Fact) -> tuple[int, int]:
        own = read(fact.text)
        return -len(said.content & own.content) - len(said.kin & own.kin), len(own.heavy)

    return sorted(passage_facts(source.text), key=distance)[:LIKELY_FACTS]


def _prepare(title: str, text: str) -> None:
    """Read a passage once, so that no sentence waits for it."""
    read(title)
    for fact in passage_facts(text):
        read(fact.context)
        conditions(fact.text)
        for part in (fact.text, *clauses(fact.text)):
            read(part)


def _nearest_difference(said: Said, source: Source) -> str:
    """Why no fact of the source carries what is said; empty when one does.

    Words of title and heading are lent only where no fact says the opposite in its own words.
    """
    likely = _likely(said.reading, source)
    reasons = [difference(said, fact) for fact in likely]
    if "" in reasons:
        return ""
    if OPPOSITE in reasons:
        return reasons[0]
    title = read(source.title).content
    lent: list[str] = []
    for fact, reason in zip(likely, reasons, strict=True):
        plain = _without_named_cases(said, f"{source.title}. {fact.context}")
        is_open = plain is not said or reason.startswith(UNSAID)
        lent.append(difference(plain, fact, title | read(fact.context).content) if is_open else reason)
    return "" if "" in lent else next(iter(lent), "the passage is empty")


def _without_named_cases(said: Said, headings: str) -> Said:
    """Without the cases that a heading above names: under "If the answer is not good enough" they need not be said."""
    spoken = cuts(said.text)
    if not any(map(is_case, spoken)):
        return said
    named = [read(heading) for heading in split_sentences(headings)]
    kept = [clause for clause in spoken if not (is_case(clause) and _is_named(read(clause), named))]
    if not kept or len(kept) == len(spoken):
        return said
    text = ", ".join(kept)
    return replace(said, text=text, reading=read(text), beside=read(text))


def _is_named(case: Reading, headings: list[Reading]) -> bool:
    return any(
        case.heavy <= heading.content and case.is_negative == heading.is_negative and not case.measures
        for heading in headings
    )


def _parts(body: str) -> list[str]:
    """The clauses of a sentence. A case stays with what holds in it, and what says too little by itself goes with its
    neighbour. In Hindi and Marathi a case comes first."""
    parts: list[str] = []
    for clause in cuts(_with_limits_named(body)):
        joins = is_case(clause) or not _says_enough(read(clause))
        stays = bool(parts) and joins and not case_before(clause)
        if stays or (parts and (is_case(parts[-1]) or not _says_enough(read(parts[-1])))):
            parts[-1] = f"{parts[-1]}, {clause}"
        else:
            parts.append(clause)
    return parts


def _with_limits_named(body: str) -> str:
    """In "free within 8 km and Rs 20 beyond that" the word "that" is 8 km."""
    match = grammar("limit_again").search(body)
    earlier = body[: match.start()] if match else ""
    named = zip(_NAMED_LIMIT.findall(earlier), measures(earlier), strict=False)
    bounded = [number for number, measure in named if measure.bound]
    if not match or not bounded:
        return body
    limit = f"{bounded[-1]} से" if match["indic"] else f"{match['side']} {bounded[-1]}"
    return f"{body[: match.start()]}{limit}{body[match.end() :]}"
