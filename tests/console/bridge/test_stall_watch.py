"""The figures of the stall watch, from ticks given by hand."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest

from console.bridge.stall_watch import StallWatch, summarise, waits

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize(
    ("late_ms", "expected"),
    [(-0.2, [0.0]), (0.0, [0.0]), (3.0, [3.0]), (12.0, [12.0, 7.0, 2.0])],
)
def test_that_a_late_tick_stands_for_every_event_that_waited(late_ms: float, expected: list[float]) -> None:
    assert list(waits(late_ms)) == pytest.approx(expected)


def test_that_percentiles_are_nearest_ranks() -> None:
    stalls = summarise([float(n) for n in range(1, 201)])
    assert stalls is not None
    assert (stalls.p50, stalls.p99, stalls.max, stalls.samples) == (100.0, 198.0, 200.0, 200)
    assert summarise([5.0]) is not None
    assert summarise([]) is None


def test_that_a_frozen_gui_thread_is_seen(qtbot: QtBot) -> None:
    watch = StallWatch()
    assert watch.stalls() is None
    watch.start()
    qtbot.waitUntil(lambda: watch.stalls() is not None)
    threading.Event().wait(0.05)
    qtbot.waitUntil(lambda: (watch.stalls() or summarise([0.0])).max >= 40)  # type: ignore[union-attr]
    watch.stop()
    watch.start()
    assert watch.stalls() is None
    watch.stop()
