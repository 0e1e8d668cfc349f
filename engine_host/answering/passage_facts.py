"""What a passage says, fact by fact: its sentences, and its table cells with their row and column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from engine_host.answering.reading import read, rivals, subject_of
from engine_host.answering.verbatim import passage_sentences

LONGEST_CHAIN = 3
PLAIN_TABLE = 2
"""Columns of a table in which the row alone says of what a cell holds."""
_RULE = re.compile(r"\|[\s:|-]+\|?")
_IT = re.compile(r"(?:it|its|they|these|those|this)\s", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"^(?:it|its|they|them|these|this|those|then|instead|there|that|such|the same|otherwise"
    r"|यह|इसे|इस|इसके|उसे|उस|वह|वे|ये|हे|हा|ही|तो|ती|ते|त्या|त्यात|त्यावर|यात|या)(?:\s|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One sentence or cell, and what a reader has in mind with it: the heading above, the sentence it points back to,
    the line that opens its list. `of` names the row of a cell, and its column where there are several: what a cell says
    holds of nothing else."""

    text: str
    context: str = ""
    of: tuple[str, ...] = ()


@lru_cache(maxsize=512)
def passage_facts(passage: str) -> tuple[Fact, ...]:
    facts: list[Fact] = []
    heading = opening = before = ""
    header: tuple[str, ...] = ()
    for own in passage_sentences(passage):
        if own.startswith("|"):
            header = _take_row(own, header, heading, facts)
            continue
        header = ()
        is_item = own.startswith(("-", "*", "+")) or own[:1].isdigit()
        if own.startswith("#"):
            heading, opening = own, ""
        elif not is_item:
            opening = own if own.endswith(":") else ""
        points_back = before if _POINTS_BACK.match(own) else ""
        facts.append(Fact(own, " ".join(filter(None, (heading, opening if is_item else "", points_back)))))
        before = own
    return (*facts, *_joined(facts))


def _joined(facts: list[Fact]) -> list[Fact]:
    """Neighbouring sentences about the same thing as one fact: "A bulk order gets 10 percent off. A bulk order must be
    placed 2 days before." Sentences about two things are never joined, so that nothing is said of the wrong one."""
    joined: list[Fact] = []
    chain: list[Fact] = facts[:1]
    for before, fact in pairwise(facts):
        if _is_about_the_same(before, fact):
            chain = [*chain[-(LONGEST_CHAIN - 1) :], fact]
            joined.append(Fact("; ".join(one.text.rstrip(".।! ") for one in chain), fact.context))
        else:
            chain = [fact]
    return joined


def _is_about_the_same(before: Fact, fact: Fact) -> bool:
    """Two numbers of one unit, or two rivals such as lunch and dinner, are told of two things."""
    subject, one, other = subject_of(fact.text), read(before.text), read(fact.text)
    alike = [a == b and not a.bound for a in one.measures for b in other.measures if a.units == b.units]
    two_things = any(len((one.content | other.content) & line) > 1 for line in rivals())
    is_same = _IT.match(fact.text) is not None or (bool(subject) and subject <= one.content) or any(alike)
    return is_same and all(alike) and not two_things


def _take_row(row: str, header: tuple[str, ...], heading: str, facts: list[Fact]) -> tuple[str, ...]:
    """Adds the facts of one table row; returns the header that holds for the next row."""
    cells = tuple(cell.strip() for cell in row.strip().strip("|").split("|"))
    if _RULE.fullmatch(row):
        return header
    if not header:
        return cells
    for name, cell in zip(header[1:], cells[1:], strict=False):
        of = (cells[0], name) if len(header) > PLAIN_TABLE else (cells[0],)
        facts.append(Fact(f"{header[0]} {cells[0]} {name} {cell}", heading, of))
    return header
