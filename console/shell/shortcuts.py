"""Keys that hold everywhere in the window: Ctrl+1 … Ctrl+9 for the pages, Ctrl+Q to leave."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtGui import QKeySequence, QShortcut

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtWidgets import QWidget


def install_shortcuts(window: QWidget, keys: Sequence[str], show: Callable[[str], None]) -> None:
    """`keys` are the page keys in the order of the rail."""
    for number, key in enumerate(keys[:9], start=1):
        QShortcut(QKeySequence(f"Ctrl+{number}"), window).activated.connect(partial(show, key))
    QShortcut(QKeySequence("Ctrl+Q"), window).activated.connect(window.close)
