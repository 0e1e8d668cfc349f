"""The right pane: the engine's name and its one action, how it failed, its start, its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from console.engine.cards import FailureCard, StartCard
from console.engine.engine_shown import derive_action, derive_attached, derive_failure, derive_origin, is_attached
from console.engine.log_panel import LogPanel
from console.engine.report import derive_report
from console.engine.start_shown import derive_start
from console.widgets.buttons import Button
from console.widgets.label import Label
from console.widgets.page_header import PageHeader
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.engine.engine_shown import ActionKey
    from console.engine.presenter import EnginePresenter
    from console.theme.style import Theme

EMPTY: Final = "No engine yet. Start the CPU demo or attach to a vLLM by its URL."


class RunPane(QWidget):
    """Shows the presenter's state when `show_state` is called; `acted(key)` is the head's button."""

    acted = Signal(str)

    def __init__(self, theme: Theme, presenter: EnginePresenter, zone: tzinfo, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._action: ActionKey | None = None
        self.setMinimumWidth(400)
        self.header = PageHeader("", pane=True)
        self.button = Button(theme, "Start", "primary", "play")
        self.failure = FailureCard(theme)
        self.start = StartCard(theme)
        self.log = LogPanel(theme, zone)
        self._empty = Label(EMPTY, "small", wrap=True)
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._build()
        self.button.clicked.connect(self._act)
        self.log.report_asked.connect(self._copy)

    def show_state(self, profile_name: str) -> None:
        view = self._presenter.state
        engine = view.engine
        self.header.set_title(engine.name or profile_name)
        self.header.set_truth(derive_origin(engine))
        action = derive_action(engine, cancelling=view.cancelling)
        self._action = action.key
        self.button.setText(action.text)
        self.button.set_kind(action.kind)
        self.button.set_icon(action.icon)
        self.button.setEnabled(action.key is not None)
        self._show_failure()
        self.show_progress()
        attached = is_attached(engine)
        self._empty.setText(derive_attached(engine) if attached else EMPTY)
        self._empty.setVisible((attached or engine.status is EngineStatus.NONE) and not self.log.book.entries)
        self.log.setVisible(not self._empty.isVisibleTo(self))

    def show_progress(self) -> None:
        """What changes with the clock while an engine starts."""
        view = self._presenter.state
        started_here = not is_attached(view.engine)
        shown = derive_start(view.engine, view.last, self._presenter.elapsed_s) if started_here else None
        self.start.setVisible(shown is not None)
        if shown is not None:
            self.start.show_start(shown)

    def _show_failure(self) -> None:
        view = self._presenter.state
        shown = derive_failure(
            view.engine,
            shorter_context=self._presenter.shorter_context,
            smaller_kv_gib=self._presenter.smaller_kv_gib,
        )
        self.failure.setVisible(shown is not None)
        if shown is not None:
            self.failure.show_failure(shown, is_warning=view.engine.status is EngineStatus.STALLED)

    @Slot()
    def _act(self) -> None:
        if self._action is not None:
            self.acted.emit(self._action)

    @Slot()
    def _copy(self) -> None:
        report = derive_report(self._presenter.state, self.log.book.entries)
        QGuiApplication.clipboard().setText(report)

    def _build(self) -> None:
        self.header.add_action(self.button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        cards = QVBoxLayout()
        cards.setContentsMargins(16, 12, 16, 16)
        cards.setSpacing(16)
        cards.addWidget(self.failure)
        cards.addWidget(self.start)
        cards.addWidget(self._empty, 1)
        cards.addWidget(self.log, 1)
        column.addLayout(cards, 1)
