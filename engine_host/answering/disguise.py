"""Text that hides what it says: invisible characters, letters of other scripts, strings that only a machine reads."""

from __future__ import annotations

import re
import unicodedata

from engine_host.answering.folding import fold

_INVISIBLE = re.compile(
    r"[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]"
    r"|(?<![\u0900-\u097f])[\u200c\u200d](?![\U0001f300-\U0001faff\u2600-\u27bf])|[\U000e0000-\U000e007f]"
)
_OTHER_LETTER = re.compile(
    r"[^\W\d_a-zA-Z\u00c0-\u017f\u0900-\u097f]|[\u0300-\u036f]|[\U0001f1e6-\U0001f1ff\U0001f130-\U0001f189]"
)
_OPAQUE = re.compile(r"(?<![\w@./])[A-Za-z0-9+/=_]{16,}|\S{40,}|\b0x[0-9a-f]{4,}|\b[01]{8,}\b")
_HEX = re.compile(r"(?:\b(?:0x|\\x|%|&#x)?[0-9a-f]{2}\b[\s:;,-]*){6,}", re.IGNORECASE)
_BROKEN = "\ufffd"
_PLAIN_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")


def disguise(sentence: str, passages: tuple[str, ...]) -> str:
    """What `sentence` hides behind, for staff; empty when it is plain or a passage holds the same."""
    if _INVISIBLE.search(sentence):
        return "it holds invisible characters"
    if _BROKEN in sentence:
        return "it holds letters that broke on the way"
    composed = unicodedata.normalize("NFKC", sentence)
    if any(other not in passage for other in _OTHER_LETTER.findall(composed) for passage in passages or ("",)):
        return "it uses letters of another script"
    hidden = [match.group() for pattern in (_OPAQUE, _HEX) for match in pattern.finditer(composed)]
    for one in hidden:
        if not _PLAIN_WORD.fullmatch(one) and not any(fold(one) in fold(passage) for passage in passages):
            return "it holds a string that only a machine reads"
    return ""
