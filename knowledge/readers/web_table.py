"""Tables of a web page as rows of Markdown, cells that span several repeated in each. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from knowledge.readers.html_words import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from knowledge.readers.web_tree import Element

MOST_COLUMNS: Final = 60
_STRUCTURE: Final = HEADINGS | {"table", "ul", "ol", "pre", "hr", "form"}
_LONGEST_CELL: Final = 800


def is_data_table(table: Element) -> bool:
    """Whether it is rows and columns of short texts; others only arrange a page, as old pages do."""
    if table.attributes.get("role") in ("presentation", "none"):
        return False
    if any(element.tag in _STRUCTURE for element in table.walk() if element is not table):
        return False
    cells = [_cells(row) for row in _rows(table)]
    texts = [[cell.text().strip() for cell in row] for row in cells]
    return any(sum(map(bool, row)) > 1 for row in texts) and all(len(t) <= _LONGEST_CELL for row in texts for t in row)


def table_lines(table: Element, text_of: Callable[[Element], str]) -> tuple[str, list[str]]:
    """The caption and the rows, the first row as the heading."""
    caption = next(
        (text_of(part) for part in table.children if not isinstance(part, str) and part.tag == "caption"), ""
    )
    grid = [row for row in _grid(list(_rows(table)), text_of) if any(row)]
    if not grid:
        return caption, []
    width = max(map(len, grid))
    lines = ["| " + " | ".join((*row, *[""] * (width - len(row)))) + " |" for row in grid]
    return caption, [lines[0], "|" + " --- |" * width, *lines[1:]]


def _grid(rows: list[Element], text_of: Callable[[Element], str]) -> Iterator[list[str]]:
    below: dict[int, tuple[str, int]] = {}
    for row in rows:
        cells = iter(_cells(row))
        line: list[str] = []
        while len(line) < MOST_COLUMNS:
            text, more = below.pop(len(line), ("", 0))
            if more:
                if more > 1:
                    below[len(line)] = (text, more - 1)
                line.append(text)
                continue
            cell = next(cells, None)
            if cell is None:
                if not any(column > len(line) for column in below):
                    break
                line.append("")
                continue
            text = text_of(cell).replace("|", "/")
            down = _span(cell, "rowspan")
            for _ in range(min(_span(cell, "colspan"), MOST_COLUMNS - len(line))):
                if down > 1:
                    below[len(line)] = (text, down - 1)
                line.append(text)
        yield line


def _span(cell: Element, name: str) -> int:
    value = cell.attributes.get(name, "1").strip()
    return max(1, min(int(value), 1_000)) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _rows(table: Element) -> Iterator[Element]:
    return (element for element in table.walk() if element.tag == "tr")


def _cells(row: Element) -> list[Element]:
    return [cell for cell in row.children if not isinstance(cell, str) and cell.tag in ("td", "th")]
