"""How likely a question is for an order: signs, nearest examples and lean, each with a weight that was measured."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from engine_host.answering.patterns import table
from engine_host.answering.signs import all_rules, first_rule

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from engine_host.answering.leaning import Lean
    from engine_host.answering.nearest import Nearest

SIGN = "sign "
_MANY_WORDS = 20
_FEW_WORDS = 3


def on_the_scales(words: int, signs: AbstractSet[str], nearest: Nearest, lean: Lean) -> dict[str, float]:
    """All that is weighed, by name; `words` is how many the question has."""
    return {
        "always": 1.0,
        "lean": lean.total,
        "mean lean": lean.mean,
        "unknown pieces": lean.unknown,
        "lean of known pieces": lean.total * (1 - lean.unknown),
        "share of votes": nearest.share,
        "likeness": nearest.likeness,
        "share and likeness": nearest.share * nearest.likeness,
        "likeness to an order": nearest.to_order,
        "likeness to another": nearest.to_other,
        "how many signs": float(len(signs)),
        "how many words": min(words, _MANY_WORDS) / _MANY_WORDS,
        "few words": float(words <= _FEW_WORDS),
        "letters only": float(nearest.letters_only),
        "an order rule": float(bool(first_rule("order", signs))),
        "a help rule": float(bool(first_rule("help", signs))),
    } | dict.fromkeys((*(SIGN + sign for sign in signs), *all_rules("together", signs)), 1.0)


def chance(weighed: Mapping[str, float]) -> float:
    """From 0 to 1, by the weights of assets/routing/weights.toml."""
    weights: dict[str, float] = table("weights")["weights"]
    total = sum(value * weights.get(name, 0.0) for name, value in weighed.items())
    return 1 / (1 + math.exp(-total))
