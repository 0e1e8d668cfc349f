"""Which language a question is in. Only the languages that the kitchen answers are told apart.

The script says which two it can be, and the pieces of its words which of these: they are counted in the labelled
examples. English nouns are at home in Hinglish, so that two of its words of grammar decide alone.
"""

from __future__ import annotations

import re
from functools import cache

from engine_host.answering.folding import fold, without_long_numbers
from engine_host.answering.labelled import examples
from engine_host.answering.leaning import Leaning
from engine_host.answering.patterns import words

ENGLISH, HINDI, MARATHI, HINGLISH = "en", "hi", "mr", "hi-Latn"
SURE = 1.5
"""Log odds, as in `Lean.total`, from which on a text speaks for itself."""

_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_WORD = re.compile(r"[a-z\u0900-\u0963\u0970-\u097f]+")
_ENOUGH = 2


def detect_language(text: str, before: str = "") -> str:
    """BCP 47 tag of the question: en, hi, mr, or hi-Latn for Hindi and Marathi in Roman letters.

    `before` is the language of the turn before: what is too short to tell goes on in it.
    """
    found = [word for word in _WORD.findall(without_long_numbers(fold(text))) if word not in words("everywhere")]
    if _DEVANAGARI.search(text):
        return _either(HINDI, MARATHI, _to_marathi().of(" ".join(found)).total, before, (HINDI, MARATHI))
    if sum(word in words("hinglish") for word in found) >= _ENOUGH:
        return HINGLISH
    known = (ENGLISH, HINDI, MARATHI, HINGLISH)
    return _either(ENGLISH, HINGLISH, _to_hinglish().of(" ".join(found)).total, before, known)


def statement_language(language: str) -> str:
    """The language of code-written sentences."""
    return language if language in (HINDI, MARATHI, HINGLISH) else ENGLISH


def article_language(language: str) -> str:
    """The language in which help articles are looked for first."""
    return HINDI if language == HINGLISH else language


def language_name(language: str) -> str:
    """The English name of a language that the kitchen answers; another tag as it is."""
    names = {ENGLISH: "English", HINDI: "Hindi", MARATHI: "Marathi", HINGLISH: "Hindi in Roman letters"}
    return names.get(language, language)


def _either(first: str, second: str, odds: float, before: str, known: tuple[str, ...]) -> str:
    """`second` or `first` as the odds say; where they say little, the language of the turn before."""
    if abs(odds) < SURE and before in known:
        return before
    return second if odds >= SURE else first


@cache
def _to_marathi() -> Leaning:
    return _leaning("hi", "mr")


@cache
def _to_hinglish() -> Leaning:
    return _leaning("en", "hinglish")


def _leaning(first: str, second: str) -> Leaning:
    both = [example for example in examples() if example.language in (first, second)]
    return Leaning([example.text for example in both], [example.language == second for example in both])
