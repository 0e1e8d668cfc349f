"""Is another's order answered in the same time as an unknown one? Pairs, one after the other, in random order.

Each pair asks the same words twice. The null pairs ask for two unknown numbers: their differences are the noise.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from console.bench.other_customers.people import nobodies, other_nobodies, owners, table
from console.bench.other_customers.spelling import filled
from console.bench.pairs import noise_of, signed_rank_p

if TYPE_CHECKING:
    from console.bench.other_customers.people import Target
    from console.bench.other_customers.scenes import Stage

SEED = 3


@dataclass(frozen=True, slots=True)
class Pairs:
    """Milliseconds of each pair: the one that is asked about minus the unknown one."""

    others: tuple[float, ...]
    null: tuple[float, ...]
    unknown_ms: tuple[float, ...]


async def measure(stage: Stage, customer: str, count: int) -> Pairs:
    """`count` pairs of both sorts, interleaved, after a few that warm the house."""
    dice = random.Random(SEED)  # noqa: S311 - the order of pairs, not a secret
    theirs = tuple(owner.target for owner in owners())
    texts: list[str] = table("signed")["numbered"]
    others: list[float] = []
    null: list[float] = []
    unknown: list[float] = []
    for number in range(-len(texts), count):
        text, at = texts[number % len(texts)], number % len(theirs)
        one = await _pair(stage, customer, text, (theirs[at], nobodies()[at]), dice)
        two = await _pair(stage, customer, text, (other_nobodies()[at], nobodies()[at]), dice)
        if number >= 0:
            others.append(one[0] - one[1])
            null.append(two[0] - two[1])
            unknown += [one[1], two[1]]
    return Pairs(tuple(others), tuple(null), tuple(unknown))


async def _pair(
    stage: Stage, customer: str, text: str, targets: tuple[Target, Target], dice: random.Random
) -> tuple[float, float]:
    """Milliseconds for the first and for the second, whichever was asked first."""
    turned = dice.random() < 0.5
    times = [await stage.timed(customer, filled(text, target)) for target in (targets[::-1] if turned else targets)]
    return (times[1], times[0]) if turned else (times[0], times[1])


def timing_figures(pairs: Pairs) -> dict[str, float | None]:
    """`noise_ms` is the middle 95 % of the null pairs, from its middle to its end; a difference in it is a share of it.

    `p` is how often pairs whose two are alike would lie as far to one side by chance.
    """
    noise = noise_of(pairs.null)
    difference = float(np.median(pairs.others))
    return {
        "pairs": float(len(pairs.others)),
        "unknown_ms": float(np.median(pairs.unknown_ms)),
        "difference_ms": difference,
        "null_difference_ms": float(np.median(pairs.null)),
        "noise_ms": noise,
        "difference_in_noise": abs(difference) / noise if noise else None,
        "difference_p": signed_rank_p(pairs.others),
        "null_difference_p": signed_rank_p(pairs.null),
    }
