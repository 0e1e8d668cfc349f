"""Bars: progress, a share of a whole in pieces, and a quota."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from console.widgets.painting import fill_round, frame_round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent

    from console.theme.style import Theme
    from console.theme.tokens import ColorToken


class ProgressBar(QWidget):
    """4 px high, 6 in set-up. A fraction of None means that nobody knows how far it is: the track stays empty."""

    def __init__(self, theme: Theme, height: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fraction: float | None = None
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def fraction(self) -> float | None:
        return self._fraction

    def set_fraction(self, fraction: float | None) -> None:
        if fraction != self._fraction:
            self._fraction = fraction
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_share(QPainter(self), self._theme, QRectF(self.rect()), self._fraction or 0.0, "accent")


def paint_share(painter: QPainter, theme: Theme, rect: QRectF, share: float, color: ColorToken) -> None:
    """A rounded track with the first `share` (0 to 1) of it filled."""
    radius = rect.height() / 2
    fill_round(painter, rect, theme.color("pressed"), radius)
    width = rect.width() * min(max(share, 0.0), 1.0)
    if width > 0:
        fill_round(
            painter, QRectF(rect.x(), rect.y(), max(width, rect.height()), rect.height()), theme.color(color), radius
        )


class UsageBar(QWidget):
    """How much of a quota is used: grey, or in the colour of the warning that it stands for. 6 px high."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._share = 0.0
        self._color: ColorToken = "seg-a"
        self.setFixedHeight(6)

    def set_share(self, share: float, color: ColorToken = "seg-a") -> None:
        self._share, self._color = share, color
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(96, 6)

    def paintEvent(self, _event: QPaintEvent) -> None:
        paint_share(QPainter(self), self._theme, QRectF(self.rect()), self._share, self._color)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a StackedBar; `amount` in whatever unit the whole bar has."""

    amount: float
    color: ColorToken = "seg-a"
    series: int = 0


class StackedBar(QWidget):
    """Pieces beside each other with a 1-px gap. With `whole`, what is left over stays an empty framed track."""

    def __init__(self, theme: Theme, height: int = 10, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._pieces: tuple[Piece, ...] = ()
        self._whole: float | None = None
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_pieces(self, pieces: Sequence[Piece], whole: float | None = None) -> None:
        self._pieces, self._whole = tuple(pieces), whole
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        rect = QRectF(self.rect())
        if self._whole is not None:
            frame_round(painter, rect, self._theme.color("pressed"), self._theme.color("line-strong"), 2)
            rect = rect.adjusted(1, 1, -1, -1)
        paint_pieces(painter, self._theme, rect, self._pieces, self._whole)


def paint_pieces(
    painter: QPainter, theme: Theme, rect: QRectF, pieces: Sequence[Piece], whole: float | None = None
) -> None:
    """Draws `pieces` over the width of `rect`, which stands for `whole` or, without it, for their sum."""
    total = whole if whole is not None else sum(piece.amount for piece in pieces)
    if total <= 0:
        return
    x = rect.x()
    for piece in pieces:
        width = rect.width() * piece.amount / total
        color = theme.series_fill(piece.series) if piece.series else theme.color(piece.color)
        if width > 0:
            fill_round(painter, QRectF(x, rect.y(), max(width - 1, 1), rect.height()), color, 1.5)
        x += width
