"""Properties that the style sheet reads: set one and let Qt look up the rules again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget


def set_look(widget: QWidget, name: str, value: object) -> None:
    """Sets a dynamic property such as "kind" or "fill" and restyles the widget when it differs."""
    if widget.property(name) == value:
        return
    widget.setProperty(name, value)
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    widget.update()
