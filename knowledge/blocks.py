"""The blocks of a Markdown body with their exact offsets: what may be kept together and what must not be cut. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

from knowledge.sentences import Span, sentence_spans, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))?(?:\s+#+)?\s*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})\s*$")
_RULE = re.compile(r" {0,3}([-*_])(?:\s*\1){2,}\s*$")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])\s+\S")


class Kind(Enum):
    HEADING = auto()
    PARAGRAPH = auto()
    ITEM = auto()
    ROW = auto()
    CODE = auto()
    RULE = auto()
    BLANK = auto()


@dataclass(frozen=True, slots=True)
class Block:
    """Something kept together if it fits. `atoms` are the spans at which it may be cut if it does not."""

    kind: Kind
    atoms: tuple[Span, ...]

    @property
    def start(self) -> int:
        return self.atoms[0][0]

    @property
    def end(self) -> int:
        return self.atoms[-1][1]


@dataclass(frozen=True, slots=True)
class Section:
    """The blocks below one heading. `path` holds the headings above and this one; `heading` is its own line."""

    path: tuple[str, ...]
    heading: Span | None
    blocks: tuple[Block, ...]


@dataclass(slots=True)
class _Line:
    kind: Kind
    start: int
    end: int


def sections(body: str) -> tuple[Section, ...]:
    """The sections of a body in their order. A heading with nothing below it is text itself."""
    found: list[Section] = []
    path: list[tuple[int, str]] = []
    heading: Span | None = None
    lines: list[_Line] = []
    for line in _merged_underlines(body, list(_lines(body))):
        if line.kind is Kind.HEADING:
            found.append(Section(tuple(title for _, title in path), heading, tuple(_blocks(body, lines))))
            level, title = _level_and_title(body[line.start : line.end])
            path = [(above, text) for above, text in path if above < level] + ([(level, title)] if title else [])
            heading, lines = (line.start, line.end), []
        else:
            lines.append(line)
    found.append(Section(tuple(title for _, title in path), heading, tuple(_blocks(body, lines))))
    return tuple(_with_lonely_headings(body, found))


def _with_lonely_headings(body: str, found: list[Section]) -> Iterator[Section]:
    for section, after in zip(found, [*found[1:], None], strict=True):
        if section.blocks:
            yield section
        elif section.heading and not (after and _is_below(after.path, section.path)):
            text = trimmed(body, *section.heading)
            yield Section(section.path[:-1], section.heading, (Block(Kind.PARAGRAPH, (text,)),))


def _is_below(path: tuple[str, ...], above: tuple[str, ...]) -> bool:
    return len(path) > len(above) and path[: len(above)] == above


def _level_and_title(line: str) -> tuple[int, str]:
    match = _HEADING.match(line)
    if match:
        return len(match[1]), " ".join((match[2] or "").split())
    title, _, underline = line.rpartition("\n")
    return (1 if underline.strip().startswith("=") else 2), " ".join(title.split())


def _lines(body: str) -> Iterator[_Line]:
    fence = ""
    position = 0
    for text in body.splitlines(keepends=True):
        start, position = position, position + len(text)
        end = start + len(text.rstrip("\n"))
        opened = _FENCE.match(text)
        if fence:
            yield _Line(Kind.CODE, start, end)
            if opened and opened[1].startswith(fence) and not text[opened.end() :].strip():
                fence = ""
        elif opened:
            fence = opened[1]
            yield _Line(Kind.CODE, start, end)
        else:
            yield _Line(_kind(text), start, end)


def _kind(line: str) -> Kind:
    if not line.strip():
        return Kind.BLANK
    if _HEADING.match(line):
        return Kind.HEADING
    if _RULE.match(line):
        return Kind.RULE
    if line.lstrip().startswith("|"):
        return Kind.ROW
    return Kind.ITEM if _ITEM.match(line) else Kind.PARAGRAPH


def _merged_underlines(body: str, lines: list[_Line]) -> list[_Line]:
    """A paragraph line with === or --- under it is a heading over both lines."""
    merged: list[_Line] = []
    for line in lines:
        kinds = [before.kind for before in merged[-2:]]
        alone = kinds[-1:] == [Kind.PARAGRAPH] and kinds != [Kind.PARAGRAPH] * 2
        if line.kind in {Kind.PARAGRAPH, Kind.RULE} and alone and _UNDERLINE.match(body[line.start : line.end]):
            merged[-1] = _Line(Kind.HEADING, merged[-1].start, line.end)
        else:
            merged.append(line)
    return merged


def _blocks(body: str, lines: list[_Line]) -> Iterator[Block]:
    """Lines joined to blocks: paragraphs cut at sentences, lists at items, tables at rows, code whole."""
    group: list[_Line] = []
    for line in [*lines, _Line(Kind.BLANK, len(body), len(body))]:
        if group and not _continues(group, line):
            yield _block(body, group)
            group = []
        if line.kind not in {Kind.BLANK, Kind.RULE}:
            group.append(line)


def _continues(group: list[_Line], line: _Line) -> bool:
    first = group[0].kind
    return line.kind is first or (first is Kind.ITEM and line.kind is Kind.PARAGRAPH)


def _block(body: str, group: list[_Line]) -> Block:
    kind = group[0].kind
    start, end = trimmed(body, group[0].start, group[-1].end)
    if kind is Kind.PARAGRAPH:
        return Block(kind, tuple(sentence_spans(body, start, end)))
    if kind is Kind.ROW:
        return Block(kind, tuple(trimmed(body, line.start, line.end) for line in group))
    if kind is Kind.ITEM:
        starts = [line.start for line in group if line.kind is Kind.ITEM]
        return Block(kind, tuple(trimmed(body, a, b) for a, b in zip(starts, [*starts[1:], end], strict=True)))
    return Block(kind, ((start, end),))
