"""When a difference lies within the noise, and when nothing can be said."""

from __future__ import annotations

import random

import pytest

from console.bench.attached.figures import STATISTICS, TARGETS, Round, Stretch, figures_of
from console.bench.report import judge


def stretch(dice: random.Random, slower: float, noise: float, console: bool) -> Stretch:
    """Latencies around 50 ms; the whole stretch is off by chance, as stretches are."""
    whole = 50 * (1 + slower) * (1 + dice.gauss(0, noise))
    itl = tuple(whole * dice.uniform(0.9, 1.1) for _ in range(400))
    return Stretch(itl, 0.04, 1.0) if console else Stretch(itl)


def made(slower: float, noise: float = 0.005, pairs: int = 10, seed: int = 1) -> list[Round]:
    dice = random.Random(seed)
    return [
        Round(stretch(dice, slower, noise, True), stretch(dice, 0, noise, False), stretch(dice, 0, noise, False))
        for _ in range(pairs)
    ]


def missed(rounds: list[Round]) -> set[str]:
    holds = judge("attached", figures_of(rounds, 8), TARGETS).holds
    return {name for name, held in holds.items() if not held}


@pytest.mark.parametrize("seed", range(5))
def test_that_a_console_that_costs_nothing_lies_within_the_noise(seed: int) -> None:
    assert missed(made(0.0, pairs=20, seed=seed)) == set()


@pytest.mark.parametrize("slower", [0.05, -0.05])
def test_that_a_difference_beyond_the_noise_stands_out_either_way(slower: float) -> None:
    rounds = made(slower)
    assert missed(rounds) == {f"{name}_difference_in_noise" for name in STATISTICS}
    figures = figures_of(rounds, 8)
    assert figures["p50_difference_percent"] == pytest.approx(slower * 100, abs=1)
    assert figures["p50_difference_p"] is not None
    assert figures["p50_difference_p"] < 0.05


def test_that_tokens_that_come_late_once_a_second_are_seen_though_the_median_is_not() -> None:
    late: list[Round] = []
    for one in made(0.0):
        itl = tuple(value * (2 if number % 15 == 0 else 1) for number, value in enumerate(one.attached.itl_ms))
        late.append(Round(Stretch(itl, 0.04, 1.0), one.alone, one.again))
    assert missed(late) == {"p95_difference_in_noise", "mean_difference_in_noise"}


def test_that_a_restless_machine_holds_nothing() -> None:
    assert {f"{name}_noise_percent" for name in STATISTICS} <= missed(made(0.0, noise=0.2))


def test_that_too_few_pairs_hold_nothing() -> None:
    one, two = made(0.0, pairs=1), made(0.0, pairs=2)
    assert figures_of(one, 8)["p50_difference_in_noise"] is None
    assert {"p50_difference_in_noise"} <= missed(one)
    assert {"p50_difference_in_noise"} <= missed(two)


def test_that_a_console_that_did_not_read_the_engine_holds_nothing() -> None:
    dumb = [Round(Stretch(one.attached.itl_ms), one.alone, one.again) for one in made(0.0)]
    assert figures_of(dumb, 8)["console_cpu_share"] is None
    assert missed(dumb) == {"scrapes_a_second_least"}


def test_that_no_round_gives_no_figure() -> None:
    assert figures_of([], 8) == {}
    assert not judge("attached", {}, TARGETS).ok
