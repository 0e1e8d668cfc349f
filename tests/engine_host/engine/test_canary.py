"""When an engine is asked to prove that it works."""

from __future__ import annotations

import pytest

from engine_host.engine.canary import Canary, Pulse


def canary(*pulses: tuple[float, int, float], at_rest: bool = True) -> Canary:
    """Fed with (seconds, in hand, progress)."""
    one = Canary(at_rest)
    for at, in_hand, progress in pulses:
        one.feel(Pulse(in_hand, progress), at)
    return one


@pytest.mark.parametrize(
    ("pulses", "at", "due"),
    [
        ((), 100.0, False),
        (((0.0, 1, 5.0), (4.0, 1, 5.0)), 4.9, False),
        (((0.0, 1, 5.0), (4.0, 1, 5.0)), 5.0, True),
        (((0.0, 1, 5.0), (4.0, 1, 6.0)), 6.0, False),
        (((0.0, 0, 5.0), (50.0, 1, 5.0)), 51.0, False),
        (((0.0, 0, 5.0),), 59.0, False),
        (((0.0, 0, 5.0),), 60.0, True),
    ],
)
def test_that_only_an_engine_that_shows_no_sign_is_asked(
    pulses: tuple[tuple[float, int, float], ...], at: float, due: bool
) -> None:
    assert canary(*pulses).due(at) is due


def test_that_an_engine_at_rest_is_asked_once_a_minute_and_a_stuck_one_every_two_seconds() -> None:
    resting = canary((0.0, 0, 5.0))
    resting.asked(60.0)
    assert not resting.due(63.0)
    assert resting.due(120.0)
    stuck = canary((0.0, 2, 5.0))
    stuck.asked(5.0)
    assert not stuck.due(6.9)
    assert stuck.due(7.0)
    assert stuck.still_s(7.0) == 7.0


def test_that_an_engine_of_others_is_left_alone_while_it_rests() -> None:
    assert not canary((0.0, 0, 5.0), at_rest=False).due(1000.0)
    assert canary((0.0, 1, 5.0), at_rest=False).due(5.0)
