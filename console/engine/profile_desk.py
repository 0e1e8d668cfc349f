"""What the profile's buttons and its menu open: a name, a file, two versions beside each other, a question first."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFileDialog, QWidget

from console.engine.profile_dialogs import CompareDialog, NameDialog
from console.engine.profile_shown import derive_title
from console.engine.steps_dialog import StepsDialog
from console.widgets.ask_dialog import AskDialog
from engine_host.engine.profile_shelf import folded

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from console.engine.profiles_presenter import ProfilesPresenter
    from console.theme.style import Theme
    from engine_host.engine.options import OptionValue
    from engine_host.engine.profile_file import KeptProfile

FILES: Final = "Profiles (*.toml)"


class ProfileDesk(QObject):
    """`dialog` is the one that was opened last."""

    def __init__(self, theme: Theme, presenter: ProfilesPresenter, owner: QWidget) -> None:
        super().__init__(owner)
        self._theme, self._presenter, self._owner = theme, presenter, owner
        self.dialog: QDialog | None = None

    @Slot(str)
    def act(self, key: str) -> None:
        doing = {
            "new": self.new,
            "use": self._use,
            "steps": self.show_steps,
            "import": self._import,
            "export": self._export,
            "delete": self._delete,
            "compare": self._compare,
        }
        doing[key]()

    @Slot(str, object)
    def edit(self, key: str, value: object) -> None:
        self._presenter.edit(key, cast("OptionValue | None", value))

    @Slot()
    def save(self) -> None:
        self._presenter.save()

    @Slot()
    def new(self) -> None:
        view = self._presenter.state
        taken = {folded(one.name) for one in view.kept}
        dialog = NameDialog(self._theme, derive_title(view), taken, self._owner)
        dialog.named.connect(self._presenter.save)
        self._open(dialog)

    def _use(self) -> None:
        self._presenter.use(self._presenter.state.key)

    @Slot()
    def show_steps(self) -> None:
        """What to type where, to start it without this program or on more machines than this."""
        call = self._presenter.steps()
        call.done.connect(self._steps_read)

    @Slot(object)
    def _steps_read(self, text: str) -> None:
        self._open(StepsDialog(self._theme, self._presenter.state.base.name, text, self._owner))

    def _compare(self) -> None:
        call = self._presenter.versions(self._presenter.state.base.name)
        call.done.connect(self._versions_read)

    @Slot(object)
    def _versions_read(self, versions: tuple[KeptProfile, ...]) -> None:
        view = self._presenter.state
        self._open(CompareDialog(self._theme, versions, view.draft if view.dirty else None, self._owner))

    def _delete(self) -> None:
        name = self._presenter.state.base.name
        words = f"Every saved version of {name} is deleted. A ready-made profile of that name comes back."
        dialog = AskDialog(self._theme, f"Delete {name}?", words, "Delete", self._owner)
        dialog.accepted.connect(self._deleted)
        self._open(dialog)

    @Slot()
    def _deleted(self) -> None:
        self._presenter.delete(self._presenter.state.key)

    def _import(self) -> None:
        dialog = QFileDialog(self._owner, "Import profiles", "", FILES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._import_chosen)
        self._open(dialog)

    @Slot(str)
    def _import_chosen(self, path: str) -> None:
        self._presenter.take_in(Path(path))

    def _export(self) -> None:
        name = f"{folded(self._presenter.state.base.name)}.toml"
        dialog = QFileDialog(self._owner, "Export this profile", name, FILES)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile(name)
        dialog.fileSelected.connect(self._export_chosen)
        self._open(dialog)

    @Slot(str)
    def _export_chosen(self, path: str) -> None:
        self._presenter.export(self._presenter.state.key, Path(path))

    def _open(self, dialog: QDialog) -> None:
        self.dialog = dialog
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
