"""Tags of site generators in Markdown: Jekyll and Jinja, includes, kramdown attributes, tab macros. Pure.

What they stand for is not in the file. They are left out and counted, so that a gap in a text is explained.
"""

from __future__ import annotations

import re
from typing import Final

_COMMENT: Final = re.compile(r"\{%-?\s*(comment|raw)\s*-?%\}|\{%-?\s*end(comment|raw)\s*-?%\}")
_STATEMENT: Final = re.compile(r"\{%[^%]{0,500}%\}|\{#[^#{}]{0,500}#\}")
_INCLUDED: Final = re.compile(
    r"\{%-?\s*(?:include|render|import|extends|embed)\w*\b[^%]{0,500}%\}"  # Jekyll, Jinja
    r"|\{!\s?[\w./ -]{1,120}!\}"  # Python-Markdown
    r"|\{\{[<%][^{}\n]{0,300}[>%]\}\}"  # Hugo
)
_VARIABLE: Final = re.compile(r"(\]\(\s*|[\w/]=?[\"']?)?\{\{[^{}\n]{0,200}\}\}")
_ATTRIBUTES: Final = re.compile(r"\{:[^{}\n]{0,300}\}|(?<=[\])\w*`\ufdd1])\s?\{[#.][\w-][^{}\n]{0,200}\}")
_TEXT_MACRO: Final = re.compile(r"\{[a-z_]{2,40}\|[\w|./ -]{1,120}\}")
_TAB_MACRO: Final = re.compile(r"^[ \t]*\{(?:tab\|[\w|./ -]{1,120}|/?[a-z]+(?:_[a-z]+)*)\}[ \t]*$", re.MULTILINE)


def without_template_tags(text: str, *, braces: bool = True) -> tuple[str, int]:
    """The text without its tags, and how many stood for text that is elsewhere. MDX has its own use for `{{ }}`."""
    text = _TAB_MACRO.sub("", _without_comments(text))
    text, included = _INCLUDED.subn("", text)
    text, macros = _TEXT_MACRO.subn("", text)
    variables = 0
    if braces:
        text, variables = _without_variables(text)
    return _STATEMENT.sub("", _ATTRIBUTES.sub("", text)), included + macros + variables


def _without_variables(text: str) -> tuple[str, int]:
    """Without `{{ … }}`. Those that only begin or end an address leave no gap in what is read."""
    gaps = 0

    def instead(match: re.Match[str]) -> str:
        nonlocal gaps
        gaps += match[1] is None
        return match[1] or ""

    return _VARIABLE.sub(instead, text), gaps


def _without_comments(text: str) -> str:
    """Liquid's comments are left out whole; what is raw is text."""
    parts: list[str] = []
    position = 0
    inside = ""
    for tag in _COMMENT.finditer(text):
        opened, shut = tag[1], tag[2]
        if inside != "comment":
            parts.append(text[position : tag.start()])
        if opened and not inside:
            inside = opened
        elif shut == inside:
            inside = ""
        position = tag.end()
    return "".join([*parts, text[position:]])
