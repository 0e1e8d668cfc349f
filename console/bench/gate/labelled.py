"""Labelled sentences: does the passage support them? They are kept with the tests of a checkout, not with a program."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine_host.answering.fact_gate import order_claim
from engine_host.answering.grounding import LexicalChecker, Source
from engine_host.answering.sentences import split_sentences
from engine_host.answering.verbatim import stands_in

if TYPE_CHECKING:
    from collections.abc import Sequence

FOLDER: Final = Path(__file__).parents[3] / "tests" / "data" / "grounding"
ORDER_CLAIM: Final = "order claim"
_TITLE = re.compile(r"^title:\s*(.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Labelled:
    """One sentence with the passage that it is held against; `kind` says in which way it is true or false."""

    article: str
    question: str
    passage: str
    sentence: str
    supported: bool
    kind: str

    @property
    def source(self) -> Source:
        return Source(article_title(self.article), self.passage)

    @property
    def is_verbatim(self) -> bool:
        """Whether each of its sentences is a whole sentence of the passage; marks and citations count for nothing."""
        return all(stands_in(part, self.passage) for part in split_sentences(self.sentence))


@dataclass(frozen=True, slots=True)
class Verdict:
    row: Labelled
    released: bool


def labelled_sentences(name: str, folder: Path = FOLDER) -> tuple[Labelled, ...]:
    """The set `name` (dev or heldout); empty where there is no checkout."""
    path = folder / f"{name}.jsonl"
    if not path.exists():
        return ()
    return tuple(Labelled(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())


def article_title(name: str) -> str:
    """The title of a sample article; empty when there is none of that name."""
    path = files("assets").joinpath(f"sample_kitchen/articles/{name}.md")
    found = _TITLE.search(path.read_text(encoding="utf-8")) if path.is_file() else None
    return found[1].strip() if found else ""


def is_released(row: Labelled) -> bool:
    """Whether fact gate and grounding let the whole sentence out; whether it is about the question is left aside."""
    checker = LexicalChecker([row.source], row.question)
    whole = (row.source.whole,)
    parts = split_sentences(row.sentence)
    return bool(parts) and all(not order_claim(part, whole) and checker.support(part).citation for part in parts)


def verdicts(rows: Sequence[Labelled]) -> tuple[Verdict, ...]:
    return tuple(Verdict(row, is_released(row)) for row in rows)
