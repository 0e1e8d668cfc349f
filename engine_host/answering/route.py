"""Is this turn about an order of this customer, about help, both, or neither?

Code first: order numbers, rules over signs, the turn before, the nearest labelled examples; where these are unsure a
tool-trained model is asked; in doubt the order is looked up. A wrong "order" costs one look-up, a wrong "no order" is a
defect. Help is the default of everything that is neither a plain order question nor small talk.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine_host.answering.events import Routed
from engine_host.answering.follow_up import is_bare, is_follow_up, names_nothing, same_orders, turn_before
from engine_host.answering.language import detect_language
from engine_host.answering.model_choice import model_choice
from engine_host.answering.nearest import by_letters, leaning
from engine_host.answering.order_numbers import answered_ids, opening_ids, order_ids
from engine_host.answering.patterns import table
from engine_host.answering.scales import chance, on_the_scales
from engine_host.answering.signs import SMALL_TALK, clauses, first_rule, plain_words, signs_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine_host.answering.follow_up import Before
    from engine_host.answering.help_way import WriterSource
    from engine_host.answering.model_choice import Choice
    from engine_host.answering.nearest import Examples, Nearest
    from engine_host.answering.way import Spent
    from storage.records import Turn

EVERYTHING_ELSE = "everything else"
LIKE_AN_EXAMPLE = "like an example"
UNROUTED = Routed(order=False, help=False, order_rule="", help_rule="", order_ids=(), elapsed_ms=0.0)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to be routed, with the order number prefixes of its tenant and the customer's turns before it."""

    text: str
    prefixes: tuple[str, ...]
    earlier: tuple[Turn, ...] = ()


class Router:
    """Routes questions; `engines` gives the model that is asked where code is unsure."""

    def __init__(self, examples: Examples, engines: WriterSource) -> None:
        self._examples = examples
        self._engines = engines

    async def warm(self) -> None:
        """Make ready what the first question would wait for. Raises KnowledgeError."""
        signs_of("")
        await self._examples.warm()

    async def route(self, asked: Asked, spent: Callable[[Spent], None]) -> Routed:
        """The way of a question; `spent` is told the tokens of a model that was asked."""
        began = time.monotonic()
        routed = by_rules(asked)
        if routed is None:
            routed = await self._weighed(asked.text, spent)
        elif routed.by == "rule" and not routed.help and (like := by_letters(asked.text)).is_other:
            routed = replace(routed, help=True, help_rule=LIKE_AN_EXAMPLE, nearest=like.example.text)
        if routed.order and not routed.order_ids:
            ids = same_orders(turn_before(asked.earlier), signs_of(asked.text))
            routed = replace(routed, order_ids=ids, of_before=bool(ids))
        return replace(routed, elapsed_ms=(time.monotonic() - began) * 1000)

    async def _weighed(self, text: str, spent: Callable[[Spent], None]) -> Routed:
        signs, limits = signs_of(text), table("weights")
        nearest = await self._examples.nearest_to(text)
        how_likely = chance(on_the_scales(len(plain_words(text).split()), signs, nearest, leaning().of(text)))
        if how_likely >= limits["order_from"]:
            return _like(signs, nearest, alone=how_likely >= limits["order_alone_from"])
        if how_likely < limits["doubt_from"][detect_language(text)]:
            return _help(signs, "example", nearest)
        writer = await self._engines.writer()
        choice = await model_choice(writer, text, spent) if writer and writer.tools else None
        return _chosen(choice, signs, nearest)


def by_rules(asked: Asked) -> Routed | None:
    """What numbers, rules and the turn before say; None when they say nothing."""
    signs, before = signs_of(asked.text), turn_before(asked.earlier)
    ids = order_ids(asked.text, asked.prefixes)
    if not ids and (before is None or before.routed.order):
        ids = (answered_ids if before else opening_ids)(asked.text, asked.prefixes)
    if ids:
        return _order(f"order number {ids[0]}", _help_rule(signs), "number", ids)
    if SMALL_TALK in signs:
        return replace(UNROUTED, by="small talk")
    order_rule = first_rule("order", signs)
    if is_follow_up(asked.text, signs, order_rule) or is_bare(signs):
        return _after(before, signs)
    if order_rule and _is_plain(asked.text, signs):
        return _order(order_rule, _help_rule(signs), "rule")
    if alone := _help_alone(asked.text):
        return replace(UNROUTED, help=True, help_rule=alone, by="rule")
    return _after(before, signs) if before and not order_rule and names_nothing(asked.text, signs) else None


def _is_plain(text: str, signs: frozenset[str]) -> bool:
    """Whether an order rule holds outside every frame: in the whole question, or in a clause of it by itself."""
    if not first_rule("frame", signs):
        return True
    return any(first_rule("order", own) and not first_rule("frame", own) for own in map(signs_of, clauses(text)))


def _help_alone(text: str) -> str:
    """Name of the rule by which a clause of the question can only be answered from an article; empty for none."""
    return next(filter(None, (first_rule("help_alone", signs_of(clause)) for clause in clauses(text))), "")


def _after(before: Before | None, signs: frozenset[str]) -> Routed:
    """A follow-up goes the way of the turn before; after nothing it is taken for a question for an order."""
    if before is None or before.routed.order:
        return _order("follow-up", _help_rule(signs), "follow-up")
    if is_bare(signs):
        return _order("short question for an order", "follow-up", "follow-up")
    return Routed(False, True, "", "follow-up", (), 0.0, "follow-up")


def _help_rule(signs: frozenset[str]) -> str:
    """What the articles are asked for beside an order that is certain."""
    return first_rule("help", signs) or first_rule("besides", signs)


def _order(order_rule: str, help_rule: str, by: str, ids: tuple[str, ...] = ()) -> Routed:
    return Routed(True, bool(help_rule), order_rule, help_rule, ids, 0.0, by)


def _help(signs: frozenset[str], by: str, nearest: Nearest) -> Routed:
    help_rule = first_rule("help", signs) or EVERYTHING_ELSE
    return Routed(False, True, "", help_rule, (), 0.0, by, nearest.example.text)


def _like(signs: frozenset[str], nearest: Nearest, *, alone: bool) -> Routed:
    """About an order as its nearest example is. About help too when that example or a rule says so, and, unless it is
    for the order `alone`, when it stands in a frame."""
    like_both = LIKE_AN_EXAMPLE if nearest.example.label == "both" else ""
    help_rule = first_rule("help", signs) or like_both or ("" if alone else first_rule("frame", signs))
    order_rule = first_rule("order", signs) or LIKE_AN_EXAMPLE
    return replace(_order(order_rule, help_rule, "example"), nearest=nearest.example.text)


def _chosen(choice: Choice | None, signs: frozenset[str], nearest: Nearest) -> Routed:
    """What the model said; in doubt both. What it takes for small talk goes to the articles, which know nothing."""
    if choice is None:
        doubt = _order("in doubt", first_rule("help", signs) or EVERYTHING_ELSE, "doubt")
        return replace(doubt, nearest=nearest.example.text)
    if choice in ("help", "neither"):
        return _help(signs, "model", nearest)
    help_rule = first_rule("help", signs) or ("the model's choice" if choice == "both" else "")
    return replace(_order("the model's choice", help_rule, "model"), nearest=nearest.example.text)
