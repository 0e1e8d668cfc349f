"""The tree of a web page as Markdown: headings, paragraphs, lists, tables, code and links that lead somewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from knowledge.readers.html_words import BLOCKS, HEADINGS
from knowledge.readers.web_table import is_data_table, table_lines

if TYPE_CHECKING:
    from knowledge.readers.web_tree import Element

_SPACE: Final = re.compile(r"[ \t\n\r\f]+")
_STRUCTURE: Final = re.compile(r"(?=#{1,6}\s|\||`{3}|~{3})")
_LINK: Final = re.compile(r"(?:https?://|mailto:|tel:)\S+", re.IGNORECASE)


def markdown_of(root: Element) -> str:
    """The Markdown of what is in this element."""
    writer = _Writer()
    writer.children(root)
    writer.end_block()
    return "\n\n".join(writer.blocks)


def inline_text(element: Element) -> str:
    """All text in an element on one line, as in a table cell."""
    return " ".join(" ".join(_parts(element)).split())


def _parts(element: Element) -> list[str]:
    return [
        child if isinstance(child, str) else f" {inline_text(child)} " if child.tag in BLOCKS else inline_text(child)
        for child in element.children
    ]


@dataclass(slots=True)
class _List:
    ordered: bool
    number: int = 0


@dataclass(slots=True)
class _Writer:
    """Blocks of Markdown as they are finished; `line` is the text of the one in work, `first` what goes before it."""

    blocks: list[str] = field(default_factory=list[str])
    line: list[str] = field(default_factory=list[str])
    lists: list[_List] = field(default_factory=list[_List])
    first: str = ""
    level: int = 1

    def children(self, element: Element) -> None:
        for child in element.children:
            if isinstance(child, str):
                self.line.append(_SPACE.sub(" ", child))
            else:
                self.element(child)

    def element(self, element: Element) -> None:
        tag = element.tag
        if tag in HEADINGS:
            self._heading(element, int(tag[1]))
        elif tag == "summary":
            self._heading(element, min(self.level + 1, 6), keeps_level=True)
        elif tag in ("ul", "ol", "menu", "dir"):
            self._list(element)
        elif tag == "li":
            self._item(element)
        elif tag == "pre":
            self._code(element)
        elif tag == "table" and is_data_table(element):
            self._table(element)
        elif tag in BLOCKS:
            self.end_block()
            self.children(element)
            self.end_block()
        else:
            self._inline(element)

    def end_block(self) -> None:
        lines = [" ".join(line.split()) for line in "".join(self.line).split("\n")]
        text = "\n".join(line for line in lines if line)
        self.line = []
        if not text:
            return
        if not self.first.strip():
            text = "\n".join(("\\" if _STRUCTURE.match(line) else "") + line for line in text.split("\n"))
        block = self.first + text.replace("\n", "\n" + " " * len(self.first))
        if self.lists and self.blocks:
            self.blocks[-1] += "\n" + block
        else:
            self.blocks.append(block)
        self.first = " " * len(self.first) if self.lists else ""

    def _heading(self, element: Element, level: int, *, keeps_level: bool = False) -> None:
        self.end_block()
        title = inline_text(element)
        if title:
            self.blocks.append(f"{'#' * level} {title}")
        if not keeps_level:
            self.level = level

    def _list(self, element: Element) -> None:
        self.end_block()
        if not self.lists:
            self.blocks.append("")
        self.lists.append(_List(element.tag == "ol"))
        outer = self.first
        self.children(element)
        self.end_block()
        self.lists.pop()
        self.first = outer
        if not self.lists:
            self.first = ""
            self.blocks[-1] = self.blocks[-1].strip("\n")
            if not self.blocks[-1]:
                self.blocks.pop()

    def _item(self, element: Element) -> None:
        self.end_block()
        if not self.lists:  # an item without a list, as bad pages have it
            self.blocks.append("")
        inner = self.lists[-1] if self.lists else _List(ordered=False)
        inner.number += 1
        indent = "  " * max(len(self.lists) - 1, 0)
        self.first = indent + (f"{inner.number}. " if inner.ordered else "- ")
        self.children(element)
        self.end_block()
        self.first = ""

    def _code(self, element: Element) -> None:
        self.end_block()
        code = element.text().strip("\n")
        if code.strip():
            fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", code)), default=0))
            self.blocks.append(f"{fence}\n{code}\n{fence}")

    def _table(self, element: Element) -> None:
        self.end_block()
        caption, lines = table_lines(element, inline_text)
        if caption:
            self.blocks.append(caption)
        if lines:
            self.blocks.append("\n".join(lines))

    def _inline(self, element: Element) -> None:
        if element.tag == "br":
            self.line.append("\n")
        elif element.tag == "img":
            self.line.append(f" {_SPACE.sub(' ', element.attributes.get('alt', ''))} ")
        elif element.tag == "a" and (target := _LINK.fullmatch(element.attributes.get("href", "").strip())):
            text = inline_text(element)
            same = target[0].removeprefix("mailto:").removeprefix("tel:") == text
            self.line.append(text if same or not text else f"[{text}]({target[0]})")
        else:
            self.children(element)
