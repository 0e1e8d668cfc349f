"""Characters that no reader sees: letters of the tag block, which can carry whole sentences, and others. Pure."""

from __future__ import annotations

import re
from typing import Final

# Joiners shape Devanagari and emoji; elsewhere they only hide.
_JOINED: Final = re.compile(
    "(?<![\u0900-\u0dff\u0600-\u06ff\u200d\ufe0f\u2600-\u27bf\U0001f000-\U0001faff])[\u200c\u200d]+"
)
_TAGS: Final = re.compile("[\U000e0000-\U000e007f]+")
_FLAG: Final = re.compile("\U0001f3f4[\U000e0061-\U000e007a]{2,8}\U000e007f")
_UNSEEN: Final = re.compile(
    "[\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\ufe00-\ufe0d\U000e0100-\U000e01ef]+"
)
_TURNED: Final = re.compile("[\u202a-\u202e\u2066-\u2069]+")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")


def without_invisible(text: str) -> tuple[str, list[str]]:
    """The text without unseen characters, and the sentences that tag letters spelt."""
    flags = _FLAG.findall(text)
    hidden = [_spelt(run) for run in _TAGS.findall(_FLAG.sub("", text))]
    kept = _FLAG.sub("\ufdd2", text) if flags else text
    kept = _TAGS.sub("", kept)
    for flag in flags:
        kept = kept.replace("\ufdd2", flag, 1)
    for unseen in (_JOINED, _UNSEEN, _TURNED, _SURROGATES):
        kept = unseen.sub("", kept)
    return kept, [part for part in hidden if any(map(str.isalnum, part))]


def _spelt(run: str) -> str:
    return "".join(chr(ord(character) - 0xE0000) for character in run if ord(character) > 0xE001F)
