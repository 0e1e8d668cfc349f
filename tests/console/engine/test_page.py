"""The Engine page driven as a person would, with a real session and a server that speaks vLLM's HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit

from console.engine.log_feed import LogNews
from console.engine.page import EnginePage
from console.engine.presenter import FIRST
from console.engine.profile_dialogs import CompareDialog, NameDialog
from console.engine.profile_shown import effects_text
from console.engine.steps_dialog import StepsDialog
from console.page_context import PageContext
from console.widgets.ask_dialog import AskDialog
from console.widgets.number_field import NumberField
from engine_host.engine import fit_machine
from engine_host.engine.state import EngineState, EngineStatus, PhaseTime, StartPhase
from storage.settings import load_settings
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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
    qtbot.waitUntil(lambda: bool(made.profiles.state.base.name))
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
    assert "not here" in page.profile.form.model_row.fault
    page.run.button.click()
    qtbot.waitUntil(lambda: page.presenter.state.engine.status is EngineStatus.FAILED)
    qtbot.waitUntil(page.run.failure.isVisible)
    assert "runtime is not installed" in page.presenter.state.engine.reason


def test_that_a_changed_profile_is_saved_as_a_version_and_stays_in_use(
    page: EnginePage, rooms: Rooms, qtbot: QtBot
) -> None:
    assert not page.profile.save.isEnabled()
    field = page.profile.form.lines["max_num_seqs"].control
    assert isinstance(field, NumberField)
    field.setValue(16)
    assert page.profile.save.isEnabled()
    page.profile.save.click()
    qtbot.waitUntil(lambda: page.profiles.state.base.version == 1)
    qtbot.waitUntil(lambda: page.profiles.state.in_use == "CPU demo")
    assert load_settings(rooms.home).engine.profile == "CPU demo"
    assert rooms.engine.settings.engine.profile == "CPU demo"
    assert page.profiles.state.base.max_num_seqs == 16
    assert not page.profile.save.isEnabled()
    assert rooms.notices == []


def test_that_a_fault_stands_below_its_field_and_cannot_be_saved(page: EnginePage) -> None:
    page.profiles.edit("max_model_len", 9000)
    assert "8,192" in page.profile.form.lines["max_model_len"].fault
    assert not page.profile.save.isEnabled()
    page.profile.revert.click()
    assert page.profile.form.lines["max_model_len"].fault == ""


def test_that_a_rarer_option_is_shown_once_it_was_changed(page: EnginePage, qtbot: QtBot) -> None:
    form = page.profile.form
    line = form.lines["shutdown_timeout_s"]
    assert not line.isVisible()
    form.more.click()
    assert line.isVisible()
    field = line.control
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "five")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert "a whole number" in line.fault
    field.clear()
    qtbot.keyClicks(field, "5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert line.fault == ""
    assert page.profiles.state.draft.value("shutdown_timeout_s") == 5
    form.more.click()
    assert line.isVisible()


def test_that_an_open_quotation_mark_is_a_fault_of_the_extra_arguments(page: EnginePage, qtbot: QtBot) -> None:
    page.profile.form.more.click()
    qtbot.keyClicks(page.profile.form.extra, "--seed '7")
    assert "quotation mark" in page.profile.form.extra_row.fault
    assert not page.profile.save.isEnabled()
    qtbot.keyClicks(page.profile.form.extra, "'")
    assert page.profiles.state.draft.extra == ("--seed", "7")
    assert page.profile.save.isEnabled()


def test_that_a_new_profile_begins_as_the_form_and_can_be_used_and_deleted(
    page: EnginePage, rooms: Rooms, qtbot: QtBot
) -> None:
    page.profiles.edit("max_num_seqs", 4)
    page.list.new_profile.click()
    dialog = page.desk.dialog
    assert isinstance(dialog, NameDialog)
    dialog.field.setText("throughput")
    dialog.make.click()
    assert "already" in dialog.fault
    dialog.field.setText("Evening")
    dialog.make.click()
    qtbot.waitUntil(lambda: page.profiles.state.key == "evening")
    assert page.profiles.state.base.max_num_seqs == 4
    page.desk.act("use")
    qtbot.waitUntil(lambda: page.profiles.state.in_use == "Evening")
    page.desk.act("delete")
    assert isinstance(page.desk.dialog, AskDialog)
    page.desk.dialog.confirm.click()
    qtbot.waitUntil(lambda: page.profiles.state.find("evening") is None)
    qtbot.waitUntil(lambda: page.profiles.state.in_use == "")
    assert load_settings(rooms.home).engine.profile == ""


def test_that_profiles_are_carried_out_and_in(page: EnginePage, qtbot: QtBot, tmp_path: Path, rooms: Rooms) -> None:
    page.list.profiles.pick("throughput")
    assert page.profiles.state.key == "throughput"
    page.profiles.export("throughput", tmp_path / "out.toml")
    qtbot.waitUntil((tmp_path / "out.toml").exists)
    (tmp_path / "in.toml").write_text((tmp_path / "out.toml").read_text().replace("Throughput", "Night"))
    page.profiles.take_in(tmp_path / "in.toml")
    qtbot.waitUntil(lambda: page.profiles.state.key == "night")
    page.profiles.take_in(tmp_path / "none.toml")
    qtbot.waitUntil(lambda: len(rooms.notices) == 1)
    assert "none.toml cannot be read" in rooms.notices[0].fact


def test_that_two_versions_are_compared_side_by_side(page: EnginePage, qtbot: QtBot) -> None:
    page.profiles.edit("max_num_seqs", 8)
    page.profiles.save()
    qtbot.waitUntil(lambda: page.profiles.state.base.version == 1)
    page.profile.compare.click()
    qtbot.waitUntil(lambda: isinstance(page.desk.dialog, CompareDialog))
    assert isinstance(page.desk.dialog, CompareDialog)
    assert page.desk.dialog.texts == ("Sequences at once", "32 seqs", "8 seqs")
    page.desk.dialog.accept()


def test_that_the_fit_says_how_many_conversations_there_is_room_for(
    page: EnginePage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = fit_machine.read_memory()  # what fits to the last byte must not hang on other programs of this moment
    monkeypatch.setattr(fit_machine, "read_memory", lambda _without: memory)
    qtbot.waitUntil(lambda: "tokens of KV" in page.profile.fit.headline, timeout=10_000)
    page.profiles.edit("kv_space_gib", 4000.0)
    qtbot.waitUntil(lambda: "does not fit" in page.profile.fit.headline, timeout=10_000)
    assert page.profile.fit.button.isVisible()
    page.profile.fit.button.click()
    qtbot.waitUntil(lambda: ": fits; " in page.profile.fit.headline, timeout=10_000)


def test_that_what_would_help_is_set_and_it_is_started_again(
    page: EnginePage, rooms: Rooms, bridge: LoopThread, qtbot: QtBot
) -> None:
    failed = EngineState(
        EngineStatus.FAILED, "CPU demo", "m", hosted=True, reason="Too long.", change={"max_model_len": 1024}
    )
    publish(bridge, rooms, qtbot, failed)
    qtbot.waitUntil(page.run.failure.isVisible)
    assert page.run.failure.button.text() == "Set Context to 1,024 tok and start again"
    page.run.failure.button.click()
    qtbot.waitUntil(lambda: page.profiles.state.base.max_model_len == 1024)
    qtbot.waitUntil(lambda: "runtime is not installed" in page.presenter.state.engine.reason)


def test_that_another_engine_is_started_beside_the_first(page: EnginePage, rooms: Rooms, qtbot: QtBot) -> None:
    page.list.another.click()
    qtbot.waitUntil(lambda: page.presenter.state.chosen == 2)
    qtbot.waitUntil(lambda: page.presenter.state.engine.status is EngineStatus.FAILED)
    assert page.presenter.state.engine.name == "cpu-demo 2" or page.presenter.state.engine.name == "CPU demo 2"
    assert len(load_settings(rooms.home).engine.more) == 1
    page.list.engines.pick("1")
    assert page.presenter.state.chosen == FIRST
    assert page.presenter.state.engine.status is EngineStatus.NONE


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
    qtbot.waitUntil(lambda: dialog.ask.text() == "Done")
    assert "attached-model" in dialog.found
    dialog.ask.click()
    qtbot.waitUntil(lambda: page.dialog is None)
    qtbot.waitUntil(lambda: page.run.button.text() == "Detach")
    assert load_settings(rooms.home).engine.attach_url == vllm.url
    kept = ended(qtbot, bridge.submit(rooms.secrets.get(f"engine-key:{vllm.url}")))
    assert getattr(kept, "value", None) == "secret"
    page.run.button.click()
    qtbot.waitUntil(lambda: page.run.button.text() == "Start")


def test_that_closing_the_dialog_gives_up_the_attempt(page: EnginePage, qtbot: QtBot) -> None:
    page.engines.open_attach()
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
    page.presenter.logged.emit(1, (LogNews("/logs/a", lines),))
    assert [entry.level for entry in log.book.entries] == ["INFO", "WARN", ""]
    qtbot.keyClicks(log.search, "compile")
    assert log._place.text() == "1 of 2"
    qtbot.keyClick(log.search, Qt.Key.Key_Return)
    assert log._place.text() == "2 of 2"
    log.levels._buttons["warn"].click()
    assert [row.number for row in log.book.rows] == [1]
    log.copy.click()
    qtbot.waitUntil(log.copy.isEnabled, timeout=30_000)
    assert "Doctor:" in QGuiApplication.clipboard().text()
    assert "compile two" in QGuiApplication.clipboard().text()
    page.presenter.logged.emit(1, (LogNews("/logs/b", ("another run",)),))
    assert [entry.text for entry in log.book.entries] == ["another run"]


def test_that_a_long_log_arrives_in_pieces_and_whole(page: EnginePage, qtbot: QtBot) -> None:
    page.presenter.logged.emit(1, (LogNews("/logs/a", tuple(f"line {n}" for n in range(3500))),))
    qtbot.waitUntil(lambda: page.run.log.book.counts["all"] == 3500)
    bar = page.run.log.view.verticalScrollBar()
    assert bar.value() == bar.maximum()
    qtbot.keyClick(page.run.log.view, Qt.Key.Key_Home)
    assert not page.run.log.follow.isChecked()
    qtbot.keyClick(page.run.log.view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(page.run.log.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert len(QGuiApplication.clipboard().text().splitlines()) == 3500


def test_that_the_command_of_a_profile_is_shown_and_copied(page: EnginePage, qtbot: QtBot) -> None:
    page.desk.act("steps")
    qtbot.waitUntil(lambda: isinstance(page.desk.dialog, StepsDialog), timeout=10_000)
    assert isinstance(page.desk.dialog, StepsDialog)
    page.desk.dialog.copy.click()
    assert "--max-num-seqs 32" in QGuiApplication.clipboard().text()


def test_that_an_engine_left_by_an_earlier_run_is_ended_only_after_a_question(page: EnginePage, qtbot: QtBot) -> None:
    page.engines.fact("end nobody")
    asking = page.engines.asking
    assert asking is not None
    asking.reject()
    page.engines.fact("end nobody")
    assert page.engines.asking is not None
    page.engines.asking.confirm.click()
    qtbot.waitUntil(lambda: page.engines.asking is None)


def test_that_a_second_server_is_attached_beside_the_first_and_let_go(
    page: EnginePage, rooms: Rooms, vllm: FakeVllm, qtbot: QtBot
) -> None:
    for number in (0, 1):
        page.engines.open_attach()
        dialog = page.dialog
        assert dialog is not None
        dialog.url.setText(vllm.url)
        qtbot.keyClicks(dialog.key, "secret")
        dialog.ask.click()
        qtbot.waitUntil(lambda d=dialog: d.ask.text() == "Done")
        dialog.ask.click()
        qtbot.waitUntil(lambda n=number: len(page.presenter.state.seats) == n + 1)
    page.list.engines.pick("2")
    qtbot.waitUntil(lambda: page.run.button.text() == "Detach")
    page.run.button.click()
    qtbot.waitUntil(lambda: page.presenter.state.engine.status is EngineStatus.NONE)
    assert page.presenter.state.engines[0].can_answer
    assert rooms.notices == []


def test_that_an_attached_engine_is_removed_with_its_key_after_a_question(
    page: EnginePage, rooms: Rooms, vllm: FakeVllm, qtbot: QtBot, bridge: LoopThread
) -> None:
    publish(bridge, rooms, qtbot, EngineState(EngineStatus.READY, "mine", "m", hosted=True))
    qtbot.waitUntil(lambda: page.presenter.state.engine.can_answer)
    page.engines.open_attach()
    dialog = page.dialog
    assert dialog is not None
    dialog.url.setText(vllm.url)
    qtbot.keyClicks(dialog.key, "secret")
    dialog.keep.setChecked(True)
    dialog.ask.click()
    qtbot.waitUntil(lambda: dialog.ask.text() == "Done")
    dialog.ask.click()
    qtbot.waitUntil(lambda: len(page.presenter.state.seats) == 2)
    page.list.engines.pick("2")
    page.list.engines.setFocus()
    qtbot.keyClick(page.list.engines, Qt.Key.Key_Delete)
    asking = page.engines.asking
    assert asking is not None
    asking.confirm.click()
    qtbot.waitUntil(lambda: len(page.presenter.state.seats) == 1)
    assert page.presenter.state.chosen == FIRST
    assert load_settings(rooms.home).engine.more == ()
    kept = ended(qtbot, bridge.submit(rooms.secrets.get(f"engine-key:{vllm.url}")))
    assert getattr(kept, "value", "none") is None
    assert rooms.notices == []


def test_that_a_hosted_engine_is_removed_and_its_number_is_free_again(
    page: EnginePage, rooms: Rooms, qtbot: QtBot
) -> None:
    page.list.another.click()
    qtbot.waitUntil(lambda: page.presenter.state.engine.status is EngineStatus.FAILED)
    assert page.run.more.isVisible()
    page.engines.act("remove")
    assert page.engines.asking is not None
    page.engines.asking.confirm.click()
    qtbot.waitUntil(lambda: len(page.presenter.state.seats) == 1)
    assert load_settings(rooms.home).engine.more == ()
    assert not page.run.more.isVisible()
    page.list.another.click()
    qtbot.waitUntil(lambda: page.presenter.state.chosen == 2)


def test_that_the_first_engine_is_not_removed_but_says_why(page: EnginePage, rooms: Rooms) -> None:
    page.engines.ask_removal()
    assert page.engines.asking is None
    assert rooms.notices[0].fact.startswith("The first engine stays")


def test_that_all_three_effects_of_the_option_with_the_focus_are_told(page: EnginePage, qtbot: QtBot) -> None:
    line = page.profile.form.lines["max_num_batched_tokens"]
    assert set(page.profile.effects.texts) == {""}
    line.control.setFocus()
    option = line.option
    qtbot.waitUntil(lambda: page.profile.effects.texts == (option.ttft, option.inter_token, option.memory))
    assert line.control.accessibleDescription() == effects_text(option)
