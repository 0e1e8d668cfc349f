"""The history as a person uses it: a real bridge and database, a clock that stands still."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage

from console.bridge.loop_thread import LoopThread
from console.live.history_view import HistoryView
from console.page_context import PageContext
from engine_host.metrics.history import keep_rows
from engine_host.published import Published
from storage.database import Database
from storage.paths import Home
from storage.settings import Settings
from tests.console.live.house import READY
from tests.engine_host.metrics.history_samples import T0, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Notice

NOW = T0 + 1800


class Desk:
    def __init__(self, theme: Theme, bridge: LoopThread, database: Database, home: Home, qtbot: QtBot) -> None:
        self.notices: list[Notice] = []
        self.closed = 0
        engines = SimpleNamespace(sessions=(SimpleNamespace(state=Published(READY)),))
        house = SimpleNamespace(database=database, home=home, settings=Settings(), engines=engines)
        context = PageContext(theme, bridge, house, self.notices.append, lambda _key: None)  # pyright: ignore[reportArgumentType]
        self._qtbot = qtbot
        self.view = HistoryView(context, lambda: NOW)
        self.view.closed.connect(self._close)
        self.view.resize(1384, 852)

    def _close(self) -> None:
        self.closed += 1

    def settled(self) -> None:
        state = self.view.presenter
        self._qtbot.waitUntil(lambda: state.state.read is not None and not state.state.reading, timeout=20_000)
        self._qtbot.waitUntil(lambda: not self.view._waiting, timeout=20_000)

    def saved(self, path: Path) -> Notice:
        """Name this file in the dialog that is open, and wait for what is said of it."""
        dialog = self.view.exports.dialog
        assert dialog is not None
        dialog.fileSelected.emit(str(path))
        dialog.close()
        self._qtbot.waitUntil(lambda: bool(self.notices), timeout=20_000)
        return self.notices.pop()


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Desk]:
    def fault(error: BaseException, where: str) -> None:
        raise AssertionError(where) from error

    bridge, home = LoopThread(fault), Home(tmp_path / "home")
    home.make()
    bridge.start()
    opened: list[Database] = []

    async def furnish() -> None:
        database = await Database.open(home)
        for start in range(0, 1800, 600):
            rows = seconds(600, lambda number: {"running": 3.0, "output_tokens": 20.0 * number}, start=start)
            await database.run(lambda session, new=rows: keep_rows(session, "cpu-demo", new))
        opened.append(database)

    with qtbot.waitSignal(bridge.submit(furnish, "furnish").finished, timeout=20_000):
        pass
    made = Desk(theme, bridge, opened[0], home, qtbot)
    qtbot.addWidget(made.view)
    made.view.show()
    made.view.open("")
    made.settled()
    yield made
    made.view.rest()
    with qtbot.waitSignal(bridge.submit(opened[0].close, "close").finished, timeout=20_000):
        pass
    bridge.stop()


def test_that_it_opens_on_the_last_hour_with_every_panel(desk: Desk) -> None:
    assert desk.view.bar.truth.text() == "Mon 30 Nov 17:00 to 18:00, a point each 10 s, kept every 1 s"
    assert desk.view.charts["batch"].chart.values_at(T0 + 600.0)["running"] == 3.0
    assert desk.view.charts["ttft"].missing.isVisible()
    assert desk.view.bar.engine.currentText() == "All engines (1)"
    assert not desk.view.bar.later.isEnabled()


def test_that_one_goes_back_by_keys_and_on_to_now(desk: Desk, qtbot: QtBot) -> None:
    qtbot.keyClick(desk.view, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    desk.settled()
    assert desk.view.bar.truth.text().startswith("Mon 30 Nov 16:00 to 17:00")
    assert desk.view.bar.hour.key == "16:00"
    assert desk.view.charts["batch"].missing.isVisible()
    qtbot.keyClick(desk.view, Qt.Key.Key_Home, Qt.KeyboardModifier.AltModifier)
    desk.settled()
    assert desk.view.presenter.state.span.last is None


def test_that_a_day_and_a_time_are_chosen(desk: Desk) -> None:
    bar = desk.view.bar
    bar.day.set_key("2026-11-29")
    bar.hour.set_key("12:00")
    bar.hour.chosen.emit("12:00")
    desk.settled()
    begins = desk.view.presenter.state.span.begins(ZoneInfo("Asia/Kolkata"), NOW)
    assert f"{begins:%Y-%m-%d %H:%M}" == "2026-11-29 12:00"
    assert bar.day.currentText() == "Yesterday, Sun 29 Nov"


def test_that_another_day_is_a_further_line_and_goes_again(desk: Desk) -> None:
    desk.view.presenter.choose_compare("2026-11-29")
    desk.settled()
    assert [line.name for line in desk.view.charts["tokens"].lines] == ["out", "in", "out Sun 29 Nov"]
    desk.view.presenter.choose_compare("")
    desk.settled()
    assert [line.name for line in desk.view.charts["tokens"].lines] == ["out", "in"]


def test_that_escape_leaves_one_panel_first_and_then_the_history(desk: Desk, qtbot: QtBot) -> None:
    desk.view.charts["tokens"].expand_asked.emit()
    assert desk.view.grid.expanded is desk.view.charts["tokens"]
    qtbot.keyClick(desk.view, Qt.Key.Key_Escape)
    assert (desk.view.grid.expanded, desk.closed) == (None, 0)
    qtbot.keyClick(desk.view, Qt.Key.Key_Escape)
    assert desk.closed == 1


def test_that_the_figures_and_the_report_are_written_where_a_person_says(desk: Desk, tmp_path: Path) -> None:
    for kind, name, begins in (("csv", "f.csv", "from (UTC),"), ("report", "r.html", "<!doctype html>")):
        desk.view.exports.export(kind)
        assert desk.saved(tmp_path / name).level == "ok"
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_that_a_picture_is_of_the_panel_or_of_all(desk: Desk, tmp_path: Path) -> None:
    desk.view.charts["batch"].picture.click()
    assert desk.saved(tmp_path / "one.png").level == "ok"
    desk.view.exports.export("png")
    assert desk.saved(tmp_path / "all.png").level == "ok"
    one, everything = QImage(str(tmp_path / "one.png")), QImage(str(tmp_path / "all.png"))
    assert one.width() == desk.view.charts["batch"].width()
    assert everything.width() > 2 * one.width()


def test_that_a_folder_that_is_not_there_is_told(desk: Desk, tmp_path: Path) -> None:
    for kind in ("csv", "png"):
        desk.view.exports.export(kind)
        notice = desk.saved(tmp_path / "nowhere" / "file")
        assert notice.level == "error"
        assert "was not saved" in notice.fact
