"""The fact gate: a sentence of the model that claims something about an order never leaves.

This gate is strict: a sentence that speaks of the customer's own order is withheld, also when it happens to be true,
unless it is, word for word, a sentence of a passage which tells of no single order, or speaks of a case ("If your box
is late, …"). Facts about an order come from statements.py, from the row, and nowhere else.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from engine_host.answering.disguise import disguise
from engine_host.answering.folding import fold
from engine_host.answering.order_numbers import order_ids
from engine_host.answering.patterns import first_match, pattern, rules, table
from engine_host.answering.verbatim import passage_sentences, stands_in

_FILE = "order_claims"
_MARKS = re.compile(
    r"[*_`#>|~{}\[\]<\"“”«»=()\\^•·]|[\u2190-\u21ff\u2300-\u23ff\u2500-\u27bf\U0001f000-\U0001faff\ufe0f\u200d]"
)


def order_claim(sentence: str, passages: tuple[str, ...]) -> str:
    """Why `sentence` may not be shown, for staff; empty when it claims nothing about an order."""
    if any(stands_in(sentence, passage) for passage in passages):
        return order_tale(sentence)
    if hidden := disguise(sentence, passages):
        return hidden
    if len(_pictures() & set(sentence)) > 1:
        return "it tells a status in pictures"
    return first_match(rules(_FILE, "number", "reason"), fold(sentence)) or _claimed(_plain(sentence))


def order_tale(sentence: str) -> str:
    """Why an article's own `sentence` may not be shown, for staff: it tells what became of one order, which no article
    can know. Empty for everything that speaks of orders in general."""
    return first_match(rules(_FILE, "number", "reason"), fold(sentence)) or _tale(sentence)


@lru_cache(maxsize=1024)
def tells_of_an_order(passage: str, prefix: str) -> bool:
    """Whether any sentence of an article's passage tells what became of one order, or names one of the tenant whose
    order numbers begin with `prefix`. Then its other sentences are about that order too: "It left at 12:05."
    """
    return any(_tale(sentence) or _names(sentence, prefix) for sentence in passage_sentences(passage))


def _tale(sentence: str) -> str:
    folded = fold(sentence)
    speaks_of_a_case = pattern(_FILE, "case").search(folded) and not pattern(_FILE, "tale_mark").search(folded)
    return "" if speaks_of_a_case else first_match(rules(_FILE, "tale", "reason"), _plain(sentence))


def _names(sentence: str, prefix: str) -> bool:
    return bool(order_ids(sentence, (prefix,))) and not pattern(_FILE, "example").search(fold(sentence))


def told_by_customer(text: str) -> str:
    """Why what a customer wrote is not shown to a model again, for staff: it says something about an order."""
    return order_claim(text, ()) or first_match(rules(_FILE, "customer", "reason"), _plain(text))


def _claimed(plain: str) -> str:
    rest, is_case = _without_cases(plain)
    if claim := first_match(rules(_FILE, "claim", "reason"), rest):
        return claim
    is_rule = is_case or pattern(_FILE, "general").search(plain)
    return "" if is_rule else first_match(rules(_FILE, "present", "reason"), rest)


@lru_cache(maxsize=512)
def _without_cases(plain: str) -> tuple[str, bool]:
    """`plain` without the clauses that only say in which case something holds, and whether one of them was a case that
    an article can speak of."""
    found: list[str] = []

    def taken_out(match: re.Match[str]) -> str:
        clause = match.group()
        if pattern(_FILE, "case_mark").search(clause) or pattern(_FILE, "leads_up").search(clause):
            return clause
        found.append(clause)
        return " , "

    rest = plain
    for name in ("condition", "condition_indic", "condition_roman"):
        rest = pattern(_FILE, name).sub(taken_out, rest)
    if not re.search(r"\w", rest):
        return plain, False
    return rest, any(pattern(_FILE, "case_verb").search(clause) for clause in found)


@lru_cache(maxsize=512)
def _plain(sentence: str) -> str:
    """Folded, without Markdown, brackets, quotes and pictures, so that they can't stand inside a claim."""
    return " ".join(_MARKS.sub(" ", fold(sentence)).split())


@cache
def _pictures() -> frozenset[str]:
    return frozenset(table(_FILE)["pictures"])
