"""How a person names what is to be added: the menu of the Import button and the two dialogs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from console.widgets.menu import Menu, MenuEntry
from knowledge.readers import ARCHIVE_SUFFIX, SUFFIXES

if TYPE_CHECKING:
    from console.theme.style import Theme


class AddAsker(QObject):
    """`named(paths)` with the files or the folder that a person chose, `watch_named(path)` with one to be watched."""

    named = Signal(tuple)
    watch_named = Signal(object)

    def __init__(self, theme: Theme, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme = theme
        self._owner = owner
        self.menu: Menu | None = None

    def open_menu(self, below: QWidget) -> None:
        entries = (
            MenuEntry("files", "Files…", "import"),
            MenuEntry("folder", "Folder…", "folder"),
            MenuEntry("watch", "Watch a folder…", "refresh"),
        )
        self.menu = Menu(self._theme, entries, self._owner)
        self.menu.chosen.connect(self._ask)
        self.menu.aboutToHide.connect(self.menu.deleteLater)
        self.menu.popup(below.mapToGlobal(QPoint(0, below.height() + 4)))

    @Slot()
    def ask_for_files(self) -> None:
        dialog = QFileDialog(self._owner, "Add articles")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        suffixes = sorted(SUFFIXES | {ARCHIVE_SUFFIX})
        dialog.setNameFilter(f"Articles ({' '.join(f'*{suffix}' for suffix in suffixes)})")
        self._open(dialog).filesSelected.connect(self._name)

    @Slot()
    def ask_for_folder(self) -> None:
        self._folder_dialog("Add a folder of articles").filesSelected.connect(self._name)

    @Slot()
    def ask_for_watch(self) -> None:
        self._folder_dialog("Watch a folder for articles").filesSelected.connect(self._name_watch)

    def _folder_dialog(self, title: str) -> QFileDialog:
        dialog = QFileDialog(self._owner, title)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return self._open(dialog)

    def _open(self, dialog: QFileDialog) -> QFileDialog:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()
        return dialog

    @Slot(str)
    def _ask(self, what: str) -> None:
        if what == "folder":
            self.ask_for_folder()
        elif what == "watch":
            self.ask_for_watch()
        else:
            self.ask_for_files()

    @Slot("QStringList")
    def _name(self, names: list[str]) -> None:
        self.named.emit(tuple(Path(name) for name in names))

    @Slot("QStringList")
    def _name_watch(self, names: list[str]) -> None:
        self.watch_named.emit(Path(names[0]))
