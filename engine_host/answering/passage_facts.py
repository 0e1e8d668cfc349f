"""What a passage says, fact by fact: its sentences, and its table cells with their row and column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from engine_host.answering.verbatim import passage_sentences

_RULE = re.compile(r"\|[\s:|-]+\|?")
_POINTS_BACK = re.compile(
    r"^(?:it|its|they|them|these|this|those|then|instead|there|that|such|the same|otherwise"
    r"|यह|इसे|इस|इसके|उसे|उस|वह|वे|ये|हे|हा|ही|तो|ती|ते|त्या|त्यात|त्यावर|यात|या)(?:\s|$)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Fact:
    """One sentence or cell, and what a reader has in mind with it: the heading above, the sentence it points back to,
    the line that opens its list."""

    text: str
    context: str = ""


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
    return tuple(facts)


def _take_row(row: str, header: tuple[str, ...], heading: str, facts: list[Fact]) -> tuple[str, ...]:
    """Adds the facts of one table row; returns the header that holds for the next row."""
    cells = tuple(cell.strip() for cell in row.strip().strip("|").split("|"))
    if _RULE.fullmatch(row):
        return header
    if not header:
        return cells
    for name, cell in zip(header[1:], cells[1:], strict=False):
        facts.append(Fact(f"{header[0]} {cells[0]} {name} {cell}", heading))
    return header
