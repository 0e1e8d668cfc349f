"""A mapping as a person edits it: one pair a line, their word = ours. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Pairs = tuple[tuple[str, str], ...]


def lines_of(pairs: Mapping[str, str], *, ours_first: bool = False) -> str:
    """`ours_first`: the mapping is kept from our names to theirs."""
    shown = ((theirs, ours) for ours, theirs in pairs.items()) if ours_first else pairs.items()
    return "\n".join(f"{theirs} = {ours}" for theirs, ours in shown)


def pairs_of(text: str, *, ours_first: bool = False) -> dict[str, str]:
    """The mapping of all lines that can be read, to be kept."""
    pairs = _pairs(text)
    return {ours: theirs for theirs, ours in pairs} if ours_first else dict(pairs)


def fault_of(text: str, example: str, *, ours_first: bool = False) -> str:
    """What is wrong with the first line that can't be read, as a sentence; "" when all can. `example` is a good one."""
    seen: dict[str, int] = {}
    for number, line in _numbered(text):
        theirs, sign, ours = _parts(line)
        if not sign or not theirs or not ours:
            return f"Line {number} is “{line}”: write it as {example}."
        key = ours if ours_first else theirs.casefold()
        if key in seen:
            return f"Line {number} says again what line {seen[key]} says of “{ours if ours_first else theirs}”."
        seen[key] = number
    return ""


def _pairs(text: str) -> Pairs:
    parts = (_parts(line) for _, line in _numbered(text))
    return tuple((theirs, ours) for theirs, _, ours in parts if theirs and ours)


def _numbered(text: str) -> list[tuple[int, str]]:
    return [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _parts(line: str) -> tuple[str, str, str]:
    """Ours never holds a "=", theirs may."""
    theirs, sign, ours = line.rpartition("=")
    return theirs.strip(), sign, ours.strip()
