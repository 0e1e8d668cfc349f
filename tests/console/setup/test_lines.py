from __future__ import annotations

import io

import pytest

from console.setup.lines import PLAIN_EVERY_S, StepLine, bytes_text, duration_text
from console.setup.pace import Pace


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0 B"), (999, "999 B"), (1000, "1.00 kB"), (98_362_432, "98.4 MB"), (212e6, "212 MB"), (3.42e9, "3.42 GB")],
)
def test_that_bytes_are_shown_with_three_digits(count: float, text: str) -> None:
    assert bytes_text(count) == text


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0:00"), (62, "1:02"), (3725, "1:02:05")])
def test_that_durations_are_shown_in_minutes_and_seconds(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


def test_that_a_terminal_sees_one_line_rewritten() -> None:
    stream, clock = Terminal(), Clock()
    line = StepLine(stream, clock)
    for step in range(3):
        line.show(f"step {step}")
        clock.now += 1
    line.end("done")
    assert stream.getvalue().count("\n") == 1
    assert stream.getvalue().endswith("\r\x1b[2Kdone\n")


def test_that_a_log_sees_few_plain_lines() -> None:
    stream, clock = io.StringIO(), Clock()
    line = StepLine(stream, clock)
    for step in range(40):
        line.show(f"step {step}")
        clock.now += PLAIN_EVERY_S / 10
    line.end("done")
    assert stream.getvalue().splitlines() == ["step 0", "step 10", "step 20", "step 30", "done"]


def test_that_rate_and_time_left_come_from_the_last_ten_seconds() -> None:
    pace = Pace()
    for second in range(30):
        pace.add(second, 1000 if second < 15 else 1000 + (second - 15) * 200)
    assert pace.rate == pytest.approx(200)
    assert pace.left_s(1000 + 14 * 200 + 400) == pytest.approx(2)


def test_that_nothing_is_told_about_a_rate_before_something_moved() -> None:
    pace = Pace()
    pace.add(1.0, 50)
    assert (pace.rate, pace.left_s(100)) == (None, None)
    pace.add(2.0, 50)
    assert pace.rate is None


def test_that_another_file_begins_a_new_rate() -> None:
    pace = Pace()
    pace.add(1.0, 0)
    pace.add(2.0, 900)
    pace.add(3.0, 10)
    assert pace.rate is None
    pace.add(4.0, 110)
    assert pace.rate == pytest.approx(100)


def test_that_a_moment_is_too_short_for_a_rate() -> None:
    pace = Pace()
    pace.add(1.0, 0)
    pace.add(1.001, 9_000_000)
    assert pace.rate is None
