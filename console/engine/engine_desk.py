"""What the buttons about engines do: start, stop, put right and start again, end what was left, attach, report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication

from console.engine.engine_shown import engine_name
from console.engine.more_shown import STAYS, derive_removal
from console.engine.presenter import FIRST
from console.engine.report import derive_report
from console.setup.doctor import examine
from console.widgets.ask_dialog import AskDialog
from console.widgets.attach_dialog import AttachDialog
from console.widgets.notices import Notice
from engine_host.engine.options import options_by_key
from engine_host.engine.profile_shelf import folded
from engine_host.http import Tls

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from console.engine.log_panel import LogPanel
    from console.engine.presenter import EnginePresenter
    from console.engine.profile_desk import ProfileDesk
    from console.engine.profiles_presenter import ProfilesPresenter
    from console.page_context import PageContext
    from console.setup.doctor import Diagnosis
    from engine_host.engine.options import OptionValue
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_file import KeptProfile


class EngineDesk(QObject):
    """`attach_dialog` and `asking` are there while they are open."""

    def __init__(
        self, context: PageContext, presenter: EnginePresenter, profiles: ProfilesPresenter, profile_desk: ProfileDesk,
        log: LogPanel, owner: QWidget,
    ) -> None:  # fmt: skip
        super().__init__(owner)
        self._context, self._presenter, self._profiles = context, presenter, profiles
        self._log, self._owner = log, owner
        self._profile_desk = profile_desk
        self.attach_dialog: AttachDialog | None = None
        self.asking: AskDialog | None = None
        self._when_confirmed: Callable[[], None] = _nothing
        self._start_when_kept = False
        profiles.kept.connect(self._kept)

    @property
    def start_profile(self) -> EngineProfile:
        """What Start would use: the profile of the form as it is saved."""
        return self._profiles.state.base

    @Slot(str)
    def act(self, key: str) -> None:
        seat = self._presenter.seat
        what, _, limit = key.partition(" ")
        if limit:
            seat.stop(float(limit))
            return
        doing = {
            "start": self._start,
            "steps": self._steps,
            "cancel": seat.stop,
            "stop": seat.stop,
            "detach": self._presenter.detach,
            "sleep": seat.sleep,
            "wake": seat.wake,
            "remove": self.ask_removal,
        }
        doing[what]()

    @Slot()
    def _start(self) -> None:
        """The profile of the form is in use from now on, unless only a further engine starts with it."""
        if self._presenter.state.chosen == FIRST:
            self._profiles.use(self._profiles.state.key)
        self._presenter.start(self.start_profile)

    @Slot()
    def _steps(self) -> None:
        self._profile_desk.show_steps()

    @Slot()
    def start_another(self) -> None:
        self._presenter.start_another(self.start_profile)

    @Slot(str)
    def fix(self, key: str) -> None:
        doing = {
            "start": self._start,
            "change": self._start_with_change,
            "errors": self._log.show_errors,
            "detach": self._presenter.detach,
        }
        doing[key]()

    def _start_with_change(self) -> None:
        """Set what would help in the profile that failed, or in the settings, and start again."""
        engine = self._presenter.state.engine
        ours = {key: value for key, value in engine.change.items() if key in options_by_key()}
        others = {key: value for key, value in engine.change.items() if key not in ours}
        if others:
            self._presenter.change_settings(others, self._settings_fixed)
            return
        if self._profiles.state.find(folded(engine.name)) is not None:
            self._profiles.open(folded(engine.name))
        for key, value in ours.items():
            self._profiles.edit(key, cast("OptionValue | None", value))
        self._start_when_kept = True
        self._profiles.save()

    @Slot(object)
    def _settings_fixed(self, _settings: object) -> None:
        self._start()

    @Slot(object)
    def _kept(self, kept: KeptProfile) -> None:
        if self._start_when_kept:
            self._start_when_kept = False
            self._presenter.start(kept.profile)

    @Slot(str)
    def fact(self, key: str) -> None:
        what, _, which = key.partition(" ")
        if what == "adopt":
            self._presenter.adopt(which)
            return
        words = "The engine ends at once: whoever still talks to it gets no answer, and its memory is free again."
        self._ask("End this engine?", words, "End it", partial(self._presenter.end_left, which))

    @Slot()
    def ask_removal(self) -> None:
        """Before the engine that is shown is removed; the first one can't be."""
        view = self._presenter.state
        if view.chosen == FIRST:
            self._context.notify(Notice("engine", "info", STAYS))
            return
        name = engine_name(view.chosen, view.engine, self.start_profile.name)
        shown = derive_removal(view.engine, name, self._presenter.drain_s)
        self._ask(shown.title, shown.words, "Remove", partial(self._presenter.remove, view.chosen))

    def _ask(self, title: str, words: str, action: str, then: Callable[[], None]) -> None:
        self.asking = AskDialog(self._context.theme, title, words, action, self._owner)
        self._when_confirmed = then
        self.asking.finished.connect(self._asked)
        self.asking.open()

    @Slot(int)
    def _asked(self, result: int) -> None:
        asking, self.asking = self.asking, None
        if asking is not None:
            if result == AskDialog.DialogCode.Accepted:
                self._when_confirmed()
            asking.deleteLater()

    # The report, attaching

    @Slot()
    def copy_report(self) -> None:
        self._log.copy.setEnabled(False)
        call = self._context.bridge.submit(lambda: examine(self._context.house.home), "doctor for the report")
        call.done.connect(self._copy)
        call.failed.connect(self._copy_without)

    @Slot(object)
    def _copy(self, diagnosis: Diagnosis | None) -> None:
        state = self._presenter.state
        entries = self._log.book.entries
        report = derive_report(state.engine, self.start_profile, state.facts, diagnosis, entries)
        QGuiApplication.clipboard().setText(report)
        self._log.copy.setEnabled(True)

    @Slot(object)
    def _copy_without(self, _error: object) -> None:
        self._copy(None)

    @Slot()
    def open_attach(self) -> None:
        settings = self._context.house.engine.settings.engine
        tls = Tls(settings.ca_file, settings.attach_verify)
        known = settings.attach_url or ""
        self.attach_dialog = AttachDialog(
            self._context.theme, self._presenter.attach, known, tls=tls, parent=self._owner
        )
        self.attach_dialog.finished.connect(self._attach_closed)
        self.attach_dialog.open()

    @Slot()
    def _attach_closed(self) -> None:
        dialog, self.attach_dialog = self.attach_dialog, None
        if dialog is not None:
            dialog.deleteLater()


def _nothing() -> None:
    """Until something was asked."""
