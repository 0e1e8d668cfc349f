"""The words of this bench: phrasings, lies and the judge's own lexicon, written for it (assets/bench/order_truth)."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

ROOM = files("assets") / "bench" / "order_truth"
KITCHEN = files("assets") / "sample_kitchen"
QUESTION_FILES = {"en": "en", "hi": "hi", "mr": "mr", "hi-Latn": "hinglish"}


@dataclass(frozen=True, slots=True)
class HelpQuestion:
    text: str
    passage: str


@cache
def table(name: str) -> dict[str, Any]:
    """One TOML file of the bench, by its name without ending."""
    return tomllib.loads((ROOM / f"{name}.toml").read_text(encoding="utf-8"))


@cache
def help_questions(language: str, tenant: str) -> tuple[HelpQuestion, ...]:
    """Help questions of the sample kitchen that one of its articles answers."""
    text = (KITCHEN / f"questions.{QUESTION_FILES[language]}.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines() if line.strip()]
    return tuple(
        HelpQuestion(row["question"], row["passage"])
        for row in rows
        if row["kind"] == "help" and row["tenant"] == tenant
    )


@cache
def published() -> tuple[str, ...]:
    """The sample articles as their files hold them."""
    folder = KITCHEN / "articles"
    return tuple(file.read_text(encoding="utf-8") for file in sorted(folder.iterdir(), key=lambda file: file.name))
