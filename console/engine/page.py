"""The Engine page: the engines of this home, their profiles, their starts and their logs."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QHBoxLayout, QWidget

from console.engine.engine_desk import EngineDesk
from console.engine.engine_shown import derive_engine_rows
from console.engine.fit_shown import derive_fit
from console.engine.home_facts import derive_foot
from console.engine.list_pane import WIDTH, ListPane
from console.engine.presenter import EnginePresenter
from console.engine.profile_desk import ProfileDesk
from console.engine.profile_pane import ProfilePane
from console.engine.profile_shown import derive_profile_rows
from console.engine.profiles_presenter import ProfilesPresenter
from console.engine.run_pane import RunPane
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from console.engine.log_feed import LogNews
    from console.page_context import PageContext
    from console.widgets.attach_dialog import AttachDialog

TICK_MS: Final = 200
FORM_PX: Final = (592, 640)
"""The form's least and greatest width; what is left goes to the log."""
BESIDE_PX: Final = WIDTH + 512
"""The list and a log of the width that it likes."""


class EnginePage(QWidget):
    def __init__(self, context: PageContext, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.presenter = EnginePresenter(context.bridge, context.house, context.notify)
        self.profiles = ProfilesPresenter(context.bridge, context.house, context.notify)
        self.list = ListPane(context.theme)
        self.profile = ProfilePane(context.theme)
        self.run = RunPane(context.theme, self.presenter, context.zone)
        self.desk = ProfileDesk(context.theme, self.profiles, self)
        self.engines = EngineDesk(context, self.presenter, self.profiles, self.desk, self.run.log, self)
        self._clock = QTimer(self)
        self._clock.setInterval(TICK_MS)
        self._clock.timeout.connect(self._tick)
        self._shown = True
        self._build()
        self._connect()
        self._show()

    def page_shown(self) -> None:
        self._shown = True
        self.presenter.refresh_facts()
        self.profiles.reload()
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
        return self.engines.attach_dialog

    # What is shown

    @Slot()
    def _show(self) -> None:
        state = self.presenter.state
        name = self.profiles.state.base.name or "engine"
        self.list.show_engines(derive_engine_rows(state.numbered, name, datetime.now(UTC)), state.chosen)
        if state.facts is not None:
            self.list.show_foot(derive_foot(state.facts, state.engines))
        self._show_profiles()
        ticking = any(one.status is EngineStatus.STARTING or one.restart is not None for one in state.engines)
        if ticking and self._shown:
            self._clock.start()
        else:
            self._clock.stop()

    @Slot()
    def _show_profiles(self) -> None:
        view = self.profiles.state
        self.run.show_state(view.base, elsewhere=bool(view.base.name) and view.elsewhere)
        if view.base.name:
            self.list.show_profiles(derive_profile_rows(view), view.key)
            self.profile.show_view(view, self.presenter.state.engine)

    @Slot()
    def _tick(self) -> None:
        self.run.show_progress()
        state = self.presenter.state
        name = self.profiles.state.base.name
        self.list.show_engines(derive_engine_rows(state.numbered, name, datetime.now(UTC)), state.chosen)

    @Slot()
    def _engines_changed(self) -> None:
        state = self.presenter.state
        self.profiles.engine_known(state.engine)
        if state.facts is not None:
            self.profiles.facts_known(state.facts)
        self._show()

    @Slot(int, tuple)
    def _logged(self, number: int, news: tuple[LogNews, ...]) -> None:
        first = not self.run.log.book.entries
        self.run.log.take(number, news)
        if first:
            self._show()

    @Slot()
    def _make_it_fit(self) -> None:
        engine = self.presenter.state.engine
        shown = derive_fit(self.profiles.state, engine.run)
        for key, value in (shown.values or {}).items():
            if key == "model":
                self.profiles.choose_model(str(value))
            else:
                self.profiles.edit(key, value)
                self.profile.form.go_to(key)

    # Building

    def _build(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.list)
        row.addWidget(self.profile)
        row.addWidget(self.run, 1)
        self.profile.setFixedWidth(FORM_PX[1])

    def _connect(self) -> None:
        self.presenter.changed.connect(self._engines_changed)
        self.presenter.logged.connect(self._logged)
        self.profiles.changed.connect(self._show_profiles)
        self.profiles.settings_changed.connect(self.presenter.settings_changed)
        self.list.attach_asked.connect(self.engines.open_attach)
        self.list.another_asked.connect(self.engines.start_another)
        self.list.new_profile_asked.connect(self.desk.new)
        self.presenter.left.connect(self.run.log.forget)
        self.list.remove_asked.connect(self.engines.ask_removal)
        self.list.engine_picked.connect(self.presenter.choose)
        self.list.profile_picked.connect(self.profiles.open)
        self.list.fact_asked.connect(self.engines.fact)
        self.profile.asked.connect(self.desk.act)
        self.profile.save.clicked.connect(self.desk.save)
        self.profile.revert.clicked.connect(self.profiles.revert)
        self.profile.fit.change_asked.connect(self._make_it_fit)
        self.profile.form.edited.connect(self.desk.edit)
        self.profile.form.model_chosen.connect(self.profiles.choose_model)
        self.profile.form.extra_typed.connect(self.profiles.edit_extra)
        self.run.acted.connect(self.engines.act)
        self.run.report_asked.connect(self.engines.copy_report)
        self.run.failure.fix_asked.connect(self.engines.fix)
