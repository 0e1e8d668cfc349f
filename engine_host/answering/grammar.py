"""Patterns and small words by which a sentence is cut into clauses: read from assets/grounding/grammar.toml once."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from engine_host.answering.wording import normal


@cache
def grammar(name: str) -> re.Pattern[str]:
    return re.compile(_file()["patterns"][name])


def compile_all() -> None:
    for name in _file()["patterns"]:
        grammar(name)


@cache
def small_words(name: str) -> frozenset[str]:
    return frozenset(_file()["words"][name].split())


@lru_cache(maxsize=4096)
def clauses(text: str) -> tuple[str, ...]:
    """`text` cut where a clause may end: at commas, colons and joining words, and before a case.

    In Hindi and Marathi a clause ends with its verb: what has none is part of a list and goes with the next.
    """
    parts: list[str] = []
    open_part = ""
    for part in cuts(text):
        if parts and _continues_a_denied_list(parts[-1], part):
            parts[-1] = f"{parts[-1]}, {part}"
            continue
        open_part = f"{open_part} {part}".strip()
        if not grammar("devanagari").search(part) or grammar("verb_at_the_end").search(part):
            parts.append(open_part)
            open_part = ""
    return tuple(parts + [open_part] * bool(open_part))


def _continues_a_denied_list(before: str, part: str) -> bool:
    """Whether `part` only names more of what the clause before denies: "we never ask for a card number, a password".
    After a case comes what holds in it: "if it is not back, send us a photo"."""
    denies = grammar("denies").search(before) is not None and not is_case(before)
    return denies and not grammar("denies").search(part) and not grammar("has_verb").search(part)


@lru_cache(maxsize=4096)
def cuts(text: str) -> tuple[str, ...]:
    """`text` cut wherever a clause may end, also within a list."""
    return tuple(filter(None, map(str.strip, grammar("clause").split(normal(text)))))


def case_before(clause: str) -> bool:
    """Whether a clause is a case of what follows it, as in Hindi and Marathi."""
    return is_case(clause) and grammar("devanagari").search(clause) is not None


def is_case(clause: str) -> bool:
    """Whether a clause says only in which case something holds."""
    return grammar("case").match(clause) is not None


def tells_as_done(text: str) -> bool:
    """Whether `text` tells that something happened, other than in a case."""
    told = ("happened", "happened_indic")
    return any(grammar(one).search(part) for part in clauses(text) if not is_case(part) for one in told)


@cache
def _file() -> dict[str, Any]:
    return tomllib.loads(files("assets").joinpath("grounding/grammar.toml").read_text(encoding="utf-8"))
