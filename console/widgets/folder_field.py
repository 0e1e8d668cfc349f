"""A field for the path of a folder, typed or chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QWidget

from console.widgets.buttons import IconButton

if TYPE_CHECKING:
    from console.theme.style import Theme


class FolderField(QWidget):
    """`textEdited(path)` for what a person types or chooses, not when code sets it."""

    textEdited = Signal(str)

    def __init__(self, theme: Theme, placeholder: str, title: str, parent: QWidget | None = None) -> None:
        """`title` is what the dialog and the button say."""
        super().__init__(parent)
        self._title = title
        self.line = QLineEdit()
        self.line.setPlaceholderText(placeholder)
        self.browse = IconButton(theme, "folder", title)
        self.dialog: QFileDialog | None = None
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(self.browse)
        self.setFocusProxy(self.line)
        self.line.textEdited.connect(self.textEdited)
        self.browse.clicked.connect(self._browse)

    def text(self) -> str:
        return self.line.text()

    def setText(self, text: str) -> None:
        self.line.setText(text)
        self.line.setToolTip(text)

    def setAccessibleName(self, name: str) -> None:
        super().setAccessibleName(name)
        self.line.setAccessibleName(name)

    def setAccessibleDescription(self, description: str) -> None:
        super().setAccessibleDescription(description)
        self.line.setAccessibleDescription(description)

    @Slot()
    def _browse(self) -> None:
        dialog = QFileDialog(self, self._title, str(Path(self.text()).expanduser()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._chosen)
        dialog.open()

    @Slot("QStringList")
    def _chosen(self, names: list[str]) -> None:
        self.setText(names[0])
        self.textEdited.emit(names[0])
