"""Whether a text speaks to a model instead of a reader; the patterns are data in assets/reading. Pure."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from functools import cache
from importlib.resources import files
from typing import Final

_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_LINE_SPACE: Final = re.compile(r"[^\S\n]+")
_AROUND: Final = 20


def instruction_in(text: str) -> str:
    """The words of the first instruction to a model, with a few before and after; "" when there is none."""
    folded = _folded(text)
    words, marks = _patterns()
    for pattern, line in ((words, folded.replace("\n", " ")), (marks, folded)):
        match = pattern.search(line)
        if match:
            start = line.rfind(" ", 0, max(match.start() - _AROUND, 0)) + 1
            end = line.find(" ", match.end() + _AROUND)
            return " ".join(line[start : end if end > 0 else None].split())
    return ""


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Patterns over words of one line, and over marks that stand at the beginning of a line."""
    lists: dict[str, list[str]] = tomllib.loads(
        files("assets").joinpath("reading/instructions.toml").read_text(encoding="utf-8")
    )
    marks = lists.pop("marks")
    return _any_of([pattern for listed in lists.values() for pattern in listed]), _any_of(marks)


def _any_of(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{unicodedata.normalize('NFKC', pattern)})" for pattern in patterns))


def _folded(text: str) -> str:
    shown = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold().replace("’", "'")
    return _LINE_SPACE.sub(" ", shown)
