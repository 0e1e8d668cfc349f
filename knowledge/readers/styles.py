"""Styles of a page as far as they hide text: those of a `style` attribute, and the rules of style sheets. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import tinycss2

from knowledge.readers.hiding import HIDING_PROPERTIES

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_RULES: Final = 2_000
LONGEST_STYLE: Final = 4_000
_SCREEN: Final = re.compile(
    r"(?:only\s+)?(?:all|screen)?(?:(?:\s*and)?\s*\(\s*min-width\s*:\s*\d{1,3}(?:\.\d+)?(?:px)?\s*\))*", re.IGNORECASE
)
_PSEUDO: Final = re.compile(r"::|:(?:before|after|hover|focus|active|visited|target|checked|first-letter|first-line)")


@dataclass(frozen=True, slots=True)
class Rule:
    """A selector and what of its declarations may hide. `weight` orders rules as the cascade does."""

    selector: str
    style: dict[str, str]
    important: frozenset[str]
    weight: tuple[int, int, int]


def declarations(text: str) -> tuple[dict[str, str], frozenset[str]]:
    """The hiding properties that a list of declarations sets, and which of them are important."""
    if len(text) > LONGEST_STYLE:
        return {}, frozenset()
    return _of_nodes(tinycss2.parse_blocks_contents(text, skip_comments=True, skip_whitespace=True))


def rules(sheets: list[str]) -> tuple[Rule, ...]:
    """The rules of these sheets that apply on a screen and set a hiding property, weakest first."""
    found = [rule for sheet in sheets for rule in _rules_in(tinycss2.parse_stylesheet(sheet, True, True))]
    return tuple(sorted(found[:MOST_RULES], key=lambda rule: rule.weight))


def _rules_in(nodes: list[Any]) -> Iterator[Rule]:
    for node in nodes:
        if node.type == "qualified-rule":
            style, important = _of_nodes(tinycss2.parse_blocks_contents(node.content, True, True))
            if style:
                for selector in tinycss2.serialize(node.prelude).split(","):
                    if selector.strip() and not _PSEUDO.search(selector):
                        yield Rule(selector.strip(), style, important, _weight(selector))
        elif node.type == "at-rule" and node.content and node.lower_at_keyword in ("media", "supports", "layer"):
            where = tinycss2.serialize(node.prelude).strip()
            if node.lower_at_keyword != "media" or any(_SCREEN.fullmatch(part.strip()) for part in where.split(",")):
                yield from _rules_in(tinycss2.parse_rule_list(node.content, True, True))


def _of_nodes(nodes: list[Any]) -> tuple[dict[str, str], frozenset[str]]:
    found = [node for node in nodes if node.type == "declaration" and node.lower_name in HIDING_PROPERTIES]
    style = {node.lower_name: tinycss2.serialize(node.value).strip().lower() for node in found}
    return style, frozenset(node.lower_name for node in found if node.important)


def _weight(selector: str) -> tuple[int, int, int]:
    """Specificity, about: ids, then classes and attributes, then elements."""
    return (
        selector.count("#"),
        len(re.findall(r"[.\[]|(?<!:):(?!:)", selector)),
        len(re.findall(r"(?:^|[\s>+~])[a-zA-Z]", selector)),
    )
