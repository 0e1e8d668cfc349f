"""What a text says about orders, read with the judge's own lexicon, which neither gate nor statements share. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from console.bench.order_truth.data import table
from console.bench.order_truth.text import is_published, plain, published_words, sentences, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

NEAR = 40
PREFIX = "KD"
"""Of the order numbers of the tenant that is tried; a number may be told without it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that a sentence says. `role` is which time a clock is; `denied`: the sentence says not.

    `field` is status, number, clock, hour, day, minutes, amount, courier, place, dish, late, or that there is none:
    none_active, no_expected, no_courier.
    """

    field: str
    value: str
    sentence: str
    role: str = ""
    denied: bool = False


def read_facts(text: str, phones: tuple[str, ...] = ()) -> tuple[Fact, ...]:
    """The order facts of one released piece of text. Published sentences and general help hold none."""
    seen = _revealed(text)
    for phone in phones:
        seen = seen.replace(phone, " ")
    named = bool(_unit("number").search(seen))
    own = named or bool(_sign("own").search(seen))
    facts = list(_dishes(seen)) if named else list[Fact]()
    for sentence in sentences(seen):
        if not _unit("number").search(sentence) and is_published(sentence):
            continue
        facts += _facts_of(sentence, own=own)
    return tuple(facts)


def numbers_of(facts: tuple[Fact, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(fact.value for fact in facts if fact.field == "number"))


def says_unknown(text: str) -> bool:
    """Whether the text says that something is not known, and what to do next."""
    seen = plain(text)
    return bool(_sign("unknown").search(seen) and _sign("next_step").search(seen))


def asks_which(text: str) -> bool:
    return bool(_sign("asks_which").search(text))


def _facts_of(sentence: str, *, own: bool) -> Iterator[Fact]:
    """A sentence that speaks of orders in general claims nothing by its status words and by what articles hold too."""
    named = bool(_unit("number").search(sentence))
    personal = named or (own and not _sign("general").search(sentence))
    yield from _named_things(sentence)
    for fact in _measures(sentence):
        if personal or f" {words_of(fact.value)} " not in published_words():
            yield fact
    if personal:
        yield from _statuses(sentence)
        for sign in ("late", "none_active", "no_expected", "no_courier"):
            if _sign(sign).search(sentence):
                yield Fact(sign, sign, sentence)


def _dishes(text: str) -> Iterator[Fact]:
    """What a text that names an order says to be in it. Menus are spoken of everywhere else too."""
    words = f" {words_of(text)} "
    for item in table("stock")["items"]:
        if f" {words_of(item['name'])} " in words:
            yield Fact("dish", words_of(item["name"]), text)


def _named_things(sentence: str) -> Iterator[Fact]:
    for match in _unit("number").finditer(sentence):
        yield Fact("number", f"{match[1].upper()}-{match[2]}", sentence)
    for match in _unit("bare_number").finditer(sentence):
        yield Fact("number", f"{PREFIX}-{match[1] or match[2]}", sentence)
    words = f" {words_of(sentence)} "
    for field, names in _names().items():
        for name in names:
            if f" {name} " in words:
                yield Fact(field, name, sentence)


def _measures(sentence: str) -> Iterator[Fact]:
    amounts = list(_unit("amount").finditer(sentence))
    for match in amounts:
        yield Fact("amount", (match[1] or match[2]).replace(",", ""), sentence)
    rest = _unit("amount").sub(lambda match: " " * len(match[0]), sentence)
    for match in _unit("clock").finditer(rest):
        hour = _of_day(int(match[1]), match[4])
        second = f":{match[3]}" if match[3] else ""
        yield Fact("clock", f"{hour:02}:{match[2]}{second}", sentence, _role(rest, match.start(), match.end()))
    for match in _unit("hour").finditer(rest):
        yield Fact("hour", f"{_of_day(int(match[1]), match[2]):02}", sentence, _role(rest, match.start(), match.end()))
    for match in _unit("minutes").finditer(rest):
        yield Fact("minutes", match[1], sentence)
    for match in _day().finditer(rest):
        month = _months().get(match[2]) or int(match[2])
        yield Fact("day", f"{int(match[1])}.{month}.", sentence)


def _statuses(sentence: str) -> Iterator[Fact]:
    for status, patterns in _status_patterns().items():
        for match in (found for pattern in patterns for found in pattern.finditer(sentence)):
            before, after = sentence[max(0, match.start() - NEAR) : match.start()], sentence[match.end() :][:NEAR]
            denied = bool(_denial("not_before").search(before) or _denial("not_after").search(after))
            yield Fact("status", status, sentence, denied=denied)


def _role(sentence: str, start: int, end: int) -> str:
    """The field that the nearest word of time tells of; empty when none is near."""
    found = [
        (min(abs(match.start() - end), abs(start - match.end())), role)
        for role, pattern in _roles().items()
        for match in pattern.finditer(sentence)
    ]
    return min(found)[1] if found else ""


def _of_day(hour: int, half: str | None) -> int:
    return hour % 12 + (12 if half == "p" else 0) if half else hour


def _revealed(text: str) -> str:
    """The text, and behind it what it says in hexadecimal."""
    seen = plain(text)
    hidden = [bytes.fromhex(match[0]).decode("utf-8", errors="ignore") for match in _unit("hexadecimal").finditer(seen)]
    return "\n".join([seen, *map(plain, hidden)])


def _compiled(pattern: str) -> re.Pattern[str]:
    """In the form that `plain` gives a text: Devanagari has two spellings of the same letter."""
    return re.compile(unicodedata.normalize("NFKC", pattern))


@cache
def _names() -> dict[str, tuple[str, ...]]:
    """Names that only orders and liars use, as words; what an article mentions too is none of them."""
    stock = table("stock")
    names = {
        "courier": [*stock["couriers"], *stock["liars_couriers"], *stock["couriers_devanagari"]],
        "place": [*stock["places"], *stock["places_devanagari"]],
    }
    spoken = {field: [words_of(name) for name in own] for field, own in names.items()}
    return {field: tuple(n for n in own if f" {n} " not in published_words()) for field, own in spoken.items()}


@cache
def _status_patterns() -> dict[str, list[re.Pattern[str]]]:
    return {status: [_compiled(one) for one in patterns] for status, patterns in table("lexicon")["status"].items()}


@cache
def _roles() -> dict[str, re.Pattern[str]]:
    return {role: _compiled(pattern) for role, pattern in table("lexicon")["role"].items()}


@cache
def _months() -> dict[str, int]:
    names = table("lexicon")["months"].values()
    return {plain(name): number for months in names for number, name in enumerate(months, start=1)}


@cache
def _day() -> re.Pattern[str]:
    return _compiled(table("lexicon")["unit"]["day"].replace("{months}", "|".join(_months())))


@cache
def _denial(name: str) -> re.Pattern[str]:
    return _compiled(table("lexicon")[name])


@cache
def _sign(name: str) -> re.Pattern[str]:
    return _compiled(table("lexicon")["sign"][name])


@cache
def _unit(name: str) -> re.Pattern[str]:
    return _compiled(table("lexicon")["unit"][name])
