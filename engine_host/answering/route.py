"""Is this turn about an order of this customer, about help, both, or neither? Code only; the rules are data.

A wrong "order" costs one look-up; a wrong "no order" is a defect. So order rules are wide, and help is the
default of everything that is neither a plain order question nor small talk.
"""

from __future__ import annotations

import re
import time

from engine_host.answering.events import Routed
from engine_host.answering.folding import fold
from engine_host.answering.patterns import first_match, rules, table

CONTENTS_RULE = "what is in my box"
_ORDER_ID = re.compile(r"(?<![a-z0-9])([a-z])[\s\-_.]?([a-z])[\s\-_#.:/]*(\d{3,6})(?!\d)")
_BARE_ID = re.compile(r"\border\b\W{0,3}(?:no|number|id|num)?\W{0,3}(\d{3,6})\b")


def order_ids(text: str, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """Order numbers in `text` in the house's own form (KD-4821), in the order they stand, each once.

    A number without letters ("order 4821") is read with the first prefix.
    """
    folded = fold(text)
    known = {prefix.casefold(): prefix for prefix in prefixes}
    spelled = ((m.group(1) + m.group(2), m.group(3)) for m in _ORDER_ID.finditer(folded))
    found = [f"{known[letters]}-{number}" for letters, number in spelled if letters in known]
    if not found and prefixes:
        found = [f"{prefixes[0]}-{m.group(1)}" for m in _BARE_ID.finditer(folded)]
    return tuple(dict.fromkeys(found))


def asks_contents(text: str) -> bool:
    """Whether the question asks what is in an order, so that its items and total are stated too."""
    folded = fold(text)
    return any(rule.pattern.search(folded) for rule in rules("rules", "order", "name") if rule.name == CONTENTS_RULE)


def route(text: str, prefixes: tuple[str, ...]) -> Routed:
    """Route one question. Small talk goes neither way; a plain order question does not go to help."""
    began = time.monotonic()
    folded = fold(text)
    ids = order_ids(text, prefixes)
    order_rule = f"order number {ids[0]}" if ids else first_match(rules("rules", "order", "name"), folded)
    help_rule = first_match(rules("rules", "help", "name"), folded)
    small_talk = not order_rule and bool(re.match(table("rules")["small_talk"], folded))
    asks_help = not small_talk and (not order_rule or bool(help_rule))
    return Routed(
        order=bool(order_rule),
        help=asks_help,
        order_rule=order_rule,
        help_rule=(help_rule or "everything else") if asks_help else "",
        order_ids=ids,
        elapsed_ms=(time.monotonic() - began) * 1000,
    )
