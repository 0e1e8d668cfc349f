"""What a question wants to know of an order besides where it is. Patterns are data: assets/routing/asking.toml."""

from __future__ import annotations

from dataclasses import dataclass

from engine_host.answering.folding import fold
from engine_host.answering.patterns import pattern, rules


@dataclass(frozen=True, slots=True)
class Asks:
    """`contents`: what is in the box; `total`: what it cost; `courier`: who brings it."""

    contents: bool = False
    total: bool = False
    courier: bool = False


def asked_besides(text: str) -> Asks:
    folded = fold(text)
    found = {rule.name for rule in rules("asking", "asks", "about") if rule.pattern.search(folded)}
    return Asks("contents" in found, "total" in found, "courier" in found)


def is_parting(text: str) -> bool:
    """Whether small talk ends something ("thanks", "ok"): it is not greeted as if it began."""
    return pattern("asking", "parting").search(fold(text)) is not None
