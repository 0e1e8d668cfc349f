"""What happened to articles: published versions, what two of them differ in, and receipts of deletions."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from knowledge.article import ArticleText


class How(StrEnum):
    """How a text came to be published."""

    IMPORTED = "imported"
    EDITED = "edited"
    CHANGED = "changed"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True)
class Version:
    """A text that was published. Numbers count up from 1 and are never given twice."""

    article_id: str
    number: int
    text: ArticleText
    how: How
    made_at: datetime
    made_by: str


@dataclass(frozen=True, slots=True)
class Draft:
    """A text that answers nothing yet."""

    article_id: str
    text: ArticleText
    saved_at: datetime
    saved_by: str


@dataclass(frozen=True, slots=True)
class Probe:
    """A question that was asked of the index before and after a deletion, and how many pieces of the article it found.

    `asked` says which question it was, not its words: the article's text is gone. None = it was not asked.
    """

    asked: str
    found_before: int | None
    found_after: int | None


@dataclass(frozen=True, slots=True)
class DeletionReceipt:
    """What a deletion did. `points_after` None = the index was not seen without the article yet."""

    receipt_id: str
    article_id: str
    title: str
    source_name: str
    points_before: int
    points_after: int | None
    probes: tuple[Probe, ...]
    deleted_at: datetime
    deleted_by: str

    @property
    def proven(self) -> bool:
        """Whether the index was seen without any piece of the article."""
        return self.points_after == 0 and not any(probe.found_after for probe in self.probes)


@dataclass(frozen=True, slots=True)
class DiffLine:
    """A line of two versions: only in the old one, only in the new one, or in both."""

    mark: Literal["-", "+", " "]
    text: str


def diff(old: ArticleText, new: ArticleText) -> tuple[DiffLine, ...]:
    """Line by line, what is kept beside the text first."""
    before, after = _lines(old), _lines(new)
    lines: list[DiffLine] = []
    for tag, a, b, c, d in SequenceMatcher(None, before, after).get_opcodes():
        if tag == "equal":
            lines += [DiffLine(" ", line) for line in before[a:b]]
        else:
            lines += [DiffLine("-", line) for line in before[a:b]]
            lines += [DiffLine("+", line) for line in after[c:d]]
    return tuple(lines)


def _lines(text: ArticleText) -> list[str]:
    return [*_facts(text), "", *text.body.split("\n")]


def _facts(text: ArticleText) -> Iterator[str]:
    yield f"title: {text.title}"
    yield f"owner: {text.owner}"
    yield f"audience: {text.audience}"
    yield f"tenants: {', '.join(text.tenants) or 'all'}"
    yield f"language: {text.language}"
    yield f"valid_from: {text.valid_from or ''}"
    yield f"valid_to: {text.valid_to or ''}"
