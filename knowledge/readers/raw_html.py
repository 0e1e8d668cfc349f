"""HTML and JSX inside Markdown: tags go, their text stays, and what they hide from the eye goes too. Pure."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from typing import Final

from knowledge.readers.hiding import hides
from knowledge.readers.html_words import BLOCKS, ELEMENTS, HEADINGS, HIDDEN_CLASSES, STRUCK, UNREAD, VOID
from knowledge.readers.styles import declarations

_VALUE: Final = r"(?:\"[^\"]*+\"|'[^']*+'|\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}|[^\s<>\"'`={}]++)"
_TAG: Final = re.compile(
    rf"<(?P<close>/?)(?P<name>[A-Za-z][\w.:-]*+|(?=>))(?P<rest>(?:\s++(?:[^\s<>\"'/=`{{}}]++(?:\s*+=\s*+{_VALUE})?|\{{[^{{}}]*+\}}))*+)"
    r"\s*+(?P<self>/?)>"
)
_ATTRIBUTE: Final = re.compile(rf"([^\s<>\"'/=`{{}}]++)(?:\s*+=\s*+({_VALUE}))?")
_ENTITY: Final = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_JSX_STYLE: Final = re.compile(r"([A-Za-z]+)\s*:\s*['\"]?([^,'\"}]+)")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_TITLES: Final = ("title", "label", "header", "heading", "summary", "question")
_SPACE: Final = re.compile(r"\s+")
_OPENED: Final = {"br": "\n", "li": "\n- ", "hr": "\n\n", "td": " ", "th": " ", "tr": "\n|", "tbody": "", "thead": ""}
_OPENS: Final = re.compile(r"(?:^|#|\n-) $|\|$")  # a heading, an item or a cell whose text comes next
_CLOSED: Final = {"td": " |", "th": " |", "tr": "", "li": "", "tbody": "", "thead": ""}


@dataclass(slots=True)
class Cleaned:
    """Markdown without tags; `hidden` are texts that the tags hid, `comments` how many comments had text."""

    text: str
    hidden: list[str] = field(default_factory=list[str])
    comments: int = 0


def without_html(text: str, *, jsx: bool = False) -> Cleaned:
    """Text without HTML. In plain Markdown an unknown <word> is text; with `jsx` every tag is a tag."""
    text, comments = _without_comments(text, "<!--", "-->")
    if jsx:
        text, more = _without_comments(text, "{/*", "*/}")
        comments += more
    cleaner = _Cleaner(text, jsx)
    cleaned = cleaner.cleaned()
    cleaned.comments = comments
    cleaned.text = _ENTITY.sub(_character, cleaned.text)
    return cleaned


def _character(match: re.Match[str]) -> str:
    character = html.unescape(match[0])
    return " " if character in "\xa0\u200b" else character if character.isprintable() else ""


def _without_comments(text: str, opening: str, closing: str) -> tuple[str, int]:
    parts: list[str] = []
    position = told = 0
    while (start := text.find(opening, position)) >= 0:
        end = text.find(closing, start + len(opening))
        if end < 0:
            break  # not closed: shown as the text that it is, so that nothing after it is lost
        parts.append(text[position:start])
        told += any(map(str.isalnum, text[start + len(opening) : end]))
        position = end + len(closing)
    return "".join([*parts, text[position:]]), told


class _Cleaner:
    def __init__(self, text: str, jsx: bool) -> None:
        self._text = text
        self._jsx = jsx
        self._parts: list[str] = []
        self._hidden: list[list[str]] = []
        self._hiding = ""  # the element that hides what follows, and how many of its name are open
        self._open = 0
        self._tells = False  # whether what is left out is told as hidden; a script is not
        self._flat = {"table": 0, "heading": 0}  # open elements in which line ends mean nothing

    def cleaned(self) -> Cleaned:
        position = 0
        for tag in _TAG.finditer(self._text):
            if not self._jsx and tag["name"].lower() not in ELEMENTS:
                continue
            self._take(self._text[position : tag.start()])
            self._tag(tag)
            position = tag.end()
        self._take(self._text[position:])
        hidden = [" ".join("".join(parts).split()) for parts in self._hidden]
        return Cleaned("".join(self._parts), [text for text in hidden if any(map(str.isalnum, text))])

    def _take(self, text: str) -> None:
        if self._hiding:
            if self._tells:
                self._hidden[-1].append(text)
            return
        if any(self._flat.values()):
            text = _SPACE.sub(" ", text)
        if self._parts and _OPENS.search(self._parts[-1][-4:]):
            text = text.lstrip()
        if text:
            self._parts.append(text)

    def _tag(self, tag: re.Match[str]) -> None:
        name, closes = tag["name"].lower(), bool(tag["close"])
        alone = bool(tag["self"]) or name in VOID
        if self._hiding:
            if name == self._hiding and not alone:
                self._open += -1 if closes else 1
            self._hiding = self._hiding if self._open else ""
            return
        attributes = {key.lower(): _plain(value) for key, value in _ATTRIBUTE.findall(tag["rest"])}
        hides = _hides(attributes) or name in STRUCK
        unread = name in UNREAD and not (name == "button" and self._flat["heading"])
        if (hides or unread) and not closes and not alone:
            self._hiding, self._open = name, 1
            self._tells = hides or name in ("noscript", "template")
            self._hidden.append([])
            return
        kind = "heading" if name in HEADINGS or name in ("summary", "dt") else name
        if kind in self._flat and not alone:
            self._flat[kind] = max(0, self._flat[kind] + (-1 if closes else 1))
        instead = self._instead(tag["name"], name, attributes, closes)
        if instead:
            self._parts.append(instead)

    def _instead(self, written: str, name: str, attributes: dict[str, str], closes: bool) -> str:
        if closes:
            return _CLOSED.get(name, "\n\n" if name in BLOCKS else "")
        if name in _OPENED:
            return _OPENED[name]
        if name in HEADINGS:
            return f"\n\n{'#' * int(name[1])} "
        if name == "img":
            return attributes.get("alt", "")
        title = next((attributes[key] for key in _TITLES if attributes.get(key)), "")
        if self._jsx and title and written[:1].isupper():
            return f"\n\n**{title}**\n\n"
        return "\n\n" if name in BLOCKS else ""


def _plain(value: str) -> str:
    if value[:1] in ("'", '"') or (value.startswith("{") and value[1:2] in ("'", '"', "`")):
        return value.strip("{}").strip("'\"`")
    return value


def _hides(attributes: dict[str, str]) -> bool:
    if "hidden" in attributes and attributes["hidden"] != "{false}":
        return True
    classes = f"{attributes.get('class', '')} {attributes.get('classname', '')}"
    if HIDDEN_CLASSES.intersection(classes.lower().split()):
        return True
    written = attributes.get("style", "")
    if written.startswith("{"):
        style = {_CAMEL.sub("-", name).lower(): value.strip().lower() for name, value in _JSX_STYLE.findall(written)}
    else:
        style, _ = declarations(html.unescape(written))
    return hides(style)
