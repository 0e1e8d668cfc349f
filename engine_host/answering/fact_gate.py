"""The fact gate: a sentence of the model that claims something about an order never leaves.

This gate is strict: a sentence that speaks of the customer's own order is withheld unless it stands word for word in
a passage (then it is article text). Facts about an order come from statements.py, from the row, and nowhere else.
"""

from __future__ import annotations

import re

from engine_host.answering.folding import fold
from engine_host.answering.patterns import first_match, rules, table


def order_claim(sentence: str, passages: tuple[str, ...]) -> str:
    """Why `sentence` may not be shown, for staff; empty when it claims nothing about an order.

    A condition ("If your box is late, …") claims nothing by its first clause: only what follows the comma is judged.
    """
    folded = fold(sentence)
    if any(folded in fold(passage) for passage in passages):
        return ""
    if re.match(table("order_claims")["condition"], folded):
        folded = folded.partition(",")[2]
    return first_match(rules("order_claims", "claim", "reason"), folded)
