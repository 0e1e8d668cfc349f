"""Devanagari that is not what it seems: old fonts, lost conjuncts, signs without a letter, letters read in a wrong
encoding. What a reader of the page sees can't be told from such text, so it must not become an article. Pure."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Final

_LISTS: dict[str, str] = tomllib.loads(files("assets").joinpath("reading/devanagari.toml").read_text(encoding="utf-8"))
_FONTS: Final = tuple(_LISTS["legacy_fonts"].split())
_KRUTI: Final = frozenset(_LISTS["kruti_words"].split())
_SUBSET: Final = re.compile(r"^[A-Z]{6}\+")
_WORD: Final = re.compile(r"\S+")
_DEVANAGARI_WORD: Final = re.compile(r"[\u0900-\u097f\u200c\u200d]+")
_VIRAMA: Final = "\u094d"
_SIGNS: Final = r"\u0900-\u0903\u093a-\u093c\u093e-\u094f\u0955-\u0957\u0962\u0963"
_VOWEL_SIGNS: Final = r"\u093a\u093b\u093e-\u094c\u094e\u094f\u0955-\u0957\u0962\u0963"
_BROKEN: Final = re.compile(
    rf"^[{_SIGNS}]|[{_VOWEL_SIGNS}]{{2}}|{_VIRAMA}[{_VOWEL_SIGNS}]|{_VIRAMA}{_VIRAMA}|[\u0904-\u0914][\u093e-\u0940]"
)
_MOJIBAKE: Final = re.compile("à[¤¥][\u0080-\u00ff\u0152-\u0178\u2013-\u2122]?")
BROKEN_SHARE: Final = 0.04
CONJUNCT_SHARE: Final = 0.004
ENOUGH_LETTERS: Final = 400
ENOUGH_WORDS: Final = 20


def legacy_font(name: str) -> str:
    """The font's name when it is one that shows Latin letters as Devanagari; "" otherwise."""
    plain = _SUBSET.sub("", name)
    folded = re.sub(r"[\s_,-]", "", plain).lower()
    return plain if folded.startswith(_FONTS) else ""


def garbage_in(text: str, *, from_pdf: bool = False) -> str:
    """Why this text is garbage to a reader, as the beginning of a sentence; "" when nothing speaks for it."""
    words = _WORD.findall(text)
    kruti = sum(word.strip(".,()[]") in _KRUTI for word in words)
    if len(words) >= ENOUGH_WORDS and kruti >= 5 and kruti * 8 >= len(words):
        return "It is in an old Devanagari font such as Kruti Dev: as Unicode its letters are garbage"
    if len(_MOJIBAKE.findall(text)) * 20 > len(text) and len(text) > 40:
        return "Its Devanagari was once read in a wrong encoding (à¤…)"
    devanagari = _DEVANAGARI_WORD.findall(text)
    letters = sum(map(len, devanagari))
    broken = sum(_BROKEN.search(word) is not None for word in devanagari)
    if broken > max(2, BROKEN_SHARE * len(devanagari)):
        return f"Its Devanagari is broken: {broken:,} of {len(devanagari):,} words have signs without their letter"
    conjuncts = sum(word.count(_VIRAMA) for word in devanagari)
    if from_pdf and letters >= ENOUGH_LETTERS and conjuncts < CONJUNCT_SHARE * letters:
        return "Its Devanagari has lost its conjuncts: the font does not say which letters they are"
    return ""
