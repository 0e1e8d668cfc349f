"""Which pages there are, as data: the rail, the shortcuts and the stack are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget


@dataclass(frozen=True, slots=True)
class PageEntry:
    """One page. `widget_factory` is called once, in the GUI thread, when the page is first shown.

    `at_foot` puts its item at the bottom of the rail. Ctrl+1, Ctrl+2, … follow the order of the entries.
    """

    key: str
    title: str
    icon: str
    widget_factory: Callable[[], QWidget]
    at_foot: bool = False
