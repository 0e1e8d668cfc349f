"""Notices: one key is one notice, three at most, mild ones leave by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QWidget

from console.widgets.buttons import Button, IconButton
from console.widgets.notice_stack import NoticeStack
from console.widgets.notices import Notice, NoticeCard, NoticeLink

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Level


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1000, 700)
    return made


@pytest.fixture
def stack(theme: Theme, window: QWidget) -> NoticeStack:
    made = NoticeStack(theme, window, bottom=40)
    window.show()
    return made


def notice(key: str, level: Level = "error", fact: str = "vLLM stopped while loading the model.") -> Notice:
    return Notice(key, level, fact, "Choose a smaller model.", (NoticeLink("details", "Details"),))


def cards(stack: NoticeStack) -> list[NoticeCard]:
    return [card for card in stack.findChildren(NoticeCard) if card.isVisible()]


def test_that_the_same_key_replaces_what_a_notice_says(stack: NoticeStack) -> None:
    stack.show_notice(notice("engine"))
    stack.show_notice(notice("engine", "warn", "vLLM is slow."))
    assert [n.fact for n in stack.notices] == ["vLLM is slow."]
    assert len(cards(stack)) == 1


def test_that_a_fourth_notice_pushes_out_the_oldest_mild_one(stack: NoticeStack) -> None:
    for key, level in (("a", "error"), ("b", "ok"), ("c", "info")):
        stack.show_notice(notice(key, "error" if level == "error" else "ok"))
    stack.show_notice(notice("d"))
    assert [n.key for n in stack.notices] == ["a", "c", "d"]


def test_that_a_link_says_which_notice_and_which_link(stack: NoticeStack, qtbot: QtBot) -> None:
    stack.show_notice(notice("engine"))
    link = cards(stack)[0].findChild(Button)
    assert link is not None
    with qtbot.waitSignal(stack.followed) as seen:
        qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert seen.args == ["engine", "details"]


def test_that_closing_takes_the_notice_away(stack: NoticeStack, qtbot: QtBot) -> None:
    stack.show_notice(notice("engine"))
    close = cards(stack)[0].findChild(IconButton)
    assert close is not None
    with qtbot.waitSignal(stack.closed):
        qtbot.mouseClick(close, Qt.MouseButton.LeftButton)
    assert stack.notices == ()
    assert not stack.isVisible()


@pytest.mark.parametrize(("level", "waits"), [("ok", True), ("info", True), ("warn", False), ("error", False)])
def test_that_only_mild_notices_leave_by_themselves(stack: NoticeStack, level: Level, waits: bool) -> None:
    stack.show_notice(notice("x", level))
    timer = cards(stack)[0].findChild(QTimer)
    assert timer is not None
    assert timer.isActive() is waits
    if waits:
        timer.timeout.emit()
        assert stack.notices == ()


def test_that_the_stack_stays_in_its_corner_when_the_window_changes(stack: NoticeStack, window: QWidget) -> None:
    stack.show_notice(notice("a"))
    window.resize(800, 600)
    assert stack.geometry().right() == 800 - 12 - 1
    assert stack.geometry().bottom() == 600 - 40 - 1


def test_that_notices_stay_above_what_a_page_needs_at_its_foot(theme: Theme, window: QWidget) -> None:
    reach = 0
    stack = NoticeStack(theme, window, bottom=40, lift=lambda: reach)
    stack.show_notice(Notice("a", "error", "The engine died."))
    low = stack.geometry().bottom()
    reach = 150
    stack.settle()
    assert stack.geometry().bottom() == low - 150
