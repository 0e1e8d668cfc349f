"""What stands behind a page: one frozen state, and a signal that follows every change of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

StateT = TypeVar("StateT", bound="DataclassInstance")


class Presenter(QObject, Generic[StateT]):
    """`state` is set by whoever inherits; `changed` comes when it is another than before."""

    changed = Signal()
    state: StateT

    def _show(self, **changes: Any) -> None:
        state = replace(self.state, **changes)
        if state != self.state:
            self.state = state
            self.changed.emit()
