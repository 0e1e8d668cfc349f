"""A kitchen that is open in the bridge's loop, and the chat page's context over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from console.bridge.calls import Finished
from console.bridge.loop_thread import LoopThread
from console.chat.page import ChatPage
from console.page_context import PageContext
from storage.paths import Home
from tests.console.chat.kitchen import Kitchen, Orders, Pen, open_kitchen

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Notice


class Desk:
    """One kitchen with one page context. `run` awaits a coroutine in the loop and gives its result."""

    def __init__(self, qtbot: QtBot, theme: Theme, home: Home) -> None:
        self.qtbot = qtbot
        self.faults: list[tuple[BaseException, str]] = []
        self.notices: list[Notice] = []
        self.went_to: list[str] = []
        self.bridge = LoopThread(lambda error, where: self.faults.append((error, where)))
        self.bridge.start()
        self._theme = theme
        self._home = home

    def open(self, pen: Pen | None = None, orders: Orders | None = None) -> Kitchen:
        self.kitchen: Kitchen = self.run(lambda: open_kitchen(self._home, pen, orders))
        self.bridge.add_closer("kitchen", self.kitchen.close)
        house: Any = self.kitchen
        self.context = PageContext(self._theme, self.bridge, house, self.notices.append, self.went_to.append)
        return self.kitchen

    def page(self) -> ChatPage:
        page = ChatPage(self.context)
        self.qtbot.addWidget(page)
        page.resize(1384, 872)
        page.show()
        page.page_shown()
        self.until(lambda: bool(page.presenter.acting.state.people.customers) or not self.kitchen.orders.demo)
        self.until(lambda: bool(page.presenter.acting.state.tenant_id) and page.presenter.listing.is_known)
        return page

    def run(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        call = self.bridge.submit(work)
        self.until(lambda: not call.running)
        assert isinstance(call.outcome, Finished), call.outcome
        return call.outcome.value

    def until(self, holds: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(holds, timeout=10_000)

    def in_loop(self, step: Callable[[], object]) -> None:
        async def work() -> None:
            step()

        self.run(work)


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(qtbot, theme, Home(tmp_path / "home"))
    yield desk
    report = desk.bridge.stop()
    assert report.clean, report
    assert not desk.faults, desk.faults


def text_of(widget: QWidget) -> str:
    """Everything that an eye or a screen reader finds below `widget`, in the order of the widgets."""
    words: list[str] = []
    for part in [widget, *widget.findChildren(QWidget)]:
        if _is_put_away(part, widget):
            continue
        for name in ("toPlainText", "text"):
            read = getattr(part, name, None)
            if callable(read):
                words.append(str(read()))
                break
        words.append(part.accessibleName())
    return "\n".join(word for word in words if word)


def _is_put_away(part: QWidget, root: QWidget) -> bool:
    """Hidden on purpose, itself or a parent: Qt shows what was just made only in the next turn of its loop."""
    at: QWidget | None = part
    while at is not None and at is not root:
        if at.isHidden() and at.testAttribute(Qt.WidgetAttribute.WA_WState_ExplicitShowHide):
            return True
        at = at.parentWidget()
    return False
