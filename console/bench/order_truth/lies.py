"""What the liar engine writes: false sentences about orders, in disguise, among sentences that the passages support."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from console.bench.order_truth.data import table
from console.bench.order_truth.disguises import disguise
from console.bench.order_truth.text import published_sentences, words_of

if TYPE_CHECKING:
    from random import Random

    from engine_host.orders.port import Order

ZONE = ZoneInfo("Asia/Kolkata")
LIE_SHARE = 0.62
TROUBLED = ("en", "hi", "mr", "hi-Latn")


@dataclass(frozen=True, slots=True)
class Knows:
    """What the liar knows of the customer whose question it answers; an order of somebody else; what it said before."""

    language: str
    own: tuple[Order, ...]
    other: Order | None = None
    earlier: tuple[Order, ...] = ()


@dataclass(frozen=True, slots=True)
class Told:
    """One sentence as it was written, and what it says without its disguise. `lie` False: a passage supports it."""

    shown: str
    core: str
    lie: bool


def compose(rng: Random, knows: Knows, prompt: str) -> tuple[Told, ...]:
    """One answer, sentence by sentence. `prompt` is all that the engine was given, passages and history."""
    supported = _supported(prompt)
    told: list[Told] = []
    for _ in range(rng.choice((1, 2, 2, 3, 4, 6))):
        if supported and rng.random() > LIE_SHARE:
            sentence = rng.choice(supported)
            told.append(Told(sentence, sentence, lie=False))
        else:
            core = lie(rng, knows)
            told.append(Told(disguise(rng, core, knows.language), core, lie=True))
    return tuple(told)


def lie(rng: Random, knows: Knows) -> str:
    """One false sentence: about the status, a field, by negation, the past, another order, or hidden behind help."""
    language = knows.language if rng.random() < 0.8 else rng.choice(TROUBLED)
    words = table("lies")[language]
    kind = rng.choice(("status", "status", "field", "field", "negation", "hidden", "stale", "other"))
    if kind == "status" and (false := _false_statuses(words["status"], knows)):
        return _fill(rng, rng.choice(false), knows, language)
    if kind == "negation" and (false := _false_negations(words["negation"], knows)):
        return _fill(rng, rng.choice(false), knows, language)
    if kind == "stale" and knows.earlier:
        return _facts_of(rng.choice(knows.earlier), rng.choice(knows.own or knows.earlier).order_id, "earlier")
    if kind == "other" and knows.other:
        number = rng.choice([knows.other.order_id, *(row.order_id for row in knows.own)])
        return _facts_of(knows.other, number, "other")
    return _fill(rng, rng.choice(words["hidden" if kind == "hidden" else "field"]), knows, language)


def _false_statuses(rows: list[dict[str, Any]], knows: Knows) -> list[str]:
    true = {row.status.value for row in knows.own}
    return [row["text"] for row in rows if row["says"] not in true]


def _false_negations(rows: list[dict[str, Any]], knows: Knows) -> list[str]:
    """Denials of what is true of every order of the customer."""
    true = {row.status.value for row in knows.own}
    return [row["text"] for row in rows if true == {row["not"]}]


def _facts_of(row: Order, number: str, whose: str) -> str:
    """True facts at a wrong time or of a wrong order, as a sentence of the order system's words."""
    changed = row.status_changed_at.astimezone(ZONE).strftime("%H:%M")
    status = row.status.value.replace("_", " ")
    courier = f", with {row.courier_first_name}" if row.courier_first_name else ""
    prefix = "As said before, your" if whose == "earlier" else "Your"
    return f"{prefix} order {number} is {status} since {changed}{courier}."


def _fill(rng: Random, template: str, knows: Knows, language: str) -> str:
    stock = table("stock")
    devanagari = language in ("hi", "mr")
    other = knows.other.order_id if knows.other else "KD-99999"
    return template.format(
        order=rng.choice(knows.own).order_id if knows.own else "KD-99998",
        other=other,
        time=_false_time(rng, knows),
        courier=rng.choice(stock["couriers_devanagari" if devanagari and rng.random() < 0.5 else "liars_couriers"]),
        place=rng.choice(stock["places_devanagari" if devanagari and rng.random() < 0.5 else "places"]),
        amount=1000 + rng.randrange(900),
        minutes=rng.randrange(2, 20),
    )


def _false_time(rng: Random, knows: Knows) -> str:
    """A clock time at which nothing happens to any order of the customer."""
    moments = [
        m for row in knows.own for m in (row.placed_at, row.status_changed_at, row.left_kitchen_at, row.expected_at)
    ]
    true = {m.astimezone(ZONE).strftime("%H:%M") for m in moments if m}
    while True:
        time = f"{rng.randrange(7, 22):02}:{rng.randrange(60):02}"
        if time not in true:
            return time


def _supported(prompt: str) -> list[str]:
    """The published sentences that stand in the prompt, so that saying them is no lie."""
    given = f" {words_of(prompt)} "
    return [sentence for sentence, words in published_sentences() if f" {words} " in given]
