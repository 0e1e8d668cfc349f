"""The log card with as many lines as it keeps: what is done for each line, counted."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from console.engine import log_book, log_view
from console.engine.log_book import LIMIT, fold
from console.engine.log_feed import LogNews
from console.engine.log_panel import PIECE, LogPanel
from console.engine.log_view import ROW_PX, LogView

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

LINE = "INFO 11-30 10:00:00 [a:1] line"


@pytest.fixture
def panel(theme: Theme, qtbot: QtBot) -> LogPanel:
    made = LogPanel(theme, ZoneInfo("UTC"))
    qtbot.addWidget(made)
    made.resize(480, 500)
    made.show()
    return made


def test_that_100_000_lines_cost_one_fold_each_and_a_screen_of_painting(
    panel: LogPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds: list[str] = []
    painted: list[int] = []
    paint = LogView._paint_row

    def counted(text: str, columns: int) -> tuple[tuple[int, int], ...]:
        folds.append(text)
        return fold(text, columns)

    def count_paint(view: LogView, *args: object) -> None:
        painted.append(1)
        paint(view, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(log_book, "fold", counted)
    monkeypatch.setattr(log_view.LogView, "_paint_row", count_paint)
    panel.take(1, (LogNews("/logs/a", tuple(f"{LINE} {number}" for number in range(LIMIT))),))
    qtbot.waitUntil(lambda: panel.book.counts["all"] == LIMIT, timeout=60_000)
    assert LIMIT <= len(folds) <= LIMIT + PIECE  # the first piece once more: its scroll bar makes the lines shorter
    painted.clear()
    before = len(folds)
    panel.view.grab()
    assert len(painted) <= panel.view.viewport().height() // ROW_PX + 2
    panel.levels._buttons["warn"].click()
    panel.levels._buttons["all"].click()
    qtbot.keyClicks(panel.search, "line 99999")
    assert panel._place.text() == "1 of 1"
    panel.take(1, (LogNews("/logs/a", (f"{LINE} more",)),))
    assert len(folds) == before + 1
    assert panel.book.counts["all"] <= LIMIT
    assert panel.book.rows[0].number > 0
    assert panel.book.last_told(1) == ("line more",)


def test_that_each_engine_keeps_its_own_log_and_the_level_and_search_go_along(panel: LogPanel, qtbot: QtBot) -> None:
    panel.take(1, (LogNews("/logs/a", (f"{LINE} one", "WARNING 11-30 10:00:01 [a:1] first")),))
    panel.take(2, (LogNews("/logs/b", (f"{LINE} two",)),))
    assert [entry.text for entry in panel.book.entries] == ["line one", "first"]
    qtbot.keyClicks(panel.search, "line")
    panel.choose(2)
    assert [entry.text for entry in panel.book.entries] == ["line two"]
    assert panel._place.text() == "1 of 1"
    panel.levels._buttons["warn"].click()
    panel.choose(1)
    assert [panel.book.entry(row.number).text for row in panel.book.rows] == ["first"]
    panel.take(2, (LogNews("/logs/c", ("another run",)),))
    panel.choose(2)
    assert [entry.text for entry in panel.book.entries] == ["another run"]
