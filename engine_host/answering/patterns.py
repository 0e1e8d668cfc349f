"""Word lists and patterns that are data: read from assets/routing once, compiled once."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from engine_host.answering.folding import fold


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` is searched in folded text; `name` is what staff read."""

    name: str
    pattern: re.Pattern[str]


@cache
def table(name: str) -> dict[str, Any]:
    """assets/routing/<name>.toml as it is."""
    return tomllib.loads(files("assets").joinpath(f"routing/{name}.toml").read_text(encoding="utf-8"))


@cache
def rules(name: str, rows: str, label: str) -> tuple[Rule, ...]:
    """The array of tables `rows` of a file, compiled, with the file's [words] put in; `label` is the name's key."""
    data = table(name)
    return tuple(Rule(row[label], re.compile(_with_words(row["pattern"], data["words"]))) for row in data[rows])


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """One pattern of a file, compiled, with the file's [words] put in."""
    return re.compile(_with_words(table(name)[key], table(name)["words"]))


@cache
def words(language: str) -> frozenset[str]:
    """One word list of languages.toml, folded."""
    return frozenset(fold(word) for word in table("languages")[language].split())


def first_match(candidates: tuple[Rule, ...], folded: str) -> str:
    return next((rule.name for rule in candidates if rule.pattern.search(folded)), "")


def _with_words(written: str, lists: dict[str, str]) -> str:
    for name, alternatives in lists.items():
        written = written.replace("{" + name + "}", alternatives)
    return written
