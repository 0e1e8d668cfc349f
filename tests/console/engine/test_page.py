"""The Engine page driven as a person would, with a real session and a server that speaks vLLM's HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

from console.engine.log_feed import LogNews
from console.engine.page import EnginePage
from console.page_context import PageContext
from console.widgets.number_field import NumberField
from engine_host.engine.state import EngineState, EngineStatus, PhaseTime, StartPhase
from storage.settings import load_settings
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.house import House
    from console.theme.style import Theme
    from tests.console.engine.conftest import Rooms


@pytest.fixture
def page(theme: Theme, bridge: LoopThread, rooms: Rooms, qtbot: QtBot) -> EnginePage:
    context = PageContext(theme, bridge, cast("House", rooms), rooms.notices.append, lambda _key: None)
    made = EnginePage(context)
    qtbot.addWidget(made)
    made.resize(1384, 872)
    made.show()
    qtbot.waitUntil(lambda: made.presenter.state.facts is not None)
    return made


def ended(qtbot: QtBot, call: Call) -> object:
    qtbot.waitUntil(lambda: not call.running)
    return call.outcome


@pytest.fixture
def vllm(bridge: LoopThread, qtbot: QtBot) -> Iterator[FakeVllm]:
    fake = FakeVllm(Behaviour(key="secret"), model="attached-model")
    ended(qtbot, bridge.submit(fake.__aenter__()))
    yield fake
    ended(qtbot, bridge.submit(fake.__aexit__(None, None, None)))


def publish(bridge: LoopThread, rooms: Rooms, qtbot: QtBot, state: EngineState) -> None:
    async def do() -> None:
        rooms.engine.state.publish(state)

    ended(qtbot, bridge.submit(do))


def test_that_a_new_home_says_what_is_missing_and_offers_a_start(page: EnginePage, qtbot: QtBot) -> None:
    assert page.run.button.text() == "Start"
    assert "not here" in page.profile.form._model_row.fault
    page.run.button.click()
    qtbot.waitUntil(lambda: page.presenter.state.engine.status is EngineStatus.FAILED)
    qtbot.waitUntil(page.run.failure.isVisible)
    assert "runtime is not installed" in page.presenter.state.engine.reason


def test_that_a_changed_profile_is_saved_and_the_file_says_so(page: EnginePage, rooms: Rooms, qtbot: QtBot) -> None:
    assert not page.profile.save.isEnabled()
    field = page.profile.form.lines["max_num_seqs"].control
    assert isinstance(field, NumberField)
    field.setValue(16)
    assert page.profile.save.isEnabled()
    page.profile.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert load_settings(rooms.home).engine.max_num_seqs == 16
    assert rooms.notices == []


def test_that_a_fault_stands_below_its_field_and_cannot_be_saved(page: EnginePage) -> None:
    page.presenter.edit("max_model_len", 9000)
    assert "8,192" in page.profile.form.lines["max_model_len"].fault
    assert not page.profile.save.isEnabled()
    page.profile.revert.click()
    assert page.profile.form.lines["max_model_len"].fault == ""


def test_that_attaching_asks_the_engine_and_keeps_what_is_ticked(
    page: EnginePage, rooms: Rooms, vllm: FakeVllm, qtbot: QtBot, bridge: LoopThread
) -> None:
    page.list.attach.click()
    dialog = page.dialog
    assert dialog is not None
    dialog.url.setText(vllm.url)
    dialog.ask.click()
    qtbot.waitUntil(lambda: "key" in dialog.fault)
    qtbot.keyClicks(dialog.key, "secret")
    dialog.keep.setChecked(True)
    dialog.ask.click()
    qtbot.waitUntil(lambda: page.dialog is None)
    qtbot.waitUntil(lambda: page.run.button.text() == "Detach")
    assert load_settings(rooms.home).engine.attach_url == vllm.url
    kept = ended(qtbot, bridge.submit(rooms.secrets.get(f"engine-key:{vllm.url}")))
    assert getattr(kept, "value", None) == "secret"
    page.run.button.click()
    qtbot.waitUntil(lambda: page.run.button.text() == "Start")


def test_that_closing_the_dialog_gives_up_the_attempt(page: EnginePage, qtbot: QtBot) -> None:
    page.open_attach()
    dialog = page.dialog
    assert dialog is not None
    dialog.url.setText("http://127.0.0.1:9")
    dialog.ask.click()
    dialog.reject()
    assert page.dialog is None
    assert page.presenter.state.engine.status is EngineStatus.NONE


def test_that_a_start_is_shown_phase_by_phase_with_cancel(
    page: EnginePage, rooms: Rooms, bridge: LoopThread, qtbot: QtBot
) -> None:
    phases = (PhaseTime(StartPhase.ENVIRONMENT, 0, 1.0), PhaseTime(StartPhase.WEIGHTS, 1.0, None))
    starting = EngineState(EngineStatus.STARTING, "cpu-demo", "m", hosted=True, process_group=7, phases=phases)
    publish(bridge, rooms, qtbot, starting)
    qtbot.waitUntil(page.run.start.isVisible)
    assert page.run.button.text() == "Cancel start"
    publish(bridge, rooms, qtbot, EngineState())
    qtbot.waitUntil(lambda: page.run.button.text() == "Start")


def test_that_the_log_is_filtered_searched_and_copied(page: EnginePage, qtbot: QtBot) -> None:
    log = page.run.log
    lines = ("INFO 11-30 10:00:00 [a:1] compile one", "WARNING 11-30 10:00:01 [a:1] compile two", "plain")
    page.presenter.logged.emit((LogNews("/logs/a", lines),))
    assert [entry.level for entry in log.book.entries] == ["INFO", "WARN", ""]
    qtbot.keyClicks(log.search, "compile")
    assert log._place.text() == "1 of 2"
    qtbot.keyClick(log.search, Qt.Key.Key_Return)
    assert log._place.text() == "2 of 2"
    log.levels._buttons["warn"].click()
    assert [row.number for row in log.book.rows] == [1]
    log.copy.click()
    assert "compile two" in QGuiApplication.clipboard().text()
    page.presenter.logged.emit((LogNews("/logs/b", ("another run",)),))
    assert [entry.text for entry in log.book.entries] == ["another run"]


def test_that_a_long_log_arrives_in_pieces_and_whole(page: EnginePage, qtbot: QtBot) -> None:
    page.presenter.logged.emit((LogNews("/logs/a", tuple(f"line {n}" for n in range(3500))),))
    qtbot.waitUntil(lambda: page.run.log.book.counts["all"] == 3500)
    bar = page.run.log.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    qtbot.keyClick(page.run.log.view, Qt.Key.Key_Home)
    assert not page.run.log.follow.isChecked()
    qtbot.keyClick(page.run.log.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page.run.log.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 3500
