"""Alerts in a real window: the notice, its link, the dot in the rail; and the watch of a real house."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QLabel

from console.alert_desk import AlertDesk
from console.bridge.loop_thread import LoopThread
from console.house import open_house
from console.page_context import PageContext
from console.shell.pages import PageEntry
from console.shell.strip import StripFacts, derive_strip
from console.shell.window import MainWindow
from engine_host.engine.state import EngineState
from engine_host.metrics.alert_board import ActiveAlert, AlertBoard
from engine_host.published import Published
from storage.paths import Home
from storage.queries.alerts import firing_alerts
from storage.settings import Settings
from tests.fakes.alert_samples import NOON

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.alert_watch import AlertWatch
    from console.theme.style import Theme

SLOW = ActiveAlert(
    "ttft_slow", "1", "cpu-demo", "error", "TTFT p95 over 0.80 s for 30 s", "Now 1.12 s.", "Look.", "engine", NOON,
    firing=True, of_engine=True, alert_id="a-1",
)  # fmt: skip
ALWAYS = "[disk_low]\nfor_s = 0\n[disk_low.when.disk_free_gib]\nbelow = 1e12\n"


@dataclass
class Alerts:
    board: Published[AlertBoard]


@dataclass
class House:
    alerts: Alerts
    settings: Settings


def window_of(theme: Theme) -> MainWindow:
    entries = [PageEntry(key, key.title(), key, lambda: QLabel("page")) for key in ("chat", "live")]
    return MainWindow(theme, entries, derive_strip(StripFacts(EngineState(), NOON, NOON.tzinfo)))  # pyright: ignore[reportArgumentType]


def test_that_a_firing_alert_marks_the_rail_and_its_notice_leads_to_the_live_page(qtbot: QtBot, theme: Theme) -> None:
    bridge = LoopThread(lambda error, where: None)
    bridge.start()
    window = window_of(theme)
    qtbot.addWidget(window)
    window.show_page("chat")
    alerts = Alerts(Published(AlertBoard()))
    context = PageContext(theme, bridge, House(alerts, Settings()), lambda _: None, lambda _: None)  # pyright: ignore[reportArgumentType]
    desk = AlertDesk(window, context)

    async def publish(board: AlertBoard) -> None:
        alerts.board.publish(board)

    bridge.submit(lambda: publish(AlertBoard((SLOW,), (), 10)), "fire")
    qtbot.waitUntil(lambda: window.rail.item("live").alert, timeout=20_000)
    assert window.rail.item("live").accessibleDescription() == "An alert is firing"
    (notice,) = window.notices.notices
    window.notices.followed.emit(notice.key, "live")
    assert window.current == "live"
    bridge.submit(lambda: publish(AlertBoard()), "clear")
    qtbot.waitUntil(lambda: not window.rail.item("live").alert, timeout=20_000)
    assert window.notices.notices == ()
    desk.close()
    bridge.stop()


async def test_that_the_watch_of_a_house_fires_by_the_file_of_its_home_and_keeps_it(tmp_path: Path) -> None:
    home = Home(tmp_path / "home").make()
    home.alerts_file.write_text(ALWAYS, encoding="utf-8")
    house = await open_house(home)
    try:
        board = await firing_board(house.alerts)
        assert [one.rule for one in board.firing] == ["disk_low"]
        kept: Any = await house.database.run(firing_alerts)
        assert [one.rule for one in kept] == ["disk_low"]
    finally:
        await house.close()


async def firing_board(watch: AlertWatch) -> AlertBoard:
    fired = asyncio.Event()
    watch.board.watch(lambda board: fired.set() if board.firing else None)
    watch.start()
    async with asyncio.timeout(60):
        await fired.wait()
    return watch.board.value
