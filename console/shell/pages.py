"""Which pages there are, as data: the rail, the shortcuts and the stack are made from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

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


@runtime_checkable
class LiftsNotices(Protocol):
    """A page with controls at its lower right."""

    def notice_lift(self) -> int:
        """How high they reach, in px: notices stay above."""
        ...
