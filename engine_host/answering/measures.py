"""Numbers in a text with what they count and how they bound it: "30 minutes" is not "Rs 30", nor "within 30 minutes"
"after 30 minutes"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from engine_host.answering.folding import fold
from engine_host.answering.wording import TOKEN, lexicon, lines, meaning, normal, spelled

_NUMBER = re.compile(r"\d+(?:[:.,]\d+)*")
_STOPS = frozenset(".;!?।|()")
_RANGE = frozenset({"to", "and", "or", "-", "till", "until", "through", "से", "ते"})
CLOCK = frozenset({"clock"})
_CURRENCY = frozenset({"rs", "inr", "₹"})
_OCLOCK = frozenset({"बजे", "वाजता", "वाजल्यापासून", "o'clock"})
_SPANS = frozenset({"minute", "hour", "workhour", "day", "workday", "week", "month", "year"})
_NEAR = 4
_FAR = 7
AT_MOST, AT_LEAST, SPAN, FIRST, LAST = "<", ">", "~", "[", "]"
_OPPOSITE = ({AT_MOST, AT_LEAST}, {AT_MOST, FIRST}, {AT_LEAST, LAST}, {SPAN, AT_LEAST}, {SPAN, FIRST})


@dataclass(frozen=True, slots=True)
class Measure:
    """A number as a comparable string (9:00 and 09:00, 1,200 and 1200 are the same), its units, none = unknown, and
    how it bounds: at most, at least, a span not to be exceeded, first or last of a range, or "" for exactly."""

    number: str
    units: frozenset[str]
    bound: str = ""


@dataclass(frozen=True, slots=True)
class Measured:
    """The tokens of a text, its measures, and the places of the tokens that only belong to a measure."""

    tokens: tuple[str, ...]
    measures: tuple[Measure, ...]
    used: frozenset[int]


@lru_cache(maxsize=8192)
def measured(text: str) -> Measured:
    tokens = _with_digits(tuple(TOKEN.findall(normal(text))))
    places = [place for place, token in enumerate(tokens) if _NUMBER.fullmatch(token)]
    result: list[Measure] = []
    used: set[int] = set(places)
    after_range: frozenset[str] = frozenset()
    for number, place in reversed(list(enumerate(places))):
        following = places[number + 1] if number + 1 < len(places) else len(tokens)
        between = tokens[place + 1 : following]
        is_first = following < len(tokens) and bool(between) and _joins(between)
        is_last = number > 0 and _joins(tokens[places[number - 1] + 1 : place])
        units = _units(tokens, place, following) or (after_range if is_first else frozenset())
        after_range = units
        bound, word = (FIRST, -1) if is_first else (LAST, -1) if is_last else _bound(tokens, place, following, units)
        used |= {word} - {-1}
        hour = ":0" if is_first and ":" in tokens[following] and ":" not in tokens[place] else ""
        result.append(Measure(_plain(tokens[place] + hour), units, bound))
    return Measured(tokens, tuple(reversed(result)), frozenset(used))


def measures(text: str) -> tuple[Measure, ...]:
    return measured(text).measures


def said_otherwise(said: tuple[Measure, ...], known: tuple[Measure, ...]) -> list[str]:
    """Numbers in `said` that `known` does not have, or has of another unit or for another side of the bound."""
    return [one.number for one in said if not any(_agree(one, other) for other in known)]


def bounds_left_out(said: tuple[Measure, ...], known: tuple[Measure, ...]) -> list[str]:
    """Numbers that stand in both, bounded in `known` and exact in `said`."""
    loose = {one.number for one in said if not one.bound}
    tight = {one.number for one in said if one.bound}
    bounded = (one for one in known if one.bound in (AT_MOST, AT_LEAST) and one.number in loose - tight)
    exact = {one.number for one in known if not one.bound}
    return [one.number for one in bounded if one.number not in exact]


def _agree(one: Measure, other: Measure) -> bool:
    if one.number != other.number or (one.units and other.units and not one.units & other.units):
        return False
    if one.bound in (AT_MOST, AT_LEAST) and not other.bound:
        return False
    if one.units == CLOCK and not one.bound and other.bound in (FIRST, LAST):
        return False
    return {one.bound, other.bound} not in _OPPOSITE


def _with_digits(tokens: tuple[str, ...]) -> tuple[str, ...]:
    result: list[str] = []
    for word, following in zip(tokens, (*tokens[1:], ""), strict=False):
        is_counted = meaning(following) in _unit_names()
        counted = spelled("spelled_before_units").get(word) if is_counted else None
        result.append(counted or spelled("spelled").get(word, word))
    return tuple(result)


def _joins(between: tuple[str, ...]) -> bool:
    return set(between) - _CURRENCY - _OCLOCK <= _RANGE and bool(set(between) & _RANGE) and len(between) <= 2


def _units(tokens: tuple[str, ...], place: int, following: int) -> frozenset[str]:
    if ":" in tokens[place]:
        return CLOCK
    if _CURRENCY & set(tokens[max(0, place - 1) : place]) or tokens[max(0, place - 2) : place] == ("rs", "."):
        return frozenset({"rs"})
    near = tokens[place + 1 : min(following, place + _NEAR)]
    stop = next((index for index, token in enumerate(near) if token in _STOPS), len(near))
    return frozenset(_unit_names()[meaning(token)] for token in near[:stop] if meaning(token) in _unit_names())


def _bound(tokens: tuple[str, ...], place: int, following: int, units: frozenset[str]) -> tuple[str, int]:
    """How the number at `place` is bounded and the place of the word that says so, -1 = none."""
    bound = _bound_before(tokens, place, units)
    return bound if bound[0] else _bound_after(tokens, place, following, units)


def _bound_before(tokens: tuple[str, ...], place: int, units: frozenset[str]) -> tuple[str, int]:
    """A bounding word directly before the number; "maximum", "minimum" and "limit" may stand further away."""
    is_near = True
    for index in range(place - 1, max(-1, place - _FAR), -1):
        word = tokens[index]
        if word in _STOPS or _NUMBER.fullmatch(word):
            break
        if is_near or word in _bounds("far"):
            if word in _bounds("at_most_before") and not (word == "by" and units - _SPANS):
                return AT_MOST, index
            if word in _bounds("at_least_before"):
                return AT_LEAST, index
            if _is_span(word, units):
                return SPAN, index
        is_near = is_near and word in _bounds("fillers")
    return "", -1


def _bound_after(tokens: tuple[str, ...], place: int, following: int, units: frozenset[str]) -> tuple[str, int]:
    for index in range(place + 1, min(following, place + _NEAR + 2)):
        word = tokens[index]
        if word in _STOPS or word == ",":
            break
        for side, words, endings in (
            (AT_MOST, "at_most_after", "at_most_ending"),
            (AT_LEAST, "at_least_after", "at_least_ending"),
        ):
            if word in _bounds(words):
                return side, index
            if word.endswith(tuple(_bounds(endings))):
                return side, -1
        if _is_span(word, units):
            return SPAN, index
    return "", -1


def _is_span(word: str, units: frozenset[str]) -> bool:
    """Whether "in 2 days" or "you have 2 hours" is meant: a span of time that is not to be exceeded."""
    return word in {"in", "have", "has", "में"} and bool(units & _SPANS)


@cache
def _bounds(name: str) -> frozenset[str]:
    return frozenset(fold(lexicon()["bounds"][name]).split())


@cache
def _unit_names() -> dict[str, str]:
    return {meaning(word): line[0] for line in lines("units") for word in line}


def _plain(number: str) -> str:
    digits = number.replace(",", "")
    if ":" in digits:
        return ":".join(part.lstrip("0") or "0" for part in digits.split(":"))
    whole, _, rest = digits.partition(".")
    rest = rest.rstrip("0") if rest.isdigit() else rest
    return (whole.lstrip("0") or "0") + (f".{rest}" if rest else "")
