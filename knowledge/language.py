"""Scripts and languages of texts, as far as ranking needs them. Pure."""

from __future__ import annotations

import re

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
    """`en` for texts in other scripts than Devanagari, else `hi` or `mr` by their commonest small words."""
    if not is_devanagari(text):
        return "en"
    words = _WORD.findall(text)
    marathi = sum(word in _MARATHI for word in words)
    return "mr" if marathi > sum(word in _HINDI for word in words) else "hi"
