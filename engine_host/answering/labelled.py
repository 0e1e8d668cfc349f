"""Labelled questions from assets/routing: what customers type, what it is about, and in which language it is."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

ROMAN = ("en", "hinglish")
LANGUAGES = (*ROMAN, "hi", "mr")
_ORDER_LABELS = ("order", "both")


@dataclass(frozen=True, slots=True)
class Example:
    """`label` is order, help, both or neither; `language` is one of LANGUAGES."""

    text: str
    label: str
    language: str

    @property
    def is_order(self) -> bool:
        return self.label in _ORDER_LABELS

    @property
    def roman(self) -> bool:
        """Whether it is in Roman letters: the embedder does not know Devanagari."""
        return self.language in ROMAN


@cache
def examples() -> tuple[Example, ...]:
    """All labelled examples, language by language."""
    folder = files("assets").joinpath("routing")
    return tuple(
        Example(row["text"], row["label"], language)
        for language in LANGUAGES
        for row in map(
            json.loads, folder.joinpath(f"examples.{language}.jsonl").read_text(encoding="utf-8").splitlines()
        )
    )
