"""The fact gate: a sentence of the model that claims something about an order never leaves.

This gate is strict: a sentence that speaks of the customer's own order is withheld unless it is, word for word, a
sentence of a passage (article text) which tells of no single order. Facts about an order come from statements.py, from
the row, and nowhere else.
"""

from __future__ import annotations

import re

from engine_host.answering.folding import fold
from engine_host.answering.patterns import first_match, rules, table
from engine_host.answering.verbatim import stands_in

# A condition that holds a clock time, a day of now or an order's number is no condition but a tale of one order.
_TALE = re.compile(r"\d{1,2}[:.]\d{2}|\d\s*[ap]\.?m\b|\b(?:now|today|already)\b|\b[a-z]{2}[\s\-]?\d{3,6}\b")


def order_claim(sentence: str, passages: tuple[str, ...]) -> str:
    """Why `sentence` may not be shown, for staff; empty when it claims nothing about an order.

    A condition ("If your box is late, …") claims nothing by its first clause: only what follows the comma is judged.
    """
    if any(stands_in(sentence, passage) for passage in passages):
        return order_tale(sentence)
    folded = fold(sentence)
    condition, comma, rest = folded.partition(",")
    if comma and re.match(table("order_claims")["condition"], folded) and not _TALE.search(condition):
        folded = rest
    return first_match(rules("order_claims", "claim", "reason"), folded)


def order_tale(sentence: str) -> str:
    """Why an article's own `sentence` may not be shown, for staff: it tells what became of one order, which no article
    can know. Empty for everything that speaks of orders in general."""
    folded = fold(sentence)
    if named := first_match(rules("order_claims", "number", "reason"), folded):
        return named
    speaks_of_a_case = re.search(table("order_claims")["case"], folded) and not _TALE.search(folded)
    return "" if speaks_of_a_case else first_match(rules("order_claims", "tale", "reason"), folded)
