"""Scripts and languages of texts, as far as ranking needs them. Pure."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files

_SURE_WORDS = 3
_SURE_SHARE = 2.0
"""A language in Latin letters is told from English by so many small words, and so many times the English ones."""
_LATIN_WORD = re.compile(r"[a-zà-ÿœ]+")
_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[\u0900-\u097f]+")
_MARATHI = frozenset(("आहे", "आहेत", "नाही", "मला", "तुम्ही", "आम्ही", "किंवा", "आणि", "काय", "झाला", "केला", "येतो"))
_HINDI = frozenset(("है", "हैं", "नहीं", "मुझे", "आप", "हम", "और", "क्या", "हुआ", "हुई", "की", "का", "के", "में", "से", "पर"))


def base_language(tag: str) -> str:
    """The language of a BCP 47 tag without script and region: `hi-Latn` and `hi-IN` are `hi`."""
    return tag.split("-", 1)[0].lower()


def is_devanagari(text: str) -> bool:
    """Whether at least a third of the letters are Devanagari."""
    devanagari = len(_DEVANAGARI.findall(text))
    return devanagari > 0 and 2 * devanagari >= len(_LETTER.findall(_DEVANAGARI.sub("", text)))


def guess_language(text: str) -> str:
    """The language of a text by its script, or by its small words where several share it; `en` when nothing tells."""
    if not is_devanagari(text):
        return _by_script(text) or _by_small_words(text)
    words = _WORD.findall(text)
    marathi = sum(word in _MARATHI for word in words)
    return "mr" if marathi > sum(word in _HINDI for word in words) else "hi"


def _by_script(text: str) -> str:
    """The language whose letters are at least a third of all, "" when there is none."""
    letters = len(_LETTER.findall(text))
    counts = ((language, len(letter.findall(text))) for language, letter in _scripts().items())
    return next((language for language, count in counts if count and 3 * count >= letters), "")


def _by_small_words(text: str) -> str:
    spoken = Counter(_LATIN_WORD.findall(text.lower()))
    counts = {language: sum(spoken[word] for word in words) for language, words in _small_words().items()}
    best = max(counts, key=lambda language: (counts[language], language == "en"))
    is_sure = counts[best] >= _SURE_WORDS and counts[best] >= _SURE_SHARE * counts["en"]
    return best if is_sure else "en"


@cache
def _scripts() -> dict[str, re.Pattern[str]]:
    return {language: re.compile(f"[{letters}]") for language, letters in _table("scripts").items()}


@cache
def _small_words() -> dict[str, frozenset[str]]:
    return {language: frozenset(words.split()) for language, words in _table("small_words").items()}


def _table(name: str) -> dict[str, str]:
    return tomllib.loads(files("assets").joinpath("reading/languages.toml").read_text(encoding="utf-8"))[name]
