"""A row must be of the moment at which it was asked for, as far as two clocks can tell."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from engine_host.orders.clocks import Asked

SENT = datetime(2026, 11, 30, 7, 11, 5, tzinfo=UTC)
ANSWERED = SENT + timedelta(seconds=2)


def fault(seconds: float, tolerance_s: float = 5) -> str | None:
    return Asked(SENT, ANSWERED, timedelta(seconds=tolerance_s)).fault(SENT + timedelta(seconds=seconds))


@pytest.mark.parametrize("seconds", [-5, -1, 0, 1, 2, 7])
def test_that_a_row_of_the_look_up_is_believed_within_the_tolerance(seconds: float) -> None:
    assert fault(seconds) is None


@pytest.mark.parametrize("seconds", [-5.001, -90, -86_400])
def test_that_a_kept_row_is_told_apart_by_its_own_time(seconds: float) -> None:
    told = fault(seconds) or ""
    assert "before we asked at 07:11:05" in told
    assert "Compare the clocks" in told


@pytest.mark.parametrize("seconds", [7.001, 90, 86_400])
def test_that_a_row_from_the_future_is_told_with_both_clocks(seconds: float) -> None:
    assert "after it was here at 07:11:07" in (fault(seconds) or "")


def test_that_the_sentence_says_by_how_much() -> None:
    assert fault(-64) == (
        "is of 07:10:01 UTC by its own clock, 64.0 s before we asked at 07:11:05, more than the 5 s that the two "
        "clocks may differ: it is a kept copy, or one clock is wrong. Compare the clocks of both machines"
    )


def test_that_no_tolerance_means_the_look_up_itself() -> None:
    assert fault(0, tolerance_s=0) is fault(2, tolerance_s=0) is None
    assert fault(-0.001, tolerance_s=0)
    assert fault(2.001, tolerance_s=0)


def test_that_a_clock_that_was_set_back_meanwhile_proves_nothing() -> None:
    set_back = Asked(SENT, SENT - timedelta(minutes=1))
    assert set_back.fault(SENT)
    assert set_back.fault(SENT - timedelta(minutes=1))
