"""The pile of notices at the bottom right of the window, newest lowest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Signal, Slot
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.widgets.notices import NoticeCard

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.theme.style import Theme
    from console.widgets.notices import Notice

WIDTH = 440
AT_MOST = 3


class NoticeStack(QWidget):
    """Lies over `over`, `bottom` px above its lower edge. A fourth notice pushes out the oldest mild one.

    `lift()` says how many px higher, so that what a person needs at the lower right stays free.

    `followed(notice key, link key)` is a click on a link; `closed(notice key)` says that a notice has left.
    """

    followed = Signal(str, str)
    closed = Signal(str)

    def __init__(self, theme: Theme, over: QWidget, *, bottom: int = 40, lift: Callable[[], int] = int) -> None:
        super().__init__(over)
        self._theme = theme
        self._over = over
        self._bottom = bottom
        self._lift = lift
        self._cards: list[NoticeCard] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(8)
        self.setFixedWidth(WIDTH)
        over.installEventFilter(self)
        self.hide()

    @property
    def notices(self) -> tuple[Notice, ...]:
        return tuple(card.notice for card in self._cards)

    def show_notice(self, notice: Notice) -> None:
        known = next((card for card in self._cards if card.notice.key == notice.key), None)
        if known is not None:
            known.show_notice(notice)
        else:
            self._add(notice)
        self.settle()

    @Slot(str)
    def dismiss(self, key: str) -> None:
        for card in [card for card in self._cards if card.notice.key == key]:
            self._remove(card)
        self.settle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self.settle()
        return super().eventFilter(watched, event)

    def _add(self, notice: Notice) -> None:
        if len(self._cards) >= AT_MOST:
            mild = [card for card in self._cards if card.notice.level in ("ok", "info")]
            self._remove((mild or self._cards)[0])
        card = NoticeCard(self._theme, notice, self)
        card.followed.connect(self.followed)
        card.leaving.connect(self.dismiss)
        self._cards.append(card)
        self._column.addWidget(card)

    def _remove(self, card: NoticeCard) -> None:
        self._cards.remove(card)
        self._column.removeWidget(card)
        card.hide()
        card.deleteLater()
        self.closed.emit(card.notice.key)

    @Slot()
    def settle(self) -> None:
        """Take the place again, after a notice, another size or another page."""
        self.setVisible(bool(self._cards))
        height = self._column.heightForWidth(WIDTH) if self._cards else 0
        left, top = self._over.width() - WIDTH - 12, self._over.height() - self._bottom - height
        top -= self._lift()
        self.setGeometry(max(left, 0), max(top, 0), WIDTH, height)
        self.raise_()
