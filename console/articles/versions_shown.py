"""What the pane says of an article's versions: when each was published and how, and what changed between two. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.articles.words import count_text, moment_text
from knowledge.article_history import How, diff

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime, tzinfo

    from knowledge.article import Article, ArticleText
    from knowledge.article_history import DiffLine, Version

AROUND: Final = 2
"""Unchanged lines that are shown beside a changed one."""
SAME: Final = "Nothing: this version says what the article says now."
WAYS: Final = {
    How.IMPORTED: "imported",
    How.EDITED: "edited here",
    How.CHANGED: "details changed",
    How.RESTORED: "restored",
}
Mark = Literal["-", "+", " ", "…"]


@dataclass(frozen=True, slots=True)
class VersionShown:
    number: int
    how: str
    made: str
    by: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class DiffShown:
    """A line of the comparison; `…` stands for unchanged ones that are left out."""

    mark: Mark
    text: str


def derive_versions(versions: Sequence[Version], now: datetime, zone: tzinfo) -> tuple[VersionShown, ...]:
    return tuple(
        VersionShown(one.number, WAYS[one.how], moment_text(one.made_at, now, zone), one.made_by, one.made_at)
        for one in versions
    )


def derive_comparison(version: Version, article: Article) -> tuple[str, tuple[DiffShown, ...]]:
    """A line that sums up, and the changed lines with some beside them."""
    lines = compare(version.text, article.text)
    added, gone = (sum(line.mark == mark for line in lines) for mark in "+-")
    if not added and not gone:
        return SAME, ()
    changed = f"{count_text(added, 'line')} came, {count_text(gone, 'line')} went"
    return f"From version {version.number} to what it says now: {changed}.", lines


def compare(old: ArticleText, new: ArticleText) -> tuple[DiffShown, ...]:
    lines = diff(old, new)
    changed = [place for place, line in enumerate(lines) if line.mark != " "]
    near = {place + step for place in changed for step in range(-AROUND, AROUND + 1)}
    return tuple(_folded(lines, near))


def _folded(lines: Sequence[DiffLine], near: set[int]) -> list[DiffShown]:
    shown: list[DiffShown] = []
    left_out = 0
    for place, line in enumerate(lines):
        if place not in near:
            left_out += 1
            continue
        if left_out:
            shown.append(_gap(left_out))
            left_out = 0
        shown.append(DiffShown(line.mark, line.text))
    if left_out and shown:
        shown.append(_gap(left_out))
    return shown


def _gap(number: int) -> DiffShown:
    return DiffShown("…", f"{count_text(number, 'line')} unchanged")
