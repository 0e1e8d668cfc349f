"""Web pages: what a visitor reads in them, without the site around it and without what is hidden from the eye."""

from __future__ import annotations

import re
from typing import Final

from knowledge.readers.encodings import decode
from knowledge.readers.hidden_note import hidden_notes
from knowledge.readers.html_words import FURNITURE, ROLES
from knowledge.readers.record import Extract, Note
from knowledge.readers.web_markdown import markdown_of
from knowledge.readers.web_tree import Element, Seen, seen_page

_CHARSET: Final = re.compile(
    rb"<(?:meta|\?xml)[^>]{0,300}?(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE
)
_LANGUAGE: Final = re.compile(r"([a-z]{2,3})(?:[-_]([A-Za-z]{4})\b)?")
_NAMES_ONLY: Final = 3
_ENOUGH: Final = 40
_MANY_LINKS: Final = 12
_LIST_LIKE: Final = frozenset(("ul", "ol", "dl", "table", "p", "div", "section", "td", "form"))


def extract_web_page(data: bytes) -> Extract:
    """The page as Markdown. Raises ReadRefused."""
    decoded = decode(data, _declared(data))
    page = seen_page(decoded.text)
    body, left_out = page_text(page)
    notes = [*decoded.notes, *hidden_notes(page.hidden, page.comments)]
    if left_out:
        notes.append(Note(f"The site around the page was left out: {left_out:,} characters of menus and footers."))
    return Extract(body, decoded.encoding, page.title, _language(page.language), tuple(notes))


def page_text(page: Seen) -> tuple[str, int]:
    """The Markdown of the page and how many characters of the site around it are not in it."""
    whole = markdown_of(page.body)
    root = _main_part(page.body)
    inside = markdown_of(_without_furniture(root or page.body))
    if _letters(inside) == 0:
        return whole, 0
    return inside, max(0, _letters(whole) - _letters(inside))


def _declared(data: bytes) -> str:
    import webencodings

    match = _CHARSET.search(data)
    known = webencodings.lookup(match[1].decode("ascii")) if match else None
    if known is None or known.name.startswith("utf-16"):
        return ""  # a page whose ASCII says UTF-16 is not UTF-16
    return known.codec_info.name


def _language(tag: str) -> str:
    match = _LANGUAGE.match(tag)
    return "-".join(filter(None, match.groups())) if match else ""


def _main_part(body: Element) -> Element | None:
    """The part that says of itself that it is what the page is about, if it says most of it."""
    mains = [e for e in body.walk() if e.tag == "main" or e.attributes.get("role") == "main"]
    found = mains or [e for e in body.walk() if e.tag == "article"]
    return found[0] if len(found) == 1 and _letters(found[0].text()) >= _ENOUGH else None


def _without_furniture(root: Element) -> Element:
    copy = Element(root.tag, root.attributes)
    waiting = [(root, copy, root.tag != "body")]
    while waiting:
        element, into, in_article = waiting.pop()
        for child in element.children:
            if isinstance(child, str):
                into.children.append(child)
            elif not _is_furniture(child, in_article) and not _only_links(child, _MANY_LINKS if in_article else 1):
                kept = Element(child.tag, child.attributes)
                into.children.append(kept)
                waiting.append((child, kept, in_article or child.tag in ("main", "article")))
    return copy


def _is_furniture(element: Element, in_article: bool) -> bool:
    if set(element.attributes.get("role", "").lower().split()) & ROLES:
        return True
    return element.tag in FURNITURE and not (in_article and element.tag in ("header", "footer", "aside"))


def _only_links(element: Element, fewest: int) -> bool:
    """A block of nothing but links, such as a menu; a single longer sentence that is a link is text."""
    if element.tag not in _LIST_LIKE:
        return False
    links = [part.text() for part in element.walk() if part.tag == "a"]
    inside, whole = sum(map(_letters, links)), _letters(element.text())
    return len(links) >= fewest and whole > 0 and inside * 10 >= whole * 9 and _are_names(links)


def _are_names(links: list[str]) -> bool:
    words = [len(text.split()) for text in links if text.strip()]
    return len(words) > 1 or words[0] <= _NAMES_ONLY


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))
