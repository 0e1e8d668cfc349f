"""The window: pages, keys, strip, notices, and how it closes."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel

from console.shell.geometry import load_geometry
from console.shell.pages import PageEntry
from console.shell.strip import StripFacts, StripState, derive_strip
from console.shell.strip_bar import arrange, fitting
from console.shell.window import MainWindow
from console.widgets.notices import Notice
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme

NOW = datetime(2026, 11, 30, 7, 11, 40, tzinfo=UTC)
KEYS = ("chat", "engine", "live", "settings")


def _strip(gateway: str | None = None) -> StripState:
    engine = EngineState(EngineStatus.READY, "cpu-demo", "SmolLM2-135M-Instruct")
    sample = MetricSample(NOW, 0.0, 7.0, running=14, waiting=0, kv_usage=0.34)
    return derive_strip(
        StripFacts(engine, NOW, ZoneInfo("Asia/Kolkata"), sample, 0.4, errors_last_hour=0, gateway=gateway)
    )


class Desk:
    """A window over pages that write down when they are built."""

    def __init__(self, theme: Theme, qtbot: QtBot, file: Path | None = None) -> None:
        self.built: list[str] = []
        entries = [PageEntry(key, key.title(), key, self._factory(key), key == "settings") for key in KEYS]
        self.window = MainWindow(theme, entries, _strip(), file)
        qtbot.addWidget(self.window)

    def _factory(self, key: str):
        def build() -> QLabel:
            self.built.append(key)
            return QLabel(key)

        return build


@pytest.fixture
def desk(theme: Theme, qtbot: QtBot) -> Desk:
    return Desk(theme, qtbot)


def test_that_a_page_is_built_when_it_is_first_shown_and_only_once(desk: Desk) -> None:
    assert desk.built == []
    desk.window.show_page("engine")
    desk.window.show_page("chat")
    desk.window.show_page("engine")
    assert desk.built == ["engine", "chat"]
    assert desk.window.current == "engine"
    assert desk.window.windowTitle() == "Engine – Dabba Console"
    assert desk.window.rail.item("engine").isChecked()


def test_that_ctrl_and_a_number_opens_the_page_at_that_place(desk: Desk, qtbot: QtBot) -> None:
    with qtbot.waitActive(desk.window):
        desk.window.show()
    for key, page in ((Qt.Key.Key_3, "live"), (Qt.Key.Key_4, "settings"), (Qt.Key.Key_1, "chat")):
        qtbot.keyClick(desk.window, key, Qt.KeyboardModifier.ControlModifier)
        assert desk.window.current == page


def test_that_the_rail_opens_pages_and_changes_the_theme(desk: Desk, theme: Theme, qtbot: QtBot) -> None:
    qtbot.mouseClick(desk.window.rail.item("live"), Qt.MouseButton.LeftButton)
    assert desk.window.current == "live"
    with qtbot.waitSignal(desk.window.theme_chosen) as chosen:
        qtbot.mouseClick(desk.window.rail.theme_switch, Qt.MouseButton.LeftButton)
    assert chosen.args == ["dark"]
    assert theme.name == "dark"
    assert desk.window.rail.theme_switch.icon_name == "sun"
    assert desk.window.rail.theme_switch.accessibleName() == "Light theme"


def test_that_tab_walks_the_rail_in_the_order_it_is_seen(desk: Desk) -> None:
    rail = desk.window.rail
    walked = [rail.item("chat")]
    while len(walked) < 5:
        walked.append(walked[-1].nextInFocusChain())  # type: ignore[arg-type]
    shown = [rail.item("chat"), rail.item("engine"), rail.item("live"), rail.theme_switch, rail.item("settings")]
    assert walked == shown


def test_that_the_first_paint_is_said_once(desk: Desk, qtbot: QtBot) -> None:
    heard: list[int] = []
    desk.window.painted.connect(lambda: heard.append(1))
    desk.window.show()
    qtbot.waitUntil(lambda: heard == [1])
    desk.window.repaint()
    qtbot.wait(1)
    assert heard == [1]


def test_that_set_up_takes_the_pages_place_and_gives_it_back(desk: Desk) -> None:
    setup = QLabel("Setting up")
    desk.window.show_page("chat")
    desk.window.show_setup(setup)
    desk.window.show_page("live")
    assert desk.window.current == ""
    assert not desk.window.rail.item("live").isEnabled()
    assert desk.window.rail.theme_switch.isEnabled()
    desk.window.end_setup("live")
    assert desk.window.current == "live"


def test_that_a_click_on_a_cell_of_the_strip_opens_its_page(desk: Desk, qtbot: QtBot) -> None:
    desk.window.resize(1440, 900)
    desk.window.show()
    strip = desk.window.strip
    for cell, page in (("kv", "live"), ("engine", "engine")):
        place = next(p for p in arrange(strip.state, strip.width()) if p.cell.key == cell)
        qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(round(place.left) + 2, 14))
        assert desk.window.current == page
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(strip.width() - 20, 14))
    assert desk.window.current == "engine", "the clock leads nowhere"


def test_that_a_narrow_strip_leaves_out_cells_in_a_fixed_order_and_never_overlaps(theme: Theme) -> None:
    state = _strip(gateway="127.0.0.1:8080")
    for width in (1440, 1200, 1024, 900):
        places = sorted(arrange(fitting(state, width), width), key=lambda place: place.left)
        assert all(a.left + a.width < b.left for a, b in pairwise(places)), width
    kept = {cell.key for cell in (*fitting(state, 900).left, *fitting(state, 900).right)}
    assert {"engine", "running", "kv", "ttft", "errors", "age", "clock"} <= kept
    assert "gateway" not in kept


def test_that_the_strip_says_its_state_to_screen_readers(desk: Desk) -> None:
    desk.window.set_strip(_strip(gateway=""))
    assert "Gateway off" in desk.window.strip.accessibleDescription()


def test_that_the_window_remembers_its_place_and_page(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    file = tmp_path / "window.json"
    first = Desk(theme, qtbot, file)
    assert first.window.remembered_page == "chat"
    first.window.show_page("live")
    first.window.show()
    with qtbot.waitSignal(first.window.closing):
        first.window.close()
    saved = load_geometry(file)
    assert (saved.page, saved.frame is not None) == ("live", True)
    assert Desk(theme, qtbot, file).window.remembered_page == "live"


def test_that_a_window_is_never_smaller_than_it_can_be_read(desk: Desk) -> None:
    desk.window.resize(100, 100)
    assert (desk.window.width(), desk.window.height()) == (1024, 640)


def test_that_an_alert_marks_its_page(desk: Desk) -> None:
    desk.window.rail.item("live").set_alert(True)
    desk.window.show()
    assert desk.window.rail.item("live").alert
    assert not desk.window.grab().isNull()


def test_that_nothing_wears_the_focus_ring_at_the_start(desk: Desk, qtbot: QtBot) -> None:
    desk.window.rail.set_pages_enabled(False)
    with qtbot.waitExposed(desk.window):
        desk.window.show()
    focused = desk.window.focusWidget()
    assert focused is not None
    assert focused.focusPolicy() is Qt.FocusPolicy.NoFocus


def test_that_a_page_lifts_the_notices_over_its_foot(theme: Theme, qtbot: QtBot) -> None:
    class Lifting(QLabel):
        def notice_lift(self) -> int:
            return 120

    entries = [PageEntry("chat", "Chat", "chat", Lifting), PageEntry("engine", "Engine", "engine", QLabel)]
    window = MainWindow(theme, entries, _strip())
    qtbot.addWidget(window)
    window.show()
    window.notices.show_notice(Notice("a", "error", "The engine died."))
    window.show_page("engine")
    low = window.notices.geometry().bottom()
    window.show_page("chat")
    assert window.notices.geometry().bottom() == low - 120
