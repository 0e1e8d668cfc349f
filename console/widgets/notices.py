"""Notices: subject, fact, reason. Next step. One key is one notice; at most three are on the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.cards import Card
from console.widgets.flow import FlowLayout
from console.widgets.paragraph import Paragraph

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QEnterEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken
    from console.widgets.cards import CardLook

Level = Literal["ok", "info", "warn", "error"]
SHOWN_MS = 6000
ICONS: dict[Level, tuple[str, ColorToken]] = {
    "ok": ("ok", "ok"),
    "info": ("info", "info"),
    "warn": ("warning", "warn"),
    "error": ("error", "error"),
}
LOOKS: dict[Level, CardLook] = {"ok": "strong", "info": "strong", "warn": "warn", "error": "error"}


@dataclass(frozen=True, slots=True)
class NoticeLink:
    key: str
    text: str


@dataclass(frozen=True, slots=True)
class Notice:
    """`fact` is the first line ("Subject fact: reason."), `detail` the second with the next step."""

    key: str
    level: Level
    fact: str
    detail: str = ""
    links: tuple[NoticeLink, ...] = ()


class NoticeCard(Card):
    """`followed(notice key, link key)`; `leaving(notice key)` when it is closed or its time is over."""

    followed = Signal(str, str)
    leaving = Signal(str)

    def __init__(self, theme: Theme, notice: Notice, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, look=LOOKS[notice.level], parent=parent)
        self._theme = theme
        self._notice = notice
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self._leave)
        self._icon = Icon(theme, "info", "info", 15)
        self._fact = Paragraph(theme, px=13, line=18)
        self._detail = Paragraph(theme, px=12, line=17)
        self._links = FlowLayout(gap=14, line_gap=2)
        self._build()
        self.show_notice(notice)

    @property
    def notice(self) -> Notice:
        return self._notice

    def show_notice(self, notice: Notice) -> None:
        """Replaces what it says, in place, and starts its time again."""
        self._notice = notice
        self.set_look(LOOKS[notice.level])
        self._icon.set_icon(*ICONS[notice.level])
        self._fact.set_text(notice.fact, weight=500)
        self._detail.set_text(notice.detail, "text-2")
        self._detail.setVisible(bool(notice.detail))
        self._links.clear()
        for link in notice.links:
            self._add_link(link)
        self._wait()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._wait()

    def _wait(self) -> None:
        if self._notice.level in ("ok", "info"):
            self._timer.start()
        else:
            self._timer.stop()

    def _add_link(self, link: NoticeLink) -> None:
        button = Button(self._theme, link.text, "link")
        button.setProperty("link", link.key)
        button.clicked.connect(self._follow)
        self._links.addWidget(button)

    @Slot()
    def _follow(self) -> None:
        self.followed.emit(self._notice.key, str(self.sender().property("link")))

    @Slot()
    def _leave(self) -> None:
        self._timer.stop()
        self.leaving.emit(self._notice.key)

    def _build(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._fact)
        words.addSpacing(1)
        words.addWidget(self._detail)
        words.addSpacing(3)
        words.addLayout(self._links)
        close = IconButton(self._theme, "close", "Close this notice", px=14, box=20)
        close.clicked.connect(self._leave)
        row = QHBoxLayout()
        row.setContentsMargins(13, 9, 6, 9)
        row.setSpacing(6)
        lead = QVBoxLayout()
        lead.setContentsMargins(0, 1, 4, 0)
        lead.addWidget(self._icon)
        lead.addStretch(1)
        row.addLayout(lead)
        row.addLayout(words, 1)
        row.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        self.body.addLayout(row)
