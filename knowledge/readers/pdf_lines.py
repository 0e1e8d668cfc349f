"""The characters of PDF pages as Markdown: lines, paragraphs, headings by their size; page headers left out. Pure."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_HYPHEN: Final = ("\ufffe", "\u00ad", "\x02")
_BULLET: Final = re.compile(r"^[•●▪◦‣∙·–\uf0b7\uf0a7]\s*")
_PAGE_NUMBER: Final = re.compile(
    r"^\W*(?:\w{1,8}\s)?\d{1,4}(?:\s?(?:of|/|में से|पैकी)\s?\d{1,4})?\W*$|^\d{1,4}(?=\s)|(?<=\s)\d{1,4}$"
)
_STRUCTURE: Final = re.compile(r"(?=#{1,6}\s|\||`{3}|~{3})")
HEADING_RATIO: Final = 1.15
LONGEST_HEADING: Final = 140
WIDE_PITCH: Final = 1.3
LEAST_PITCH, MOST_PITCH = 1.45, 2.4  # of the line's height: what can be the distance of lines in one paragraph
REPEATS: Final = 3


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character and its box in points from the lower left corner. `made` = a space or line end that the library
    put between characters; `invisible` = drawn without ink."""

    text: str
    left: float
    right: float
    bottom: float
    top: float
    size: float
    made: bool = False
    invisible: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """`pictures` counts the images on it."""

    glyphs: tuple[Glyph, ...]
    pictures: int
    height: float

    @property
    def letters(self) -> int:
        return sum(glyph.text.isalnum() for glyph in self.glyphs)

    @property
    def is_recognised(self) -> bool:
        """A picture with an invisible text over it: the work of OCR."""
        drawn = [glyph for glyph in self.glyphs if not glyph.made]
        return bool(self.pictures and drawn) and all(glyph.invisible for glyph in drawn)


@dataclass(frozen=True, slots=True)
class Line:
    text: str
    size: float
    bottom: float
    top: float
    left: float


def markdown_of_pages(pages: Sequence[Page]) -> tuple[str, tuple[str, ...]]:
    """All pages as one text, and the lines that were left out because most pages have them.

    Lines stay lines; a wide gap begins a paragraph, a larger size makes a heading.
    """
    lines = [list(lines_of(page.glyphs)) for page in pages]
    repeated = _repeated(lines)
    sizes: Counter[float] = Counter()
    for line in (line for page in lines for line in page):
        sizes[line.size] += len(line.text)
    levels = _levels(lines, max(sizes, key=lambda size: sizes[size], default=0.0))
    blocks: list[str] = []
    for page in lines:
        blocks += _blocks(_without_running(page, repeated), levels)
    return _joined("\n\n".join(blocks)), tuple(sorted(repeated))


def lines_of(glyphs: Sequence[Glyph]) -> Iterator[Line]:
    """The lines in the order in which the page draws them, which is how its columns are meant to be read."""
    line: list[Glyph] = []
    for glyph in (*glyphs, Glyph("\n", 0, 0, 0, 0, 0, made=True)):
        if glyph.text not in ("\r", "\n"):
            if not (line and _is_same_twice(line, glyph)):
                line.append(glyph)
            continue
        drawn = [one for one in line if not one.made and one.text.strip()]
        text = " ".join("".join(one.text for one in line).split())
        if drawn and text:
            yield Line(
                text,
                round(statistics.median(one.size for one in drawn), 1),
                min(one.bottom for one in drawn),
                max(one.top for one in drawn),
                min(one.left for one in drawn),
            )
        line = []


def _is_same_twice(line: list[Glyph], glyph: Glyph) -> bool:
    """A letter drawn over itself a hair aside, which some programs do for bold."""
    if not glyph.text.strip() or glyph.made:
        return False
    near = max(0.12 * (glyph.right - glyph.left), 0.05)
    return any(
        before.text == glyph.text
        and not before.made
        and abs(before.left - glyph.left) < near
        and abs(before.bottom - glyph.bottom) < near
        for before in line[-3:]
    )


def _repeated(pages: list[list[Line]]) -> frozenset[str]:
    """First and last lines that come back on most pages: running titles and page numbers."""
    if len(pages) < REPEATS:
        return frozenset()
    edges = Counter(key for page in pages for key in {_running(page[place].text) for place in _edges(page)})
    return frozenset(key for key, times in edges.items() if key and times >= max(REPEATS, 0.5 * len(pages)))


def _without_running(page: list[Line], repeated: frozenset[str]) -> list[Line]:
    edges = _edges(page)
    return [line for place, line in enumerate(page) if place not in edges or _running(line.text) not in repeated]


def _edges(page: list[Line]) -> frozenset[int]:
    """The places of the first two and the last two lines; of a short page all would be that."""
    return frozenset((0, 1, len(page) - 2, len(page) - 1)) if len(page) > 4 else frozenset()


def _running(text: str) -> str:
    """A line without the page number that it begins or ends with; "" for one that is a row of numbers."""
    bare = _PAGE_NUMBER.sub("#", text)
    return bare if bare == "#" or sum(map(str.isalpha, bare)) >= 3 else ""


def _levels(pages: list[list[Line]], body_size: float) -> dict[float, int]:
    """Heading level by size: the largest is the title, at most three below it."""
    sizes = {
        line.size
        for page in pages
        for line in page
        if line.size >= HEADING_RATIO * body_size and any(map(str.isalpha, line.text))
    }
    return {size: min(level, 4) for level, size in enumerate(sorted(sizes, reverse=True), 1)}


def _blocks(lines: list[Line], levels: dict[float, int]) -> Iterator[str]:
    block: list[Line] = []
    pitch = _usual_pitch(lines)
    for line in lines:
        if block and not _goes_on(block[-1], line, levels, pitch):
            yield _block(block, levels)
            block = []
        block.append(line)
    if block:
        yield _block(block, levels)


def _usual_pitch(lines: list[Line]) -> float:
    """The usual distance from one line down to the next."""
    steps = [above.bottom - line.bottom for above, line in pairwise(lines) if above.bottom > line.bottom]
    return statistics.median(steps) if steps else 0.0


def _goes_on(before: Line, line: Line, levels: dict[float, int], usual: float) -> bool:
    """Whether a line belongs to the paragraph of the line before it. Sidewards and upwards it may, as in tables."""
    if levels.get(before.size) != levels.get(line.size):
        return False
    height = max(before.top - before.bottom, line.top - line.bottom, 1.0)
    most = min(max(WIDE_PITCH * usual, LEAST_PITCH * height), MOST_PITCH * height)
    return -3 * height < before.bottom - line.bottom <= most


def _block(lines: list[Line], levels: dict[float, int]) -> str:
    level = levels.get(lines[0].size)
    title = " ".join(line.text for line in lines)
    if level and len(title) <= LONGEST_HEADING and any(map(str.isalpha, title)):
        return f"{'#' * level} {_joined(title)}"
    return "\n".join(_plain(line.text) for line in lines)


def _plain(text: str) -> str:
    text = _BULLET.sub("- ", text)
    return "\\" + text if _STRUCTURE.match(text) else text


def _joined(text: str) -> str:
    """Words that were divided at a line end, put together again."""
    for hyphen in _HYPHEN:
        text = re.sub(rf"{hyphen}\s*", "", text)
    return text
