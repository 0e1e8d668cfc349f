"""Asks before an article is deleted, once at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from console.articles.delete_dialog import DeleteDialog

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.theme.style import Theme
    from knowledge.article import Article


class DeleteAsker(QObject):
    """`agreed()` when a person said yes."""

    agreed = Signal()

    def __init__(self, theme: Theme, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme = theme
        self._owner = owner
        self.dialog: DeleteDialog | None = None

    def ask(self, article: Article) -> None:
        if self.dialog is not None:
            return
        self.dialog = DeleteDialog(self._theme, article, self._owner)
        self.dialog.accepted.connect(self.agreed)
        self.dialog.finished.connect(self._asked)
        self.dialog.open()

    @Slot()
    def _asked(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.deleteLater()
