"""Chooses for which tenants an article is: all, or some of them by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QMenu, QWidget

from console.widgets.fields import Choice, ComboBox
from knowledge.article import ALL_TENANTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QMouseEvent

    from console.theme.style import Theme
    from storage.records import Tenant

EVERY = "All tenants"


class _StayingMenu(QMenu):
    """Stays open while its boxes are ticked."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if isinstance(action, QAction):  # pyright: ignore[reportUnnecessaryIsInstance] None beside the entries
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and isinstance(action, QAction):  # pyright: ignore[reportUnnecessaryIsInstance]
            action.trigger()
        else:
            super().keyPressEvent(event)


class TenantPicker(ComboBox):
    """`picks_changed(tenant ids)`, none = all of them. A list with boxes opens where a combo box has its own."""

    picks_changed = Signal(tuple)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, (Choice("", EVERY),), name="Tenants", parent=parent)
        self._names: dict[str, str] = {}
        self._picked: tuple[str, ...] = ALL_TENANTS
        self.menu_of_tenants = _StayingMenu(self)

    @property
    def picked(self) -> tuple[str, ...]:
        return self._picked

    def offer(self, tenants: Sequence[Tenant]) -> None:
        names = {tenant.tenant_id: tenant.name for tenant in tenants}
        if names == self._names:
            return
        self._names = names
        self.menu_of_tenants.clear()
        for key, name in (("", EVERY), *names.items()):
            action = self.menu_of_tenants.addAction(name)
            action.setData(key)
            action.setCheckable(True)
            action.triggered.connect(self._toggle)
        self._tell()

    def show_picked(self, tenant_ids: Sequence[str]) -> None:
        self._picked = tuple(tenant_ids)
        self._tell()

    def showPopup(self) -> None:
        self.menu_of_tenants.setMinimumWidth(self.width())
        self.menu_of_tenants.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    def _tell(self) -> None:
        self.setItemText(0, ", ".join(self._names.get(key, key) for key in self._picked) or EVERY)
        for action in self.menu_of_tenants.actions():
            key = str(action.data())
            action.setChecked(key in self._picked if key else not self._picked)

    @Slot()
    def _toggle(self) -> None:
        action = self.sender()
        key = str(action.data()) if isinstance(action, QAction) else ""
        if not key:
            self._picked = ALL_TENANTS
        elif key in self._picked:
            self._picked = tuple(one for one in self._picked if one != key)
        else:
            self._picked = (*self._picked, key)
        self._tell()
        self.picks_changed.emit(self._picked)
