"""The Engine page: the engine of this home, its profile, its start and its log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.engine.engine_shown import derive_list
from console.engine.home_facts import derive_foot
from console.engine.list_pane import WIDTH, ListPane
from console.engine.presenter import EnginePresenter
from console.engine.profile_pane import ProfilePane
from console.engine.run_pane import RunPane
from console.widgets.attach_dialog import AttachDialog
from engine_host.engine.profile import EngineProfile, profile_from
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from console.bridge.calls import Call
    from console.engine.log_feed import LogNews
    from console.engine.profile_fields import FieldKey
    from console.page_context import PageContext

TICK_MS: Final = 200
FORM_PX: Final = (568, 640)
"""The form's least and greatest width; what is left goes to the log."""
BESIDE_PX: Final = WIDTH + 512
"""The list and a log of the width that it likes."""


class EnginePage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = context.theme
        self.presenter = EnginePresenter(context.bridge, context.house, context.notify)
        self.list = ListPane(context.theme)
        self.profile = ProfilePane(context.theme)
        self.run = RunPane(context.theme, self.presenter, context.zone)
        self._dialog: AttachDialog | None = None
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(self.run.show_progress)
        self._shown = True
        self._build()
        self._connect()
        self._show()

    def page_shown(self) -> None:
        self._shown = True
        self.presenter.refresh_facts()
        self._show()

    def page_hidden(self) -> None:
        self._shown = False
        self._clock.stop()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.profile.setFixedWidth(min(max(self.width() - BESIDE_PX, FORM_PX[0]), FORM_PX[1]))

    @property
    def dialog(self) -> AttachDialog | None:
        """The Attach dialog while it is open."""
        return self._dialog

    @Slot()
    def _show(self) -> None:
        state = self.presenter.state
        self.list.show_rows(derive_list(state.engine, self._profile().name))
        if state.facts is not None:
            self.list.show_foot(derive_foot(state.facts, state.engine))
        self.profile.show_view(state)
        self.run.show_state(self._profile().name)
        if state.engine.status is EngineStatus.STARTING and self._shown:
            self._clock.start()
        else:
            self._clock.stop()

    def _profile(self) -> EngineProfile:
        return profile_from(self.presenter.state.saved, self.presenter.state.model)

    @Slot(tuple)
    def _logged(self, news: tuple[LogNews, ...]) -> None:
        first = not self.run.log.book.entries
        self.run.log.take(news)
        if first:
            self._show()

    @Slot(str)
    def _act(self, key: str) -> None:
        doing = {
            "start": self.presenter.start,
            "cancel": self.presenter.stop,
            "stop": self.presenter.stop,
            "detach": self.presenter.detach,
        }
        doing[key]()

    @Slot(str)
    def _fix(self, key: str) -> None:
        doing = {
            "start": self.presenter.start,
            "context": self.presenter.fix_context,
            "kv": self.presenter.fix_kv_space,
            "errors": self.run.log.show_errors,
            "detach": self.presenter.detach,
        }
        doing[key]()

    @Slot(str, object)
    def _edit(self, key: str, value: object) -> None:
        self.presenter.edit(cast("FieldKey", key), cast("float", value))

    @Slot()
    def open_attach(self) -> None:
        known = self.presenter.state.saved.attach_url or ""
        self._dialog = AttachDialog(self._theme, self._attach, known, parent=self)
        self._dialog.finished.connect(self._attach_closed)
        self._dialog.open()

    def _attach(self, url: str, key: str, keep: bool) -> Call:
        return self.presenter.attach(url, key, keep=keep)

    @Slot()
    def _attach_closed(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(self.profile)
        row.addWidget(self.run, 1)
        self.profile.setFixedWidth(FORM_PX[1])

    def _connect(self) -> None:
        self.presenter.changed.connect(self._show)
        self.presenter.logged.connect(self._logged)
        self.list.attach_asked.connect(self.open_attach)
        self.list.adopt_asked.connect(self.presenter.adopt)
        self.profile.form.edited.connect(self._edit)
        self.profile.form.model.chosen.connect(self.presenter.choose_model)
        self.profile.save.clicked.connect(self.presenter.save)
        self.profile.revert.clicked.connect(self.presenter.revert)
        self.run.acted.connect(self._act)
        self.run.failure.fix_asked.connect(self._fix)
