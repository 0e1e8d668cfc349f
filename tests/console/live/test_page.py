"""The Live page with a real bridge and database; engine and scrapes are borders."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt

from console.bridge.loop_thread import LoopThread
from console.live.grid import derive_cells
from console.live.page import LivePage
from console.page_context import PageContext
from engine_host.answering.under_way import Step, TurnUnderWay
from engine_host.engine.run_file import RunFile, write_run_file
from storage.errors import DatabaseBusy
from storage.paths import Home
from storage.records import TurnTimes
from storage.settings import LiveSettings, Settings
from tests.console.live.house import READY, House, now_utc, open_house, put_turn, recent
from tests.console.live.scrapes import buckets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Notice
    from engine_host.metrics.samples import MetricSample


def told(seconds_ago: float, **more: object) -> MetricSample:
    figures = {"running": 3.0, "waiting": 0.0, "kv_usage": 0.5, "kv_blocks": 364, "output_tokens": 10.0}
    return recent(seconds_ago, **(figures | {"ttft": buckets(0, 0, 0, 0, 0)} | more))


class Desk:
    def __init__(self, theme: Theme, bridge: LoopThread, house: House) -> None:
        self.notices: list[Notice] = []
        self.bridge, self.house = bridge, house
        context = PageContext(theme, bridge, house, self.notices.append, lambda _key: None)  # pyright: ignore[reportArgumentType]
        self.page = LivePage(context)
        self.page.resize(1384, 872)

    def bring(self, *samples: MetricSample) -> None:
        async def publish() -> None:
            self.house.poller.bring(*samples)

        self.bridge.submit(publish, "scrape")


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[LoopThread]:
    def fault(error: BaseException, where: str) -> None:
        raise AssertionError(where) from error

    bridge = LoopThread(fault)
    bridge.start()
    yield bridge
    bridge.stop()


@pytest.fixture
def desk_of(qtbot: QtBot, theme: Theme, bridge: LoopThread, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(*samples: MetricSample, twice_a_second: bool = False) -> Desk:
        call = bridge.submit(lambda: open_house(Home(tmp_path), *samples), "house")
        houses: list[House] = []
        call.done.connect(houses.append)
        qtbot.waitUntil(lambda: bool(houses), timeout=20_000)
        bridge.add_closer("database", houses[0].database.close)
        houses[0].settings = Settings(live=LiveSettings(twice_a_second=twice_a_second))
        desk = Desk(theme, bridge, houses[0])
        qtbot.addWidget(desk.page)
        desks.append(desk)
        return desk

    yield make
    for desk in desks:
        desk.page.page_hidden()


def open_page(qtbot: QtBot, desk: Desk) -> None:
    desk.page.show()
    with qtbot.waitSignal(desk.page.presenter.changed, timeout=20_000):
        desk.page.page_shown()


def round_over(desk: Desk) -> bool:
    return not desk.page._steps


def test_that_the_page_says_when_there_is_nothing_to_show(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of()
    open_page(qtbot, desk)
    assert desk.page.empty.isVisible()
    assert desk.page.header.engine_choice.currentText() == "All engines (1)"
    desk.bring(told(1), told(0))
    qtbot.waitUntil(desk.page.grid.isVisible, timeout=5_000)


def test_that_a_sample_reaches_tiles_charts_and_table(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(2), told(1))
    put = desk.bridge.submit(lambda: desk.house.database.run(lambda session: put_turn(session, "t", "kamala", 5)))
    qtbot.waitUntil(lambda: not put.running, timeout=10_000)
    run = RunFile("r1", 1, 0.0, 1, "cpu-demo", "m", 4096, "", False, 1, 0.0, max_num_seqs=16)
    write_run_file(desk.house.engine.run_file, run)
    open_page(qtbot, desk)
    page = desk.page
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    assert page.tiles["batch"]._numbers.accessibleName() == "3 of 16, 0 waiting"
    assert page.panels.charts["batch"].chart.values_at(None)["running"] == 3.0
    assert page.panels.charts["kv"].chart.values_at(None)["used"] == 182.0
    assert [line.key for line in page.panels.charts["tokens"].lines] == ["engine", "kamala", "annapurna"]
    scroll_to_end(page)
    rows = page.panels.tenants.table.shown
    qtbot.waitUntil(lambda: [(row.tenant_id, row.output) for row in rows()] == [("kamala", 30), ("annapurna", 0)])
    assert page.panels.truth.unknown.isVisible()
    page.grab()


def scroll_to_end(page: LivePage) -> None:
    page.grid.verticalScrollBar().setValue(page.grid.verticalScrollBar().maximum())


def test_that_a_panel_that_is_scrolled_into_sight_is_drawn_even_while_paused(
    qtbot: QtBot, desk_of: Callable[..., Desk]
) -> None:
    desk = desk_of(told(2), told(1))
    open_page(qtbot, desk)
    page = desk.page
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    page.presenter.pause()
    last = page.panels.charts["steps"]
    assert not last.missing.isVisible()
    page.grid.ensureWidgetVisible(last)
    qtbot.waitUntil(last.missing.isVisible, timeout=5_000)


def test_that_a_missing_series_stands_in_place_of_its_chart(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(recent(1, running=1.0), recent(0, running=1.0))
    open_page(qtbot, desk)
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    assert desk.page.panels.charts["kv"].missing.isVisible()
    assert not desk.page.panels.charts["kv"].chart.isVisible()
    assert desk.page.panels.charts["batch"].chart.isVisible()
    assert desk.page.panels.charts["kv"].height() == desk.page.panels.charts["batch"].height()
    assert not desk.page.grid.horizontalScrollBar().isVisible()
    desk.bring(told(0))
    qtbot.waitUntil(desk.page.panels.charts["kv"].chart.isVisible, timeout=5_000)


def test_that_pause_holds_what_is_shown(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    page = desk.page
    qtbot.mouseClick(page.header.pause, Qt.MouseButton.LeftButton)
    held = page.presenter.read
    assert page.header.pause.text() == "Resume"
    assert page.panels.charts["kv"]._value.text().startswith("paused at ")
    desk.bring(told(0, running=9.0))
    with qtbot.assertNotEmitted(page.presenter.changed, wait=300):
        pass
    assert page.presenter.read is held
    with qtbot.waitSignal(page.presenter.changed, timeout=5_000):
        qtbot.mouseClick(page.header.pause, Qt.MouseButton.LeftButton)
    assert page.header.pause.text() == "Pause"
    assert page.presenter.read is not None
    assert page.presenter.read.newest is not None
    assert page.presenter.read.newest.running == 9.0


def test_that_a_hidden_page_reads_nothing(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    desk.page.page_hidden()
    desk.bring(told(0))
    with qtbot.assertNotEmitted(desk.page.presenter.changed, wait=300):
        pass


def test_that_gauges_are_renewed_between_two_readings_where_the_settings_say_so(
    qtbot: QtBot, desk_of: Callable[..., Desk]
) -> None:
    desk = desk_of(told(1), told(0), twice_a_second=True)
    open_page(qtbot, desk)
    page, poller = desk.page, desk.house.poller
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    batch = page.tiles["batch"]._numbers
    assert batch.accessibleName() == "3 running, 0 waiting"
    poller.newest = told(-1, running=9.0)  # no scrape of the second: nothing is published
    qtbot.waitUntil(lambda: batch.accessibleName() == "9 running, 0 waiting", timeout=10_000)
    assert page.panels.charts["batch"].chart.values_at(None)["running"] == 3.0
    assert poller.closer > 0
    page.page_hidden()
    assert not page.presenter._glances.isActive()


def test_that_nobody_looks_closer_unless_the_settings_say_so(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    assert not desk.page.presenter._glances.isActive()
    assert desk.house.poller.closer == 0


def test_that_the_choice_of_window_and_span_is_followed(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    page = desk.page
    page.header.window_choice.chosen.emit("300")
    page.header.span_choice.chosen.emit("900")
    qtbot.waitUntil(lambda: page.panels.charts["latency"]._unit.text() == "s, 5 min, by the engine", timeout=5_000)
    qtbot.waitUntil(
        lambda: page.panels.charts["latency"].chart._window[1] - page.panels.charts["latency"].chart._window[0] == 900
    )
    assert page.tiles["ttft"]._label.text() == "TTFT p95, 5 min"


def test_that_a_panel_can_take_all_the_room(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    page = desk.page
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    page.panels.charts["latency"].expand_asked.emit()
    assert page.grid.expanded is page.panels.charts["latency"]
    assert not page.panels.charts["kv"].isVisible()
    assert not page.panels.truth.isVisible()
    qtbot.keyClick(page.header, Qt.Key.Key_Escape)
    assert page.panels.charts["kv"].isVisible()
    assert page.panels.truth.isVisible()


@pytest.mark.parametrize(("width", "columns"), [(1384, 3), (1000, 2)])
def test_that_a_narrow_page_has_two_columns(
    qtbot: QtBot, desk_of: Callable[..., Desk], width: int, columns: int
) -> None:
    desk = desk_of(told(1), told(0))
    desk.page.resize(width, 700)
    open_page(qtbot, desk)
    assert desk.page.grid._columns == columns
    assert desk.page.panels.charts["kv"].width() >= 320
    rows = {tile.y() for tile in desk.page.tiles.values()}
    assert len(rows) == 4 - columns


def test_that_a_ledger_that_cannot_be_read_leaves_the_engine_on_the_page(
    qtbot: QtBot, desk_of: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = desk_of(told(1), told(0))

    async def locked(_fn: object) -> None:
        raise DatabaseBusy("The database is locked by another process. Try again.")

    monkeypatch.setattr(desk.house.database, "run", locked)
    open_page(qtbot, desk)
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    assert desk.page.panels.charts["kv"].chart.values_at(None)["used"] == 182.0
    assert [notice.fact for notice in desk.notices] == ["The database is locked by another process. Try again."]


def test_that_a_chosen_latency_takes_the_place_of_the_other(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    more = {"queue": buckets(0, 0, 0, 0, 0)}
    desk = desk_of(told(1, **more), told(0, **(more | {"queue": buckets(0, 9, 0, 0, 0)})))
    open_page(qtbot, desk)
    page = desk.page
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    page.activateWindow()
    page.panels.latency_choice.setFocus()
    held = page.panels.latency_choice.hasFocus()
    page.panels.latency_choice.chosen.emit("queue")
    qtbot.waitUntil(lambda: page.panels.charts["latency"].chart.values_at(None)["high"] == 0.5, timeout=5_000)
    assert page.grid.panels[1] is page.panels.charts["latency"]
    assert page.panels.charts["latency"].chart.values_at(None)["low"] == 0.1
    assert page.panels.latency_choice.key == "queue"
    assert page.panels.latency_choice.hasFocus() is held


def test_that_one_of_several_engines_or_all_are_shown(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))

    async def add() -> None:
        second = replace(READY, name="cpu-demo 2", run="r2")
        desk.house.add_engine(second, told(1, running=5.0), told(0, running=5.0))

    added = desk.bridge.submit(add, "add")
    qtbot.waitUntil(lambda: not added.running, timeout=5_000)
    open_page(qtbot, desk)
    page, choice = desk.page, desk.page.header.engine_choice
    number = page.tiles["batch"]._numbers
    qtbot.waitUntil(lambda: number.accessibleName() == "8 running, 0 waiting", timeout=5_000)
    assert [choice.itemText(n) for n in range(choice.count())] == ["All engines (2)", "cpu-demo", "cpu-demo 2"]
    choice.chosen.emit("2")
    qtbot.waitUntil(lambda: number.accessibleName() == "5 running, 0 waiting", timeout=5_000)
    assert choice.currentText() == "cpu-demo 2"


@dataclass
class Writing:
    """A turn under way, as its desk knows it."""

    turn_id: str = "u"

    def under_way(self) -> TurnUnderWay:
        return TurnUnderWay(self.turn_id, "kamala", now_utc(), Step.WRITING, "r1", 300, 0, 20, 512)


def test_that_seats_and_worst_turns_are_on_the_page(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1, block_size=128), told(0, block_size=128))
    slow = TurnTimes(queue=2000.0, prefill=200.0, decode=600.0, first_text=2500.0, ttft=2200.0, total=3000.0)

    async def fill() -> None:
        desk.house.turns.under_way.enter(Writing())  # pyright: ignore[reportArgumentType]
        await desk.house.database.run(lambda session: put_turn(session, "t", "kamala", 5, times=slow))

    filled = desk.bridge.submit(fill, "fill")
    qtbot.waitUntil(lambda: not filled.running, timeout=10_000)
    open_page(qtbot, desk)
    panels = desk.page.panels
    qtbot.waitUntil(lambda: bool(panels.worst.table.shown()), timeout=5_000)
    assert [(row.turn_id, row.first_text) for row in panels.worst.table.shown()] == [("t", 2.5)]
    assert {row.name: row.blocks for row in panels.seats.table.shown()} == {
        "Kamala Dabba": 3,
        "Not ours": 179,
        "Free or cached": 182,
    }


def test_that_the_history_stands_in_for_now_and_leads_back(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    page = desk.page
    page.header.history.click()
    assert page.history is not None
    assert page.history.isVisible()
    assert not page.grid.isVisible()
    desk.bring(told(0))
    with qtbot.assertNotEmitted(page.presenter.changed, wait=300):
        pass
    qtbot.waitUntil(lambda: page.history is not None and page.history.presenter.state.read is not None, timeout=10_000)
    with qtbot.waitSignal(page.presenter.changed, timeout=10_000):
        page.history.closed.emit()
    assert page.grid.isVisible()
    assert not page.history.isVisible()


def test_that_the_wall_shows_the_same_and_goes_on(qtbot: QtBot, desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(told(1), told(0))
    open_page(qtbot, desk)
    page = desk.page
    qtbot.waitUntil(lambda: round_over(desk), timeout=5_000)
    page.header.wall.click()
    wall = page.wall
    assert wall is not None
    assert wall.isFullScreen()
    assert wall.tiles["batch"]._numbers.accessibleName() == "3 running, 0 waiting"
    desk.bring(told(0, running=7.0))
    qtbot.waitUntil(lambda: wall.tiles["batch"]._numbers.accessibleName() == "7 running, 0 waiting", timeout=5_000)
    assert wall.charts["batch"].chart.values_at(None)["running"] == 7.0
    wall.grab()
    qtbot.keyClick(wall, Qt.Key.Key_Escape)
    assert page.wall is None


def test_that_f11_opens_the_wall_only_when_there_is_something_to_show(
    qtbot: QtBot, desk_of: Callable[..., Desk]
) -> None:
    desk = desk_of()
    open_page(qtbot, desk)
    qtbot.keyClick(desk.page.header, Qt.Key.Key_F11)
    assert desk.page.wall is None
    desk.bring(told(1), told(0))
    qtbot.waitUntil(desk.page.grid.isVisible, timeout=5_000)
    qtbot.keyClick(desk.page.header, Qt.Key.Key_F11)
    assert desk.page.wall is not None
    desk.page.wall.close()


@pytest.mark.parametrize(("across", "columns", "cells"), [
    ((1, 1, 1, 1, 2, 2, 1), 3, [(0, 0, 1), (0, 1, 1), (0, 2, 1), (1, 0, 1), (1, 1, 2), (2, 0, 2), (2, 2, 1)]),
    ((1, 2, 1), 2, [(0, 0, 2), (1, 0, 2), (2, 0, 2)]),
    ((1, 1), 3, [(0, 0, 1), (0, 1, 2)]),
])  # fmt: skip
def test_that_panels_leave_no_hole(across: tuple[int, ...], columns: int, cells: list[tuple[int, int, int]]) -> None:
    assert [(one.row, one.column, one.across) for one in derive_cells(across, columns)] == cells
