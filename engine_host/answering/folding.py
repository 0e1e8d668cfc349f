"""Text as rules compare it: one form for look-alike letters, digits, spaces and case."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = re.compile(r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_DIGITS = {ord(digit): str(value) for value, digit in enumerate("०१२३४५६७८९")}
_LOOK_ALIKES = str.maketrans(
    {
        "К": "K", "к": "k", "М": "M", "О": "O", "о": "o", "А": "A", "а": "a", "С": "C", "с": "c",
        "Е": "E", "е": "e", "Р": "P", "р": "p", "Т": "T", "Κ": "K", "Ο": "O", "Μ": "M", "Α": "A",
        "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "`": "'",
    }
)  # fmt: skip


def fold(text: str) -> str:
    """`text` in NFKC, lower case, ASCII digits, Latin look-alikes as Latin, without invisible characters."""
    plain = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return re.sub(r"\s+", " ", plain.translate(_DIGITS).translate(_LOOK_ALIKES).casefold()).strip()
