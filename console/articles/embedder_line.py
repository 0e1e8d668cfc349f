"""While another embedder reads the library: how far it is, and that the old one answers until it is through."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QHBoxLayout

from console.articles.shelf_calls import follow_embedder
from console.widgets.bars import ProgressBar
from console.widgets.buttons import Icon
from console.widgets.cards import Card
from console.widgets.paragraph import Paragraph
from engine_host.published import Published
from knowledge.embedder_change import ChangeProgress

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.page_context import PageContext

BAR_PX = 160


def derive_change(change: ChangeProgress) -> str:
    if change.trouble:
        return f"The embedder was not changed, and the old one answers. {change.trouble} It is tried at the next start."
    read = f"{change.done:,} of {change.total:,} passages"
    return f"{change.model} has read {read}; the old embedder answers until it has all."


class EmbedderLine(Card):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, parent=parent)
        self._icon = Icon(context.theme, "refresh", "info", 15)
        self.words = Paragraph(context.theme, px=12, line=17)
        self.bar = ProgressBar(context.theme)
        self.bar.setFixedWidth(BAR_PX)
        row = QHBoxLayout()
        row.setContentsMargins(12, 6, 12, 6)
        row.setSpacing(8)
        row.addWidget(self._icon)
        row.addWidget(self.words, 1)
        row.addWidget(self.bar)
        self.body.addLayout(row)
        self.hide()
        news: Published[ChangeProgress | None] = Published(None)
        self._mirror = context.bridge.mirror(news)
        self._mirror.changed.connect(self.show_change)
        work = partial(follow_embedder, context.house.library, news)
        self._following = context.bridge.submit(work, "follow embedder")

    @Slot(object)
    def show_change(self, change: object) -> None:
        self.setVisible(change is not None)
        if isinstance(change, ChangeProgress):
            self._icon.set_icon("error" if change.trouble else "refresh", "error" if change.trouble else "info")
            self.words.set_text(derive_change(change), "text-2")
            self.bar.setVisible(not change.trouble)
            self.bar.set_fraction(change.done / change.total if change.total else None)
