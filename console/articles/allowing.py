"""A button that can't be pressed says why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractButton


def allow(button: QAbstractButton, hindrance: str, rest: str = "") -> None:
    """Enable it, or say in its tooltip what hinders; `rest` is its tooltip otherwise."""
    button.setEnabled(not hindrance)
    button.setToolTip(hindrance or rest)
    button.setAccessibleDescription(hindrance or rest)
