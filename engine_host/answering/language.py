"""Which language a question is in. Only the languages that the kitchen answers are told apart."""

from __future__ import annotations

import re

from engine_host.answering.folding import fold
from engine_host.answering.patterns import marathi_form
from engine_host.answering.patterns import words as words_of

ENGLISH, HINDI, MARATHI, HINGLISH = "en", "hi", "mr", "hi-Latn"

_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_WORD = re.compile(r"[\w\u0900-\u0963\u0970-\u097f]+")
_HINGLISH_SHARE = 0.34


def detect_language(text: str) -> str:
    """BCP 47 tag of the question: en, hi, mr, or hi-Latn for Hindi in Roman letters."""
    words = _WORD.findall(fold(text))

    def hits(language: str) -> int:
        return sum(word in words_of(language) for word in words)

    if _DEVANAGARI.search(text):
        marathi = hits("marathi") + sum(bool(marathi_form().search(word)) for word in words)
        return MARATHI if marathi > hits("hindi") else HINDI
    roman = hits("hinglish")
    return HINGLISH if roman >= 2 or (words and roman / len(words) >= _HINGLISH_SHARE) else ENGLISH


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
