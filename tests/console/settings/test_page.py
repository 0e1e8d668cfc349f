"""The Settings page used as a person does, with a real home and a real demo order system."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from console.bridge.loop_thread import LoopThread
from console.page_context import PageContext
from console.settings.engines_field import EnginesField
from console.settings.knowledge_rows import EMBEDDER_KIND, NAMED, SERVER
from console.settings.page import SettingsPage
from console.settings.setting_rows import AUTH_VALUE, ORDER_KIND
from console.widgets.folder_field import FolderField
from engine_host.orders.demo_process import DemoOrders
from engine_host.orders.port import OrderStatus
from knowledge.watching import FolderWatch
from storage.paths import Home
from storage.secret_room import SecretRoom
from storage.settings import EngineSettings, MoreEngine, Settings, load_settings, save_settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Notice


class NoArticles:
    """A library that nothing is put into."""

    revision = 0


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
def notices() -> list[Notice]:
    return []


@pytest.fixture
def context(theme: Theme, qtbot: QtBot, home: Home, notices: list[Notice]) -> Iterator[PageContext]:
    faults: list[BaseException] = []
    bridge = LoopThread(lambda error, _where: faults.append(error))
    bridge.start()
    demo, secrets = DemoOrders(home), SecretRoom(home)
    watching = FolderWatch(cast("Any", NoArticles()), home, None)
    house = SimpleNamespace(
        home=home,
        settings=Settings(),
        secrets=secrets,
        orders=SimpleNamespace(demo=demo),
        watching=watching,
        engines=SimpleNamespace(more=()),
    )
    bridge.add_closer("watched folder", watching.close)
    bridge.add_closer("orders", demo.close, 10)
    bridge.add_closer("secrets", secrets.close)
    yield PageContext(theme, bridge, cast("Any", house), notices.append, lambda _key: None)
    bridge.stop()
    assert faults == []


@pytest.fixture
def page(context: PageContext, qtbot: QtBot) -> Iterator[SettingsPage]:
    made = SettingsPage(context)
    qtbot.addWidget(made)
    made.resize(1384, 872)
    made.show()
    qtbot.waitUntil(lambda: made._demo is not None and made._demo.state.seen is not None)
    yield made
    made.page_hidden()


def type_into(page: SettingsPage, qtbot: QtBot, key: str, words: str) -> None:
    field = page.lines[key].control
    assert isinstance(field, QLineEdit)
    field.clear()
    qtbot.keyClicks(field, words)


def test_that_a_saved_value_is_in_the_file_and_said_to_count_from_the_next_start(
    page: SettingsPage, home: Home, qtbot: QtBot
) -> None:
    assert not page.save.isEnabled()
    type_into(page, qtbot, "kitchen.phone", "020 1")
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert load_settings(home).kitchen.phone == "020 1"
    assert page.presenter.state.pending == ("Phone",)


def test_that_a_watched_folder_is_followed_as_soon_as_it_is_saved(
    page: SettingsPage, context: PageContext, home: Home, qtbot: QtBot, tmp_path: Path
) -> None:
    field = page.lines["knowledge.watched_folder"].control
    assert isinstance(field, FolderField)
    qtbot.keyClicks(field.line, "help")
    page.save.click()
    assert "whole path" in page.lines["knowledge.watched_folder"].fault
    field.line.clear()
    qtbot.keyClicks(field.line, str(tmp_path))
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert context.house.watching.state.folder == tmp_path
    assert load_settings(home).knowledge.watched_path == tmp_path
    assert page.presenter.state.pending == ()


def test_that_an_embedder_says_what_it_costs_and_asks_for_what_it_needs(
    page: SettingsPage, home: Home, qtbot: QtBot
) -> None:
    line = page.lines[EMBEDDER_KIND]
    assert "28 chunks/s" in line.effect.text()
    page.presenter.edit(EMBEDDER_KIND, "multilingual")
    assert "7 chunks/s" in line.effect.text()
    assert not page.lines[NAMED[SERVER]].isVisible()
    page.presenter.edit(EMBEDDER_KIND, SERVER)
    type_into(page, qtbot, NAMED[SERVER], "http://10.0.0.7:8000/v1")
    page.save.click()
    assert page.lines["knowledge.embedder_model"].fault == "Name the model that the server serves."
    type_into(page, qtbot, "knowledge.embedder_model", "BAAI/bge-m3")
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert load_settings(home).knowledge.embedder == "http://10.0.0.7:8000/v1"
    assert "Embedder" in page.presenter.state.pending


def test_that_a_wrong_value_is_not_written_and_calms_down_when_corrected(
    page: SettingsPage, home: Home, qtbot: QtBot
) -> None:
    type_into(page, qtbot, "kitchen.timezone", "Mars")
    page.save.click()
    assert "time zone" in page.lines["kitchen.timezone"].fault
    assert not home.settings_file.exists()
    type_into(page, qtbot, "kitchen.timezone", "Asia/Kolkata")
    assert page.lines["kitchen.timezone"].fault == ""


def test_that_the_theme_changes_at_once_when_it_is_saved(page: SettingsPage, theme: Theme, qtbot: QtBot) -> None:
    page.presenter.edit("appearance.theme", "dark")
    page.save.click()
    qtbot.waitUntil(lambda: theme.name == "dark")


def test_that_the_secret_of_an_own_order_system_is_kept_apart(page: SettingsPage, home: Home, qtbot: QtBot) -> None:
    assert not page.lines[AUTH_VALUE].isVisible()
    page.presenter.edit(ORDER_KIND, "own")
    assert page.lines[AUTH_VALUE].isVisible()
    type_into(page, qtbot, "orders.base_url", "https://orders.example")
    type_into(page, qtbot, AUTH_VALUE, "Bearer 123")
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert "Bearer 123" not in home.settings_file.read_text()
    assert load_settings(home).orders.auth_value_secret == "order-system-auth"


def test_that_status_words_are_typed_one_a_line_and_a_wrong_line_is_not_saved(
    page: SettingsPage, home: Home, qtbot: QtBot
) -> None:
    line = page.lines["orders.statuses"]
    assert not line.isVisible()
    page.presenter.edit(ORDER_KIND, "own")
    type_into(page, qtbot, "orders.base_url", "https://orders.example")
    field = line.control
    assert isinstance(field, QPlainTextEdit)
    assert line.isVisible()
    qtbot.keyClicks(field, "in_oven")
    page.save.click()
    assert line.fault == "Line 1 is “in_oven”: write it as in_oven = preparing."
    assert not home.settings_file.exists()
    qtbot.keyClicks(field, " = preparing")
    assert line.fault == ""
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert load_settings(home).orders.statuses == {"in_oven": "preparing"}


def test_that_staff_start_the_demo_move_an_order_and_stop_it(
    page: SettingsPage, notices: list[Notice], qtbot: QtBot
) -> None:
    demo, presenter = page.demo, page._demo
    assert demo is not None
    assert presenter is not None
    assert demo.run.text() == "Start"
    demo.run.click()
    qtbot.waitUntil(lambda: demo.run.text() == "Stop", timeout=30_000)
    qtbot.waitUntil(lambda: not presenter.state.busy)
    order = next(one for one in demo.table.shown() if one.status is not OrderStatus.DELIVERED)
    demo.table.pick(order.order_id)
    assert demo.move_to.isEnabled()
    demo.menu.chosen.emit("delivered")
    qtbot.waitUntil(lambda: moved(demo.table.picked_record) and not presenter.state.busy)
    demo.run.click()
    qtbot.waitUntil(lambda: demo.run.text() == "Start" and not presenter.state.busy, timeout=15_000)
    demo.run.click()
    qtbot.waitUntil(lambda: demo.run.text() == "Stop" and not presenter.state.busy, timeout=30_000)
    assert notices == []


def moved(order: Any) -> bool:
    return order is not None and order.status is OrderStatus.DELIVERED


def test_that_further_engines_are_added_weighed_and_removed(page: SettingsPage, home: Home, qtbot: QtBot) -> None:
    field = page.lines["engine.more"].control
    assert isinstance(field, EnginesField)
    field.add.click()
    qtbot.keyClicks(field.address, "10.0.0.7:8000")
    field.add.click()
    assert field.fault == "The address must begin with http:// or https://."
    field.address.clear()
    qtbot.keyClicks(field.address, "http://10.0.0.7:8000/")
    assert field.fault == ""
    qtbot.keyClick(field.address, Qt.Key.Key_Return)
    field.weights[1].setValue(2.5)
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    attached = MoreEngine(url="http://10.0.0.7:8000", weight=2.5)
    assert load_settings(home).engine.more == (MoreEngine(), attached)
    assert page.presenter.state.pending == ("Further engines",)
    field.removes[0].click()
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    assert load_settings(home).engine.more == (attached.model_copy(update={"number": 3}),)


def test_that_what_another_page_wrote_meanwhile_is_not_written_over(
    page: SettingsPage, home: Home, qtbot: QtBot
) -> None:
    type_into(page, qtbot, "kitchen.phone", "020 1")
    save_settings(home, Settings(engine=EngineSettings(more=(MoreEngine(),))))
    page.save.click()
    qtbot.waitUntil(lambda: not page.presenter.state.dirty)
    saved = load_settings(home)
    assert (saved.kitchen.phone, saved.engine.more) == ("020 1", (MoreEngine(),))
