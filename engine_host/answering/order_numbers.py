"""Order numbers in what customers type, in any spelling: KD-4821, kd 4821, K.D.#4821, केडी ४८२१, "order no. 4821"."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from engine_host.answering.folding import fold
from engine_host.answering.patterns import table

_LETTER = r"[\w\u0900-\u0963\u0970-\u097f]"
_BEGINS = rf"(?<!{_LETTER})"
_ENDS = rf"(?!{_LETTER})(?![:./-]\d)"
_BETWEEN = r"[\s\-_.]{0,3}"
_FILLING = r"(?:[\s\-_#.:/|~*+=,()]|order|no\b|number|id\b){0,6}"
_TYPED_FOR_DIGITS = r"(?=[oil\d]*\d[oil]*\d)[oil\d]{3,6}"
_GROUPED = r"\d(?:[ .\-]\d){2,5}|\d{2}[ .\-]\d{2,3}|\d{3}[ .\-]\d{3}"
_DIGITS = rf"({_TYPED_FOR_DIGITS}|{_GROUPED})(?!\d)(?!:\d)"
_CODED = re.compile(r"(?<![^\W_])[a-z]{1,3}[-#_]\s?\d{4,}(?![^\W_])")
_ALONE = re.compile(r"\W*(?:(?:no|number|id)\W*)?(\d{3,6})\W*")
_PIN_DIGITS = 6
_AS_DIGITS = str.maketrans({"o": "0", "i": "1", "l": "1", " ": "", ".": "", "-": ""})
_OTHER_HOUSE = re.compile(rf"(?<!\d ){_BEGINS}([a-z]{{2}})(?:[-#_]|\s[-#]\s?)?(\d{{4}}){_ENDS}")


def order_ids(text: str, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """Order numbers in `text` in the house's own form (KD-4821), in the order they stand, each once.

    A number with the letters of another house is read too: it is looked up and not found. A number without letters
    ("order 4821") is read with the first prefix. Prices, phone numbers, PIN codes, times and dates are none.
    """
    return tuple(dict.fromkeys(found.number for found in _found(fold(text), prefixes)))


def answered_ids(text: str, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The order number that a text of nothing but digits is, as an answer to "which one?"; else none."""
    alone = _ALONE.fullmatch(fold(text))
    return order_ids(f"order no {alone.group(1)}", prefixes) if alone else ()


def opening_ids(text: str, prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """As `answered_ids` for the first text of a conversation, where six digits may be a PIN code as well: none."""
    alone = _ALONE.fullmatch(fold(text))
    return answered_ids(text, prefixes) if alone and len(alone.group(1)) < _PIN_DIGITS else ()


def without_order_ids(text: str, prefixes: tuple[str, ...]) -> str:
    """`text` for a search in help articles, which know no order and no customer: the same whichever number of one
    (KD-4821, C-8101) stands in it.

    A text with numbers comes back folded, without them.
    """
    folded = fold(text)
    coded = (_Found(match.end(), match.group(), match.start()) for match in _CODED.finditer(folded))
    found = sorted([*_found(folded, prefixes), *coded])
    kept, ahead = "", 0
    for one in found:
        kept += folded[ahead : max(ahead, one.start)] + " "
        ahead = max(ahead, one.end)
    return " ".join((kept + folded[ahead:]).split()) if found else text


class _Found(NamedTuple):
    """An order number and where it stands in the folded text."""

    end: int
    number: str
    start: int


def _found(folded: str, prefixes: tuple[str, ...]) -> list[_Found]:
    found = [
        _Found(match.end(), f"{prefix}-{match.group(1).translate(_AS_DIGITS)}", match.start())
        for prefix in prefixes
        for match in _own(prefix).finditer(folded)
    ]
    own_ends = {one.end for one in found}
    found += [
        _Found(match.end(), f"{match.group(1).upper()}-{match.group(2)}", match.start())
        for match in _OTHER_HOUSE.finditer(folded)
        if match.end() not in own_ends and match.group(1) not in _not_prefixes()
    ]
    if not found and prefixes:
        bare = (match for pattern in _bare() for match in pattern.finditer(folded))
        found = [_Found(match.end(1), f"{prefixes[0]}-{match.group(1)}", match.start(1)) for match in bare]
    return sorted(found)


@cache
def _own(prefix: str) -> re.Pattern[str]:
    """The letters of `prefix`, Latin or by their names in Devanagari, apart or together, and then digits."""
    names: dict[str, str] = table("numbers")["letters"]
    letters = [f"(?:{re.escape(one)}|{names[one]})" if one in names else re.escape(one) for one in prefix.casefold()]
    begins = rf"(?:{_BEGINS}|(?<=\d))"  # a number may stand right behind another
    return re.compile(begins + _BETWEEN.join(letters) + _FILLING + _DIGITS)


@cache
def _bare() -> tuple[re.Pattern[str], ...]:
    """Digits without letters: behind "order no.", behind a # of their own, right behind "order"; and before "order"."""
    words: dict[str, str] = table("numbers")["bare"]
    thing = rf"{_BEGINS}(?:{words['thing']})"
    ends = rf"{_ENDS}(?!\W{{0,2}}(?:{words['after']})(?!{_LETTER}))"
    numbered = rf"\W{{0,3}}(?:(?:{words['number']})\W{{0,4}}){{1,2}}(?:(?:is|hai|है|आहे)\W{{1,3}})?"
    return (
        re.compile(rf"(?:{thing}{numbered}|(?<![{_LETTER[1:-1]}#&/])#\s?)(\d{{3,6}}){ends}"),
        re.compile(rf"{thing}[^\w₹$€£]{{1,3}}(\d{{4,5}}){ends}"),
        re.compile(rf"^\W*(\d{{4}})\W{{1,3}}(?:{words['order']})(?!{_LETTER})"),
    )


@cache
def _not_prefixes() -> frozenset[str]:
    return frozenset(table("numbers")["not_prefixes"].split())
