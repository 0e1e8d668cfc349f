"""Garbage collection in the GUI thread only."""

from __future__ import annotations

import gc
import threading
from typing import TYPE_CHECKING

import pytest

from console.bridge.collector import OLDEST_EVERY_S, GuiCollector, due_generation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot


@pytest.fixture
def collector(qtbot: QtBot) -> Iterator[GuiCollector]:
    collector = GuiCollector()
    collector.start()
    yield collector
    collector.stop()


@pytest.mark.parametrize(
    ("counts", "oldest_age_s", "generation"),
    [
        ((700, 10, 10), 1e9, None),
        ((701, 0, 0), 0.0, 0),
        ((701, 11, 0), 0.0, 1),
        ((0, 0, 11), OLDEST_EVERY_S, 2),
        ((701, 11, 11), OLDEST_EVERY_S - 1, 1),
        ((701, 0, 11), 0.0, 0),
    ],
)
def test_that_the_oldest_generation_that_is_due_is_collected(
    counts: tuple[int, int, int], oldest_age_s: float, generation: int | None
) -> None:
    assert due_generation(counts, (700, 10, 10), oldest_age_s) == generation


def test_that_automatic_collection_is_off_while_it_runs_and_restored_after(qtbot: QtBot) -> None:
    assert gc.isenabled()
    collector = GuiCollector()
    collector.start()
    assert not gc.isenabled()
    collector.settle()
    assert gc.get_freeze_count() > 0
    collector.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_that_a_collector_which_never_started_changes_nothing(qtbot: QtBot) -> None:
    GuiCollector().stop()
    assert gc.isenabled()


class Ring:
    """Garbage that only a collection frees; says in which thread it was freed."""

    freed_in: int | None = None

    def __init__(self) -> None:
        self.me = self

    def __del__(self) -> None:
        Ring.freed_in = threading.get_ident()


def test_that_garbage_is_freed_by_the_gui_thread_s_timer(collector: GuiCollector, qtbot: QtBot) -> None:
    Ring()
    keep: list[list[int]] = []

    def freed() -> bool:
        """What others free meanwhile counts against what we make: so some more each time."""
        keep.extend([] for _ in range(2 * gc.get_threshold()[0]))
        return Ring.freed_in is not None

    qtbot.waitUntil(freed)
    assert Ring.freed_in == threading.get_ident()
