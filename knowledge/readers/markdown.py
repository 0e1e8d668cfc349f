"""Markdown and MDX: front matter apart, and only what a reader of the page would see. Pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from knowledge.front_matter import parse_front_matter, split_front_matter
from knowledge.readers.code_mask import CodeMask
from knowledge.readers.hidden_note import hidden_notes
from knowledge.readers.raw_html import without_html
from knowledge.readers.record import Extract, Note
from knowledge.readers.template_tags import without_template_tags

if TYPE_CHECKING:
    from knowledge.readers.encodings import Decoded

_LINK_COMMENT: Final = re.compile(
    r"^[ \t]*\[[^\]\n]{1,80}\]:[ \t]*(?:#|<>)[ \t]+[\"'(]([^\n]*)[\"')][ \t]*$", re.MULTILINE
)
_MODULE_LINE: Final = re.compile(
    r"(?:import|export)\s+(?:[{*'\"]|(?:default|const|let|var|function|async|class|type)\b"
    r"|[A-Za-z_$][\w$]*\s*(?:,|\bfrom\b))"
)
_EXPRESSION: Final = re.compile(r"\{([^{}]*+(?:\{[^{}]*+(?:\{[^{}]*+\}[^{}]*+)*+\}[^{}]*+)*+)\}")
_STRING: Final = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)'|(\ufdd0\d+\ufdd1))\s*")
_STRUCK: Final = re.compile(r"(?<![~\\])~~(?![~\s])([^~\n]+(?:\n[^~\n]+)*)(?<!\s)~~(?!~)")
_LINES: Final = re.compile(r"\n{3,}")
_TRAILING: Final = re.compile(r"[ \t]+$", re.MULTILINE)


def extract_markdown(decoded: Decoded, *, mdx: bool = False, plain: bool = False) -> Extract:
    """The article in a Markdown file; in a `plain` one angle brackets and braces are text like any other.

    Raises ReadRefused for front matter that can't be read.
    """
    block, rest = split_front_matter(decoded.text)
    matter = parse_front_matter(block)
    body, notes = (rest, ()) if plain else clean_markdown(rest, mdx=mdx)
    return Extract(body, decoded.encoding, notes=(*decoded.notes, *notes), matter=matter)


def clean_markdown(text: str, *, mdx: bool = False) -> tuple[str, tuple[Note, ...]]:
    """Markdown without tags, comments, hidden and struck text; code stays as it is."""
    mask = CodeMask(text)
    clean, tags = without_template_tags(mask.text, braces=not mdx)
    comments = sum(any(map(str.isalnum, match[1])) for match in _LINK_COMMENT.finditer(clean))
    clean = _LINK_COMMENT.sub("", clean)
    if mdx:
        clean = _without_modules(clean)
    struck = _STRUCK.findall(clean)
    html = without_html(_STRUCK.sub("", clean), jsx=mdx)
    clean, expressions = _without_expressions(html.text) if mdx else (html.text, 0)
    clean = mask.restored(_LINES.sub("\n\n", _TRAILING.sub("", clean)))
    hidden = [mask.restored(part) for part in (*struck, *html.hidden)]
    return clean.strip("\n"), (*hidden_notes(hidden, html.comments + comments), *_gaps(tags, expressions))


def _gaps(tags: int, expressions: int) -> tuple[Note, ...]:
    found = [
        Note(f"Left out: {number:,} {what}{'' if number == 1 else 's'}, whose text is not in this file. Look for gaps.")
        for number, what in ((tags, "template tag"), (expressions, "JavaScript expression"))
        if number
    ]
    return tuple(found)


def _without_modules(text: str) -> str:
    """MDX without its imports and exports: each begins a paragraph and ends with it, or when its braces close."""
    kept: list[str] = []
    inside, depth, above = False, 0, ""
    for line in text.split("\n"):
        if not inside and not above.strip() and _MODULE_LINE.match(line):
            inside, depth = True, 0
        if inside:
            depth += sum(map(line.count, "{([")) - sum(map(line.count, "})]"))
            inside = bool(line.strip()) or depth > 0
        if not inside:
            kept.append(line)
        above = "" if inside else line
    return text if depth > 0 and inside else "\n".join(kept)


def _without_expressions(text: str) -> tuple[str, int]:
    left_out = 0

    def instead(match: re.Match[str]) -> str:
        nonlocal left_out
        string = _STRING.fullmatch(match[1])
        if string:
            return next(filter(None, string.groups()), "")
        left_out += bool(match[1].strip())
        return ""

    return _EXPRESSION.sub(instead, text), left_out
