"""An article as the source pane shows it: lines of its Markdown with the passage's place in each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.article import ArticleStatus

if TYPE_CHECKING:
    from knowledge.article import Article, Passage

_HEADING = re.compile(r"(#{1,6})\s+")
_BULLET = re.compile(r"\s*[-*]\s+")
MOVED = "The article was changed since this answer: this is what it says now, and the passage is not in it any more."
RETIRED = "The article was retired since this answer: it answers nothing any more, and its text is not shown here."
GONE = "The article is not in the library any more, and its text is not shown."


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One paragraph. `marked` is the part of `text` that the passage covers, from and to; None = none of it."""

    text: str
    level: int = 0
    bullet: bool = False
    marked: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class SourceShown:
    title: str
    detail: str
    lines: tuple[SourceLine, ...]
    note: str = ""


def derive_source(article: Article, passage: Passage) -> SourceShown:
    """The article with the passage marked in it. A passage that stands elsewhere by now is found by its words."""
    body = article.text.body
    start, end = passage.start, passage.end
    if body[start:end] != passage.text:
        start = _nearest(body, passage.text, start)
        end = start + len(passage.text)
    detail = f"{article.text.source_name}, by {article.text.owner}" if article.text.owner else article.text.source_name
    if article.status is ArticleStatus.RETIRED:
        return SourceShown(article.text.title, detail, (), RETIRED)
    if start < 0:
        return SourceShown(article.text.title, detail, source_lines(body, 0, 0), MOVED)
    return SourceShown(article.text.title, detail, source_lines(body, start, end))


def _nearest(body: str, text: str, start: int) -> int:
    """Where `text` begins in `body`, as near to `start` as it can be found; -1 when it is not there."""
    before, after = body.rfind(text, 0, start + len(text)), body.find(text, start)
    found = [at for at in (before, after) if at >= 0]
    return min(found, key=lambda at: abs(at - start), default=-1)


def derive_lost(passage: Passage) -> SourceShown:
    """What is told of a deleted article; the record of the answer itself is the conversation's."""
    return SourceShown(passage.title, " › ".join(passage.heading_path), (), GONE)


def source_lines(body: str, start: int, end: int) -> tuple[SourceLine, ...]:
    """The lines of `body` that are not empty, without their Markdown marks; `body[start:end]` is marked."""
    lines: list[SourceLine] = []
    at = 0
    for raw in body.splitlines(keepends=True):
        line = raw.rstrip()
        heading, bullet = _HEADING.match(line), _BULLET.match(line)
        begins = at + (heading.end() if heading else bullet.end() if bullet else 0)
        text = line[begins - at :]
        first, last = max(start - begins, 0), min(end - begins, len(text))
        if text:
            marked = (first, last) if first < last else None
            lines.append(SourceLine(text, len(heading.group(1)) if heading else 0, bool(bullet), marked))
        at += len(raw)
    return tuple(lines)
