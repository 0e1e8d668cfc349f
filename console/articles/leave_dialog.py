"""Asks before the editor is left with words that could not be kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.articles.danger_dialog import DangerDialog
from console.widgets.buttons import Button

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.theme.style import Theme

QUESTION = "Your last words are not kept as a draft. Leave without them?"


class LeaveDialog(DangerDialog):
    """Accepted = leave and lose them."""

    def __init__(self, theme: Theme, reason: str, parent: QWidget | None = None) -> None:
        no, yes = Button(theme, "Keep editing"), Button(theme, "Leave and lose it", "danger")
        super().__init__(theme, ("Leave the editor", QUESTION, reason), no, yes, parent)
