"""A web page as a tree of what a reader sees: elements that are hidden from the eye are taken out and counted."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from selectolax.lexbor import LexborHTMLParser, SelectolaxError

from knowledge.errors import ReadRefused
from knowledge.readers.hiding import are_alike, color_of, ground_of, hides
from knowledge.readers.html_words import HEADINGS, HIDDEN_CLASSES, STRUCK, UNREAD, VOID
from knowledge.readers.styles import declarations, rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

    Rules = dict[int, list[tuple[dict[str, str], frozenset[str]]]]

DEEPEST: Final = 2_000
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_CLOSED_BY_OTHERS: Final = VOID | {"p", "li", "dt", "dd", "tr", "td", "th", "option", "tbody", "thead", "a"}
_TAGS: Final = re.compile(r"<[^>]*>")
_SHOWN_AGAIN: Final = re.compile(r"(?:sm|md|lg|xl|xxl)[:-](?:block|flex|grid|inline)|d-(?:sm|md|lg|xl|xxl)-(?!none)")
_WITH_BUTTONS: Final = HEADINGS | {"summary", "dt", "legend"}


@dataclass(slots=True)
class Element:
    """An element with what is in it, in order: text and elements. `attributes` names are in lower case."""

    tag: str
    attributes: dict[str, str] = field(default_factory=dict[str, str])
    children: list[str | Element] = field(default_factory=list["str | Element"])

    def walk(self) -> Iterator[Element]:
        waiting = [self]
        while waiting:
            element = waiting.pop()
            yield element
            waiting += [child for child in reversed(element.children) if isinstance(child, Element)]

    def text(self) -> str:
        parts: list[str] = []
        waiting: list[str | Element] = [self]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                parts.append(part)
            else:
                waiting += reversed(part.children)
        return "".join(parts)


@dataclass(slots=True)
class Seen:
    """The page as it is seen. `hidden` are the texts that were taken out, `comments` those of its comments."""

    body: Element
    title: str = ""
    language: str = ""
    hidden: list[str] = field(default_factory=list[str])
    comments: int = 0


def seen_page(markup: str) -> Seen:
    """The tree of the page's body. Raises ReadRefused when it is nested too deep to be a page that a person wrote."""
    _refuse_deep(markup)
    parsed = LexborHTMLParser(markup)
    page = Seen(Element("body"))
    if parsed.root is None:
        return page
    title = parsed.css_first("title")
    page.title = " ".join((title.text() if title else "").split())
    page.language = (parsed.root.attributes.get("lang") or "").strip()
    linked = any("stylesheet" in (link.attributes.get("rel") or "") for link in parsed.css("link"))
    ground = "" if linked else "#ffffff"
    if parsed.body is not None:
        _Taker(page, _rules_by_node(parsed)).take(parsed.body, ground)
    return page


def _refuse_deep(markup: str) -> None:
    """The parser takes time with the square of the depth."""
    depth = 0
    for match in _TAG.finditer(markup):
        if match[2].lower() not in _CLOSED_BY_OTHERS:
            depth = max(0, depth - 1) if match[1] else depth + 1
            if depth > DEEPEST:
                raise ReadRefused(f"Its elements are nested more than {DEEPEST:,} deep. Save its text as Markdown.")


def _rules_by_node(parsed: LexborHTMLParser) -> Rules:
    found: Rules = defaultdict(list)
    for rule in rules([sheet.text() for sheet in parsed.css("style")]):
        try:
            nodes = parsed.css(rule.selector)
        except SelectolaxError:  # a selector that the parser does not know hides nothing
            continue
        for node in nodes:
            found[node.mem_id].append((rule.style, rule.important))
    return found


class _Taker:
    """Copies what is seen of the parsed body into the page."""

    def __init__(self, page: Seen, rules_by_node: Rules) -> None:
        self._page = page
        self._rules = rules_by_node

    def take(self, body: LexborNode, ground: str) -> None:
        waiting: list[tuple[LexborNode, Element, str]] = []

        def children_of(node: LexborNode, into: Element, under: str) -> None:
            child = node.last_child
            while child is not None:
                waiting.append((child, into, under))
                child = child.prev

        children_of(body, self._page.body, ground_of(self._style(body)) or ground)
        while waiting:
            node, into, under = waiting.pop()
            if node.is_text_node:
                into.children.append(node.text_content or "")
            elif node.is_comment_node:
                self._page.comments += any(map(str.isalnum, node.comment_content or ""))
            elif node.is_element_node:
                style = self._style(node)
                ground = ground_of(style) or under
                element = self._element(node, into, style, ground)
                if element is not None:
                    into.children.append(element)
                    children_of(node, element, ground)

    def _element(self, node: LexborNode, into: Element, style: dict[str, str], ground: str) -> Element | None:
        """The element; None when it is hidden or holds no text of the page."""
        tag = node.tag or ""
        if tag in UNREAD and not (tag == "button" and into.tag in _WITH_BUTTONS):
            if tag in ("noscript", "template"):
                self._hide(node)
            return None
        attributes = {name.lower(): value or "" for name, value in node.attributes.items()}
        if _is_hidden(tag, attributes) or hides(style) or are_alike(color_of(style), ground):
            self._hide(node)
            return None
        return Element(tag, attributes)

    def _style(self, node: LexborNode) -> dict[str, str]:
        style: dict[str, str] = {}
        for later in (False, True):  # important declarations win over all others, whichever came first
            own = declarations(node.attributes.get("style") or "")
            for rule, important in (*self._rules.get(node.mem_id, ()), own):
                style |= {name: value for name, value in rule.items() if (name in important) is later}
        return style

    def _hide(self, node: LexborNode) -> None:
        inside = _TAGS.sub(" ", node.html or "") if node.tag == "template" else node.text(separator=" ")
        text = " ".join(inside.split())
        if any(map(str.isalnum, text)):
            self._page.hidden.append(text)


def _is_hidden(tag: str, attributes: dict[str, str]) -> bool:
    """Whether an element is hidden by what it is, or by a class that is known for it."""
    classes = attributes.get("class", "").lower()
    by_class = bool(HIDDEN_CLASSES.intersection(classes.split())) and not _SHOWN_AGAIN.search(classes)
    return (
        by_class
        or tag in STRUCK
        or "hidden" in attributes
        or "popover" in attributes
        or (tag == "dialog" and "open" not in attributes)
    )
