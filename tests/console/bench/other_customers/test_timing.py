"""The figures of the pairs tell a difference from noise."""

from __future__ import annotations

import random

import pytest

from console.bench.other_customers.timing import Pairs, timing_figures


def differences(shift: float, seed: int, count: int = 150) -> tuple[float, ...]:
    dice = random.Random(seed)
    return tuple(dice.gauss(0, 1) - dice.gauss(0, 1) + shift for _ in range(count))


@pytest.mark.parametrize("seed", range(5))
def test_that_pairs_that_are_alike_lie_in_the_noise(seed: int) -> None:
    figures = timing_figures(Pairs(differences(0, seed), differences(0, seed + 100), (5.0, 7.0)))
    assert figures["difference_in_noise"] is not None
    assert figures["difference_in_noise"] <= 0.25
    assert figures["difference_p"] is not None
    assert figures["difference_p"] >= 0.001
    assert (figures["pairs"], figures["unknown_ms"]) == (150, 6)


@pytest.mark.parametrize("shift", [1.0, -1.0])
def test_that_one_that_takes_longer_stands_out(shift: float) -> None:
    figures = timing_figures(Pairs(differences(shift, 1), differences(0, 2), (5.0,)))
    assert figures["difference_in_noise"] is not None
    assert figures["difference_in_noise"] > 0.25
    assert figures["difference_p"] is not None
    assert figures["difference_p"] < 0.001
