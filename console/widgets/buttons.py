"""Buttons. Their icons follow the theme and the kind; a button that shows only an icon carries a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from console.widgets.restyle import set_look

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken

ButtonKind = Literal["plain", "primary", "danger", "quiet", "link"]
# Qt leaves 4 px between the icon and the words; the design wants 6.
GAP = 2
INK: dict[str, ColorToken] = {
    "plain": "text",
    "primary": "on-accent",
    "danger": "error",
    "quiet": "text-2",
    "link": "accent-ink",
}


class Button(QPushButton):
    """A button with words, 28 px high (24 when small). At most one primary on a page."""

    def __init__(
        self, theme: Theme, text: str, kind: ButtonKind = "plain", icon: str = "", *, small: bool = False,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(text, parent)
        self._theme = theme
        self._icon = icon
        self._kind: ButtonKind = kind
        self.setProperty("kind", kind)
        self.setProperty("small", small)
        # Only Tab gives it the ring: a click would leave it there.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._px = 14 if small else 16
        self.setIconSize(QSize(self._px + GAP if text else self._px, self._px))
        if kind == "link":
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._tint()
        theme.changed.connect(self._tint)

    def set_kind(self, kind: ButtonKind) -> None:
        self._kind = kind
        set_look(self, "kind", kind)
        self._tint()

    def set_icon(self, icon: str) -> None:
        self._icon = icon
        self._tint()

    def _tint(self) -> None:
        gap = GAP if self.text() else 0
        self.setIcon(self._theme.icon(self._icon, INK[self._kind], self._px, gap) if self._icon else QIcon())


class IconButton(QToolButton):
    """A button that shows only an icon; `name` is its tooltip and what a screen reader says."""

    def __init__(
        self, theme: Theme, icon: str, name: str, *, framed: bool = False, px: int = 16, box: int = 0,
        color: ColorToken = "text-2", parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._theme = theme
        self._icon = icon
        self._color: ColorToken = color
        self.setProperty("framed", framed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIconSize(QSize(px, px))
        side = box or (28 if framed else 24)
        self.setFixedSize(side, side)
        self.set_name(name)
        self._tint()
        theme.changed.connect(self._tint)

    def set_name(self, name: str) -> None:
        self.setAccessibleName(name)
        self.setToolTip(name)

    def set_icon(self, icon: str, color: ColorToken | None = None) -> None:
        self._icon = icon
        self._color = color or self._color
        self._tint()

    def _tint(self) -> None:
        self.setIcon(self._theme.icon(self._icon, self._color, self.iconSize().width()))


class Icon(QWidget):
    """An icon that only shows something, such as the state of a step."""

    def __init__(
        self, theme: Theme, icon: str, color: ColorToken = "text-2", px: int = 16, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[str, ColorToken] = (icon, color)
        self._px = px
        self.setFixedSize(px, px)

    def set_icon(self, icon: str, color: ColorToken) -> None:
        self._shown = (icon, color)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        icon, color = self._shown
        QPainter(self).drawPixmap(0, 0, self._theme.pixmap(icon, color, self._px, self))
