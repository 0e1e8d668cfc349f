"""Numbers in a text with what they count: "30 minutes" is not "Rs 30"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from engine_host.answering.folding import fold
from engine_host.answering.patterns import groups

_NUMBER = re.compile(r"\d+(?:[:.,]\d+)*")
_CURRENCY_BEFORE = re.compile(r"(?:\brs\.?|\binr|₹)\s*$")
_RANGE = re.compile(r"\W*(?:to|and|or|से|ते)?\W*")
_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0963\u0970-\u097f]+[^\W\d_]*)*|[%°₹]")
_NEAR = 3
SPELLED_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_SPELLED = {word: str(value) for value, word in enumerate(SPELLED_NUMBERS, start=2)}
_SPELLED_WORD = re.compile(rf"\b(?:{'|'.join(_SPELLED)})\b")


@dataclass(frozen=True, slots=True)
class Measure:
    """A number as a comparable string (9:00 and 09:00, 1,200 and 1200 are the same) and its units, none = unknown."""

    number: str
    units: frozenset[str]


def measures(text: str) -> tuple[Measure, ...]:
    folded = _SPELLED_WORD.sub(lambda match: _SPELLED[match.group()], fold(text))
    found = list(_NUMBER.finditer(folded))
    ends = [*(match.start() for match in found), len(folded)][1:]
    result: list[Measure] = []
    after_range: frozenset[str] = frozenset()
    for match, end in zip(reversed(found), reversed(ends), strict=True):
        between = folded[match.end() : end]
        units = _units(folded[: match.start()], match.group(), between)
        if not units and end < len(folded) and _RANGE.fullmatch(between):
            units = after_range
        after_range = units
        result.append(Measure(_plain(match.group()), units))
    return tuple(reversed(result))


def said_otherwise(said: tuple[Measure, ...], known: tuple[Measure, ...]) -> list[str]:
    """Numbers in `said` that `known` does not have, or has of another unit."""
    return [one.number for one in said if not any(_agree(one, other) for other in known)]


def _agree(one: Measure, other: Measure) -> bool:
    return one.number == other.number and (not one.units or not other.units or bool(one.units & other.units))


def _units(before: str, number: str, after: str) -> frozenset[str]:
    if ":" in number:
        return frozenset()
    if _CURRENCY_BEFORE.search(before):
        return frozenset({"rs"})
    near = _WORD.findall(re.split(r"[.;!?।|]", after, maxsplit=1)[0])[:_NEAR]
    return frozenset(_unit_names()[word] for word in near if word in _unit_names())


@cache
def _unit_names() -> dict[str, str]:
    return {word: group[0] for group in groups("units") for word in group}


def _plain(number: str) -> str:
    return ":".join(part.lstrip("0") or "0" for part in number.replace(",", "").split(":"))
