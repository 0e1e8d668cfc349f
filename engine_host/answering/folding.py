"""Text as rules compare it: one form for look-alike letters, digits, spaces and case."""

from __future__ import annotations

import re
import unicodedata

# Also what is drawn over another character: strokes, frames, and the choice of a picture for a digit.
_INVISIBLE = re.compile(
    r"[\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2064\u20e3\ufe00-\ufe0f\ufeff]",
)
_LETTERS = r"(?:[a-z]{1,3}|[\u0900-\u0963\u0970-\u097f]{1,6})"
_LONG_NUMBER = re.compile(
    rf"(?<![^\W_])(?:{_LETTERS}[-#_/]\s?|[a-z]{{1,3}}(?=\d)|[a-z]\s)?\d(?:[ .\-]?\d){{3,}}(?![^\W_])"
)
_OTHER_DIGIT = re.compile(r"(?![0-9])\d")
_LOOK_ALIKES = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԀавеѕіјкмнорстухԁһ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο" + "ᴀʙᴄᴅᴇɢʜᴊᴋʟᴍɴᴏᴘʀᴛᴜᴠᴡʏᴢ" + "‐‑‒–—―−﹘" + "’‘`´ʼ",
    "ABESIJKMHOPCTYXDabesijkmhopctyxdh" + "ABEZHIKMNOPTYXo" + "abcdeghjklmnoprtuvwyz" + "--------" + "'''''",
)


def fold(text: str) -> str:
    """`text` in NFKC, lower case, ASCII digits, Latin look-alikes as Latin, without invisible characters."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    latin = _OTHER_DIGIT.sub(_ascii_digit, plain).translate(_LOOK_ALIKES)
    return re.sub(r"\s+", " ", latin.casefold()).strip()


def without_long_numbers(folded: str) -> str:
    """`folded` without numbers of four digits and more, with the letters before them: C-8101, 98765 43210.

    They name a person or a thing, and one is like another.
    """
    return _LONG_NUMBER.sub(" ", folded)


def _ascii_digit(match: re.Match[str]) -> str:
    return str(unicodedata.decimal(match.group()))
