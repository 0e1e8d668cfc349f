"""The Alerts panel with a real bridge, watch and database: what it shows, and that each of its buttons does it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt

from console.alert_watch import AlertWatch
from console.bridge.loop_thread import LoopThread
from console.live.alert_history import AlertHistoryDialog
from console.live.alert_panel import AlertPanel
from console.live.alert_shown import clock, derive_alerts, firing_words, lasted
from engine_host.metrics.alert_board import ActiveAlert, AlertBoard
from storage.alert_records import AlertEpisode, AlertMute
from storage.database import Database
from storage.paths import Home
from storage.settings import AlertSettings
from tests.fakes.alert_samples import NOON, Story

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.live.alert_row import AlertRowWidget
    from console.theme.style import Theme
    from console.widgets.buttons import Button
    from console.widgets.notices import Notice

PUNE = ZoneInfo("Asia/Kolkata")
DISK = "Less than 2 GiB free on the disk"
SLOW = ActiveAlert(
    "ttft_slow", "1", "cpu-demo", "error", "TTFT p95 over 0.80 s for 30 s", "Now 1.12 s, highest 1.22 s.",
    "Look at the waiting requests first.", "engine", NOON, firing=True, of_engine=True, alert_id="a-1",
)  # fmt: skip


class Engines:
    seats: tuple[Any, ...] = ()


class Desk:
    def __init__(self, qtbot: QtBot, theme: Theme, bridge: LoopThread, home: Home) -> None:
        self.qtbot, self.bridge = qtbot, bridge
        self.notices: list[Notice] = []
        self.pages: list[str] = []
        database = self.run(lambda: Database.open(home))
        bridge.add_closer("database", database.close)

        async def watch() -> AlertWatch:
            return AlertWatch(home, AlertSettings(), database, Engines())

        self.watch: AlertWatch = self.run(watch)
        self.run(self.watch.open)
        self.panel = AlertPanel(theme, bridge, self.watch, self.notices.append, self.pages.append, PUNE)
        self.panel.resize(420, 260)
        qtbot.addWidget(self.panel)
        self.panel.show()

    def run(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        call = self.bridge.submit(work, "test")
        results: list[Any] = []
        call.done.connect(results.append)
        self.qtbot.waitUntil(lambda: bool(results), timeout=20_000)
        return results[0]

    def feed(self, story: Story) -> None:
        async def look() -> None:
            for facts in story.facts:
                await self.watch.look(facts)

        self.run(look)
        self.qtbot.waitUntil(lambda: self.panel.presenter.board == self.watch.board.value, timeout=20_000)
        self.qtbot.waitUntil(lambda: not self.panel._rest.isActive(), timeout=20_000)

    def row(self, title: str = DISK) -> AlertRowWidget:
        return next(one for one in self.panel.rows() if one.row.title == title)

    def button(self, text: str) -> Button:
        return next(one for one in self.row().buttons() if one.text() == text)


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Desk]:
    def fault(error: BaseException, where: str) -> None:
        raise AssertionError(where) from error

    bridge = LoopThread(fault)
    bridge.start()
    yield Desk(qtbot, theme, bridge, Home(tmp_path / "home").make())
    bridge.stop()


def test_that_nothing_firing_says_how_many_rules_watch(desk: Desk) -> None:
    assert not desk.panel.empty.isHidden()
    assert derive_alerts(desk.watch.board.value, PUNE, NOON).empty == "No alert is firing. 11 rules are watching."


def test_that_a_pending_alert_turns_into_a_firing_one_in_its_row(desk: Desk) -> None:
    story = Story().tell(20, disk_gib=1.0)
    first, rest = Story(), Story()
    first.facts, rest.facts = story.facts[:5], story.facts[5:]
    desk.feed(first)
    assert (desk.panel.pending.mark.text, desk.panel.firing.isHidden()) == ("1 pending", True)
    row = desk.row()
    assert [one.text() for one in row.buttons()] == ["Open Settings"]
    desk.feed(rest)
    assert (desk.panel.firing.mark.text, desk.panel.pending.isHidden()) == ("1 firing", True)
    assert desk.row() is row
    assert [one.text() for one in row.buttons()] == ["Acknowledge", "Mute"]


def test_that_acknowledging_says_when_it_was_seen(desk: Desk) -> None:
    desk.feed(Story().tell(20, disk_gib=1.0))
    desk.button("Acknowledge").click()
    desk.qtbot.waitUntil(lambda: [one.text() for one in desk.row().buttons()] == ["Mute"], timeout=20_000)
    assert desk.row().row.state.startswith("seen ")


@pytest.mark.parametrize(("choice", "state"), [("For an hour", "muted until "), ("For good", "muted")])
def test_that_muting_is_said_and_can_be_taken_back(desk: Desk, choice: str, state: str) -> None:
    desk.feed(Story().tell(20, disk_gib=1.0))
    menu = desk.button("Mute").menu()
    assert menu is not None
    next(action for action in menu.actions() if action.text() == choice).trigger()
    desk.qtbot.waitUntil(lambda: desk.row().row.state.startswith(state), timeout=20_000)
    desk.button("Unmute").click()
    desk.qtbot.waitUntil(lambda: not desk.row().row.state, timeout=20_000)


def test_that_what_cleared_stays_below_and_in_the_history(desk: Desk) -> None:
    desk.feed(Story().tell(20, disk_gib=1.0).tell(20))
    assert desk.row().row.state == "cleared"
    desk.panel.history.click()
    desk.qtbot.waitUntil(lambda: bool(desk.panel.window().findChildren(AlertHistoryDialog)), timeout=20_000)
    (dialog,) = desk.panel.window().findChildren(AlertHistoryDialog)
    assert dialog.table.records_model.rowCount() == 1
    dialog.close()


def test_that_the_keyboard_opens_what_to_do_and_leads_there(desk: Desk) -> None:
    desk.feed(Story().tell(20, disk_gib=1.0))
    row = desk.row()
    desk.qtbot.keyClick(row, Qt.Key.Key_Return)
    assert row.opened
    row._open.click()
    assert desk.pages == ["settings"]
    desk.qtbot.keyClick(row, Qt.Key.Key_Space)
    assert not row.opened


def test_that_many_rows_come_a_few_at_a_time_from_the_top(qtbot: QtBot, theme: Theme, desk: Desk) -> None:
    ended = tuple(
        AlertEpisode(f"a-{number}", "x", "", "warn", f"T{number}", NOON, NOON, 1.0, "S", None, NOON)
        for number in range(10)
    )
    desk.panel.presenter._mirror.value = board(cleared=ended)
    desk.panel.refresh()
    assert [one.row.title for one in desk.panel.rows()] == ["T0", "T1", "T2"]
    qtbot.waitUntil(lambda: len(desk.panel.rows()) == 10, timeout=20_000)
    assert [one.row.title for one in desk.panel.rows()] == [f"T{number}" for number in range(10)]


def test_that_tab_goes_from_the_top_whatever_came_first(desk: Desk) -> None:
    desk.feed(Story().tell(20, used=0.9).tell(20, used=0.9, disk_gib=1.0))
    first, second = desk.panel.rows()
    assert [first.row.title, second.row.title] == [DISK, "Meridian Offices near its daily quota"]
    assert second.previousInFocusChain() is first._open


def test_that_a_row_is_read_out_whole(desk: Desk) -> None:
    desk.feed(Story().tell(20, disk_gib=1.0))
    assert desk.row().accessibleName().startswith(f"{DISK}. since ")
    assert desk.row().accessibleDescription().startswith("Make room")


def test_that_what_fails_is_told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.feed(Story().tell(20, disk_gib=1.0))
    (active,) = desk.watch.board.value.firing
    desk.panel.presenter.acknowledge(f"{active.alert_id}-gone")
    desk.qtbot.waitUntil(lambda: bool(desk.notices), timeout=20_000)
    assert "There is no alert" in desk.notices[0].fact


def board(*active: ActiveAlert, cleared: tuple[AlertEpisode, ...] = (), engines: int = 1) -> AlertBoard:
    return AlertBoard(active, cleared, 10, engines)


def test_that_of_several_engines_each_row_names_its_own() -> None:
    (one,) = derive_alerts(board(SLOW), PUNE, NOON).rows
    (named,) = derive_alerts(board(SLOW, engines=2), PUNE, NOON).rows
    assert (one.said, named.said) == ("Now 1.12 s, highest 1.22 s.", "cpu-demo: Now 1.12 s, highest 1.22 s.")


def test_that_what_fires_is_told_also_where_there_is_no_room_for_rows() -> None:
    words = "TTFT p95 over 0.80 s for 30 s: now 1.12 s, highest 1.22 s. Look at the waiting requests first."
    assert firing_words(board(SLOW)) == words
    assert firing_words(board()) == ""


def test_that_times_are_those_of_the_kitchen_and_name_another_day() -> None:
    assert clock(NOON, PUNE, NOON) == "12:00:00"
    assert clock(NOON - timedelta(days=1), PUNE, NOON) == "29 Nov 12:00"


def test_that_a_cleared_alert_says_from_when_to_when() -> None:
    def row(days: int) -> str:
        at = NOON - timedelta(days=days)
        ended = AlertEpisode("a", "x", "", "warn", "T", at, at, 1.0, "S", None, at + timedelta(seconds=90))
        return derive_alerts(board(cleared=(ended,)), PUNE, NOON).rows[0].when

    assert row(0) == "12:00:00 to 12:01:30"
    assert row(1) == "29 Nov 12:00 to 12:01"


def test_that_faults_of_the_alerts_themselves_are_said() -> None:
    told = AlertBoard(faults=("alerts.toml is not right.",), trying="The webhook is tried again in 4 s.")
    assert derive_alerts(told, PUNE, NOON).fault == "alerts.toml is not right. The webhook is tried again in 4 s."


def test_that_a_mute_names_its_end_on_the_kitchens_clock() -> None:
    mute = AlertMute("ttft_slow", "1", datetime(2026, 11, 30, 8, 0, tzinfo=UTC))
    muted = ActiveAlert(
        "ttft_slow", "1", "cpu-demo", "error", "T", "S", "D", "engine", NOON, firing=True, alert_id="a", mute=mute
    )
    (row,) = derive_alerts(board(muted), PUNE, NOON).rows
    assert (row.state, row.icon) == ("muted until 13:30", ("eye-off", "text-3"))


@pytest.mark.parametrize(("seconds", "words"), [(8, "8 s"), (150, "2 min"), (9000, "2.5 h")])
def test_that_a_duration_is_told_in_its_unit(seconds: float, words: str) -> None:
    assert lasted(seconds) == words
