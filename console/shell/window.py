"""The main window: rail, pages, status strip, notices. It knows pages only by their entries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from console.shell.geometry import SMALLEST, Frame, Geometry, fitted, load_geometry, save_geometry
from console.shell.pages import LiftsNotices
from console.shell.rail import Rail
from console.shell.shortcuts import install_shortcuts
from console.shell.strip_bar import HEIGHT as STRIP_HEIGHT
from console.shell.strip_bar import StripBar
from console.widgets.notice_stack import NoticeStack

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from PySide6.QtGui import QCloseEvent, QPaintEvent

    from console.shell.pages import PageEntry
    from console.shell.strip import StripState
    from console.theme.style import Theme

PROGRAM: Final = "Dabba Console"
FIRST_SIZE: Final = (1440, 900)
CELL_PAGES: Final = {
    "engine": "engine", "model": "engine", "figures": "engine", "errors": "engine",
    "running": "live", "waiting": "live", "kv": "live", "ttft": "live", "tokens": "live", "age": "live",
}  # fmt: skip
"""Which page a cell of the strip opens."""


class MainWindow(QMainWindow):
    """`painted()` comes once, after the first whole paint; `closing()` when a person closes it: nothing is asked.

    `page_shown(key)` follows every change of page, `theme_chosen(name)` the switch in the rail.
    """

    painted = Signal()
    closing = Signal()
    page_shown = Signal(str)
    theme_chosen = Signal(str)

    def __init__(
        self, theme: Theme, pages: Sequence[PageEntry], strip_state: StripState, geometry_file: Path | None = None
    ) -> None:
        """`geometry_file` remembers place, size and page; None = nothing is remembered."""
        super().__init__()
        self._theme = theme
        self._entries = {entry.key: entry for entry in pages}
        self._built: dict[str, QWidget] = {}
        self._geometry_file = geometry_file
        self._current = ""
        self._was_painted = False
        leads = frozenset(cell for cell, page in CELL_PAGES.items() if page in self._entries)
        self._rail = Rail(theme, pages)
        self._stack = QStackedWidget()
        self._strip = StripBar(theme, strip_state, leads)
        self._setup: QWidget | None = None
        self._remembered = ""
        self.notices = NoticeStack(theme, self._build(), bottom=STRIP_HEIGHT + 12, lift=self._notice_lift)
        self._rail.chosen.connect(self.show_page)
        self._rail.theme_asked.connect(self.switch_theme)
        self._strip.followed.connect(self._follow_cell)
        install_shortcuts(self, tuple(self._entries), self.show_page)
        self._restore(load_geometry(geometry_file) if geometry_file else Geometry())
        # Else the theme switch, the only thing that is on at first, would begin with the ring.
        self._stack.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def rail(self) -> Rail:
        return self._rail

    @property
    def strip(self) -> StripBar:
        return self._strip

    @property
    def current(self) -> str:
        """Key of the page that is shown, "" before the first and during set-up."""
        return self._current

    @property
    def remembered_page(self) -> str:
        """The page that was shown when the window was last closed, else the first one."""
        return self._remembered if self._remembered in self._entries else next(iter(self._entries), "")

    def page(self, key: str) -> QWidget:
        """The page's widget, built now if it was not shown before."""
        if key not in self._built:
            widget = self._entries[key].widget_factory()
            self._built[key] = widget
            self._stack.addWidget(widget)
        return self._built[key]

    @Slot(str)
    def show_page(self, key: str) -> None:
        if not self._rail.item(key).isEnabled():
            return
        widget = self.page(key)
        self._stack.setCurrentWidget(widget)
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self._current = key
        self._rail.mark_current(key)
        self.setWindowTitle(f"{self._entries[key].title} – {PROGRAM}")
        self.page_shown.emit(key)
        self.notices.settle()

    def show_setup(self, widget: QWidget) -> None:
        """Show `widget` in place of the pages, with the rail off, until `end_setup`."""
        self._rail.clear_current()
        self._rail.set_pages_enabled(False)
        self._current = ""
        self._setup = widget
        self._stack.addWidget(widget)
        self._stack.setCurrentWidget(widget)
        widget.setFocus(Qt.FocusReason.OtherFocusReason)
        self.setWindowTitle(f"Setting up – {PROGRAM}")

    def end_setup(self, page: str) -> None:
        """Drop the set-up widget and go on to `page`."""
        self._rail.set_pages_enabled(True)
        self.show_page(page)
        if self._setup is not None:
            self._stack.removeWidget(self._setup)
            self._setup.deleteLater()
            self._setup = None

    def set_strip(self, state: StripState) -> None:
        self._strip.set_state(state)

    @Slot()
    def switch_theme(self) -> None:
        name = "light" if self._theme.name == "dark" else "dark"
        self._theme.set_name(name)
        self.theme_chosen.emit(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._was_painted:
            self._was_painted = True
            # Children are painted in the same pass, after this event: the next event is after it.
            QTimer.singleShot(0, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._geometry_file is not None:
            save_geometry(self._geometry_file, self._geometry())
        event.accept()
        self.closing.emit()

    @Slot(str)
    def _follow_cell(self, cell: str) -> None:
        self.show_page(CELL_PAGES[cell])

    def _notice_lift(self) -> int:
        page = self._built.get(self._current)
        return max(page.notice_lift(), 0) if isinstance(page, LiftsNotices) else 0

    def _build(self) -> QWidget:
        self.setWindowTitle(PROGRAM)
        self.setMinimumSize(*SMALLEST)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.NoContextMenu)
        central = QWidget()
        column = QVBoxLayout(central)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(0)
        row.addWidget(self._rail)
        row.addWidget(self._stack, 1)
        column.addLayout(row, 1)
        column.addWidget(self._strip)
        self.setCentralWidget(central)
        return central

    def _geometry(self) -> Geometry:
        rect = self.normalGeometry()
        frame = Frame(rect.x(), rect.y(), rect.width(), rect.height())
        return Geometry(frame, self.isMaximized(), self._current)

    def _restore(self, geometry: Geometry) -> None:
        self._remembered = geometry.page
        screens = tuple(
            Frame(area.x(), area.y(), area.width(), area.height())
            for area in (screen.availableGeometry() for screen in QGuiApplication.screens())
        )
        frame = fitted(geometry.frame, screens) if geometry.frame else None
        if frame is None:
            self.resize(*FIRST_SIZE)
        else:
            self.setGeometry(frame.x, frame.y, frame.width, frame.height)
        if geometry.maximised:
            self.setWindowState(Qt.WindowState.WindowMaximized)
