"""Statistics of pairs: what is noise, how sure a mean is, and what chance explains."""

from __future__ import annotations

import pytest

from console.bench.pairs import mean_interval, noise_of, signed_rank_p, student_t


def test_that_noise_is_half_the_width_of_the_middle() -> None:
    assert noise_of([-10.0, *(number / 100 for number in range(-100, 101)), 10.0]) == pytest.approx(0.96, abs=0.02)


def test_that_signs_that_are_tossed_tell_the_chance() -> None:
    assert signed_rank_p([1.0, -1.0, 0.5, -0.5]) > 0.5
    assert signed_rank_p([1.0] * 50) < 0.001


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.7062), (2, 4.3027), (9, 2.2622), (29, 2.0452), (1000, 1.9623)])
def test_that_students_t_is_that_of_the_tables(freedom: int, value: float) -> None:
    assert student_t(freedom) == pytest.approx(value, abs=1e-4)


def test_that_the_interval_lies_around_the_mean_and_shrinks_with_more_pairs() -> None:
    few, many = mean_interval([1.0, 2.0, 3.0]), mean_interval([1.0, 2.0, 3.0] * 10)
    assert few == pytest.approx((2 - 4.3027 / 3**0.5, 2 + 4.3027 / 3**0.5), abs=1e-4)
    assert many is not None
    assert 1 < many[0] < 2 < many[1] < 3


def test_that_one_pair_tells_no_interval() -> None:
    assert mean_interval([0.4]) is None
    assert mean_interval([]) is None
