"""Icons drawn from assets/icons in any colour, sharp at any screen ratio, each drawn once."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

if TYPE_CHECKING:
    from PySide6.QtGui import QColor

RATIOS = (1.0, 1.25, 1.5, 2.0)


class IconShelf:
    """Keeps pixmaps by (name, colour, size in px, screen ratio)."""

    def __init__(self) -> None:
        self._drawings: dict[str, str] = {}
        self._pixmaps: dict[tuple[str, str, int, float], QPixmap] = {}

    def pixmap(self, name: str, color: QColor, px: int, ratio: float) -> QPixmap:
        """A square pixmap of `px` device-independent pixels. A name without a file is a FileNotFoundError."""
        key = (name, color.name(), px, ratio)
        if key not in self._pixmaps:
            self._pixmaps[key] = self._draw(*key)
        return self._pixmaps[key]

    def icon(self, name: str, rest: QColor, disabled: QColor, px: int, gap: int = 0) -> QIcon:
        """An icon for a button, with a greyed form for the disabled state and `gap` px of air at its right."""
        icon = QIcon()
        for ratio in RATIOS:
            icon.addPixmap(_with_gap(self.pixmap(name, rest, px, ratio), gap))
            icon.addPixmap(_with_gap(self.pixmap(name, disabled, px, ratio), gap), QIcon.Mode.Disabled)
        return icon

    def _draw(self, name: str, color: str, px: int, ratio: float) -> QPixmap:
        pixmap = QPixmap(round(px * ratio), round(px * ratio))
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(Qt.GlobalColor.transparent)
        svg = self._drawing(name).replace("currentColor", color)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(svg.encode())).render(painter, QRectF(0, 0, px, px))
        painter.end()
        return pixmap

    def _drawing(self, name: str) -> str:
        if name not in self._drawings:
            path = files("assets").joinpath("icons", f"{name}.svg")
            self._drawings[name] = path.read_text(encoding="utf-8")
        return self._drawings[name]


def _with_gap(pixmap: QPixmap, gap: int) -> QPixmap:
    if not gap:
        return pixmap
    ratio = pixmap.devicePixelRatio()
    wide = QPixmap(pixmap.width() + round(gap * ratio), pixmap.height())
    wide.setDevicePixelRatio(ratio)
    wide.fill(Qt.GlobalColor.transparent)
    painter = QPainter(wide)
    painter.drawPixmap(0, 0, pixmap)
    painter.end()
    return wide
