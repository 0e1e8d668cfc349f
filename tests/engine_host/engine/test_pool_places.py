"""The numbers of further engines stay when one is added or removed."""

from __future__ import annotations

import pytest

from engine_host.engine.pool_places import free_number, numbered, with_another, without
from storage.settings import MoreEngine

URL = "http://10.0.0.7:8000"
THREE = (MoreEngine(), MoreEngine(url=URL), MoreEngine(weight=2.0))


def numbers(more: tuple[MoreEngine, ...]) -> list[int]:
    return [number for number, _ in numbered(more)]


@pytest.mark.parametrize(("used", "free"), [((), 2), ((2, 3), 4), ((3,), 2), ((2, 4), 3)])
def test_that_the_least_free_number_is_given(used: tuple[int, ...], free: int) -> None:
    assert free_number(used) == free


def test_that_the_engine_after_a_removed_one_keeps_its_number() -> None:
    left = without(THREE, 2, None)
    assert [(number, one.url, one.weight) for number, one in numbered(left)] == [(3, URL, 1.0), (4, None, 2.0)]


def test_that_the_number_of_a_removed_engine_is_given_again() -> None:
    more = with_another(without(THREE, 3, URL), MoreEngine(weight=5.0))
    assert sorted(numbers(more)) == [2, 3, 4]
    assert numbered(more)[-1] == (3, MoreEngine(weight=5.0, number=3))


def test_that_no_number_is_written_where_the_position_says_it() -> None:
    assert with_another(THREE[:2], MoreEngine(weight=2.0), 4) == THREE
    assert without(THREE, 4, None) == THREE[:2]


def test_that_a_number_that_is_taken_in_the_file_meanwhile_is_not_given_twice() -> None:
    assert numbers(with_another(THREE, MoreEngine(), 3)) == [2, 3, 4, 5]


def test_that_an_attached_engine_is_found_by_its_address_and_a_hosted_one_by_its_number_only() -> None:
    assert without(THREE, 9, URL) == (THREE[0], MoreEngine(weight=2.0, number=4))
    assert without(THREE, 9, None) == THREE
    assert without(THREE, 3, None) == THREE
