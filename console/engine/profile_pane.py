"""The middle pane: the profile in the form, whether it fits, Compare, Save and what else can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

from console.engine.effects_strip import EffectsStrip
from console.engine.fit_banner import FitBanner
from console.engine.fit_shown import derive_fit
from console.engine.profile_form import ProfileForm
from console.engine.profile_shown import derive_profile_line, derive_title, derive_version
from console.engine.profiles_state import DESCRIBED
from console.widgets.buttons import Button, IconButton
from console.widgets.menu import Menu, MenuEntry
from console.widgets.page_header import PageHeader
from console.widgets.pill import Pill, PillMark

if TYPE_CHECKING:
    from console.engine.profiles_state import ProfilesView
    from console.theme.style import Theme
    from engine_host.engine.state import EngineState

NARROW_PX: Final = 600


def derive_menu(view: ProfilesView) -> tuple[MenuEntry, ...]:
    """What else can be done with the profile in the form."""
    kept = view.kept_of(view.key)
    return (
        MenuEntry("new", "New from this…", "plus"),
        MenuEntry("use", "Use for the next start", "check", enabled=view.key != view.in_use_key and not view.elsewhere),
        MenuEntry("steps", "Command…", "copy", enabled=not view.faults),
        MenuEntry("line"),
        MenuEntry("import", "Import…", "import"),
        MenuEntry("export", "Export…", "export"),
        MenuEntry("line"),
        MenuEntry("delete", "Delete…", "trash", enabled=kept is not None and not kept.ready_made),
    )


class ProfilePane(QFrame):
    """`asked(key)` for what the menu offers: new, use, import, export, delete; and `compare`."""

    asked = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view: ProfilesView | None = None
        self._line = ""
        self.setProperty("edge", "right")
        self.header = PageHeader("")
        self.fit = FitBanner(theme)
        self.form = ProfileForm(theme)
        self.effects = EffectsStrip(theme)
        self.save = Button(theme, "Save")
        self.revert = Button(theme, "Revert", "quiet")
        self.compare = Button(theme, "Compare", icon="history")
        self.more = IconButton(theme, "more", "More for this profile")
        self._version = Pill(theme, PillMark(""))
        self._build()

    def show_view(self, view: ProfilesView, engine: EngineState | None) -> None:
        self._view = view
        self.header.set_title(derive_title(view))
        version = derive_version(view)
        self._version.set_mark(PillMark(version))
        self._version.setVisible(bool(version))
        self._line = derive_profile_line(view, engine)
        self.header.set_truth(self._line, "error" if view.faults else "text-3")
        self.fit.show_fit(derive_fit(view, engine.run if engine is not None and engine.can_answer else None))
        self.form.show_view(view)
        self.save.setEnabled(view.dirty and not view.faults and not view.saving)
        self.revert.setVisible(view.dirty)
        self.compare.setEnabled(view.key != DESCRIBED)

    @property
    def line(self) -> str:
        return self._line

    @Slot(str)
    def _point(self, key: str) -> None:
        self.effects.show_option(self.form.lines[key].option)

    @Slot()
    def _open_menu(self) -> None:
        if self._view is None:
            return
        menu = Menu(self._theme, derive_menu(self._view), self)
        menu.chosen.connect(self.asked)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height() + 2)))

    @Slot()
    def _compare(self) -> None:
        self.asked.emit("compare")

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 1, 0)
        column.setSpacing(0)
        self.header.add_beside_title(self._version)
        for widget in (self.revert, self.compare, self.save, self.more):
            self.header.add_action(widget)
        column.addWidget(self.header)
        column.addWidget(self.fit)
        column.addWidget(self.form, 1)
        column.addWidget(self.effects)
        self.form.pointed.connect(self._point)
        self.more.clicked.connect(self._open_menu)
        self.compare.clicked.connect(self._compare)
