"""Signs of what a question is about: phrases in four languages, and the rules that put them together. All is data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from engine_host.answering.folding import fold, without_long_numbers
from engine_host.answering.patterns import table
from engine_host.answering.pictures import in_words
from engine_host.answering.spelling import KeyWords

if TYPE_CHECKING:
    from collections.abc import Iterable
    from collections.abc import Set as AbstractSet

LANGUAGES = ("en", "hinglish", "hi", "mr")
ALONE = "alone"
FOLLOW_UP = "follow_up"
OPENER = "opener"
SMALL_TALK = "small_talk"
_WHOLE = (ALONE, FOLLOW_UP, SMALL_TALK)
"""Signs that are a whole question, with nothing but polite words around it; all others stand anywhere in it."""

_NUKTA = "\u093c"
_CHANDRABINDU, _ANUSVARA = "\u0901", "\u0902"
_MARKS = re.compile(r"[^\w\u0900-\u0963\u0970-\u097f]+")
_DOUBLED = re.compile(r"([a-z])\1+")
_GAP = "(?:[^ ]+ ){0,4}"


@dataclass(frozen=True, slots=True)
class Rule:
    """`name` is what staff read. The rule holds when all of `needs` are there and none of `unless`."""

    name: str
    needs: frozenset[str]
    unless: frozenset[str]

    def holds(self, signs: AbstractSet[str]) -> bool:
        return self.needs <= signs and not self.unless & signs


def plain_words(text: str) -> str:
    """Words between single blanks: folded, without marks, apostrophes, nukta, doubled letters and long numbers.

    Pictures count where there are no words.
    """
    folded = (
        without_long_numbers(fold(in_words(text)))
        .replace("'", "")
        .replace(_NUKTA, "")
        .replace(_CHANDRABINDU, _ANUSVARA)
    )
    return _DOUBLED.sub(r"\1", _MARKS.sub(" ", folded)).strip()


def spelt_words(text: str) -> str:
    """`plain_words` with misspelt key words set right."""
    known = _key_words()
    return " ".join(known.nearest(word) for word in plain_words(text).split())


def clauses(text: str) -> list[str]:
    """The parts of a question that may each ask for something of their own."""
    return [part for part in _between_clauses().split(text) if part.strip()]


def signs_of(text: str) -> frozenset[str]:
    """The signs that `text` shows in any of the languages, misspelt key words included."""
    words = _tell_me().sub(" ", f" {spelt_words(text)} ")
    inside = {sign for sign, pattern in _inside().items() if pattern.search(words)}
    whole = {sign for sign, pattern in _wholly().items() if pattern.fullmatch(words)}
    return frozenset(inside | whole | ({OPENER} if _opening().match(words) else set()))


def first_rule(rows: str, signs: AbstractSet[str]) -> str:
    """Name of the first rule of `rows` (order, help, besides, frame, together) that holds; empty when none does."""
    return next((rule.name for rule in _rules(rows) if rule.holds(signs)), "")


def all_rules(rows: str, signs: AbstractSet[str]) -> tuple[str, ...]:
    """Names of all rules of `rows` that hold."""
    return tuple(rule.name for rule in _rules(rows) if rule.holds(signs))


@cache
def _rules(rows: str) -> tuple[Rule, ...]:
    return tuple(
        Rule(row["name"], frozenset(row["needs"].split()), frozenset(row.get("unless", "").split()))
        for row in table("rules")[rows]
    )


@cache
def _phrases() -> dict[str, tuple[str, ...]]:
    """All phrases of a sign, of all languages."""
    found: dict[str, list[str]] = {SMALL_TALK: _listed(table("rules")["small_talk"])}
    for language in LANGUAGES:
        for sign, phrases in table(f"signs.{language}").items():
            found.setdefault(sign, []).extend(_listed(phrases))
    return {sign: tuple(phrases) for sign, phrases in found.items()}


def _listed(phrases: str) -> list[str]:
    return [phrase for part in phrases.split(",") if (phrase := part.strip())]


@cache
def _inside() -> dict[str, re.Pattern[str]]:
    return {
        sign: re.compile(f"(?<= ){_one_of(phrases)}(?= )")
        for sign, phrases in _phrases().items()
        if sign not in _WHOLE and sign != OPENER
    }


@cache
def _wholly() -> dict[str, re.Pattern[str]]:
    polite = f"(?:{_one_of(_listed(table('rules')['polite']))} )*"
    return {sign: re.compile(f" {polite}{_one_of(_phrases()[sign])} {polite}") for sign in _WHOLE}


@cache
def _between_clauses() -> re.Pattern[str]:
    words = "|".join(_listed(table("rules")["clause_words"]))
    return re.compile(rf"[.?!,;।\n]+|(?<=\s)(?:{words})(?=\s)", re.IGNORECASE)


@cache
def _tell_me() -> re.Pattern[str]:
    return re.compile(f" {_one_of(_listed(table('rules')['tell_me']))} ")


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(f" {_one_of(_phrases()[OPENER])} ")


def _one_of(phrases: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(_pattern, phrases))})"


def _pattern(phrase: str) -> str:
    return f" {_GAP}".join(filter(None, map(_part, phrase.split(" .. "))))


def _part(written: str) -> str:
    begins = "[^ ]+" if written.startswith("*") else ""
    return begins + plain_words(written) + ("[^ ]*" if written.endswith("*") else "")


@cache
def _key_words() -> KeyWords:
    """Every word of the phrases may stand in a question; the longer ones are also known when they are misspelt."""
    known = {word for phrases in _phrases().values() for phrase in phrases for word in plain_words(phrase).split()}
    others = plain_words(table("rules")["not_misspelt"]).split()
    return KeyWords(plain_words(table("rules")["key_words"]).split(), known.union(others))
