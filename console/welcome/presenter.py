"""What a person does while the program sets itself up."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import Signal, Slot

from console.setup.doctor import Diagnosis, examine
from console.setup.lines import bytes_text
from console.setup.machine import Machine, read_machine
from console.welcome.setup_shown import running_step
from console.welcome.ways import attach_instead, use_python
from console.widgets.presenter import Presenter

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.setup.run import SetupRun, SetupState
    from engine_host.engine.attaching import AttachRooms
    from engine_host.http import Tls
    from storage.settings import Settings

    Rerun = Callable[[Settings], SetupRun]


@dataclass(frozen=True, slots=True)
class SetupView:
    """`stopping` from Stop until the step ended; `running` while steps are being done."""

    setup: SetupState
    machine: Machine | None = None
    running: bool = False
    stopping: bool = False
    fault: str = ""


class SetupPresenter(Presenter["SetupView"]):
    """`changed` follows `state`; `said(line)` is one more line of what is being done; `done` when all steps are."""

    said = Signal(str)
    done = Signal()

    def __init__(self, bridge: LoopThread, rooms: AttachRooms, run: SetupRun, rerun: Rerun, zone: tzinfo) -> None:
        super().__init__()
        self._bridge, self._rooms, self._rerun, self._zone = bridge, rooms, rerun, zone
        self._run = run
        self._call: Call | None = None
        self._last_said = ""
        self._mirror = bridge.mirror(run.state)
        self._mirror.changed.connect(self._setup_changed)
        self.state = SetupView(cast("SetupState", self._mirror.value))
        self._ask(lambda: read_machine(rooms.home), "machine", self._machine_read)

    def go_on(self) -> None:
        """Do the steps that are not done."""
        if self._call is not None:
            return
        self._show(running=True, stopping=False, fault="")
        self._call = self._bridge.submit(self._run.run, "set-up")
        self._call.done.connect(self._ended)
        self._call.failed.connect(self._failed)
        self._call.finished.connect(self._finished)

    def stop(self) -> None:
        """Stop after cleaning up what is half done; everything finished stays."""
        if self._call is not None:
            self._show(stopping=True)
            self._call.cancel()

    def use_python(self, program: str) -> None:
        """Run vLLM with this Python, if it has vLLM; the steps then begin with it."""
        self._ask(lambda: use_python(self._rooms, program), "look at Python", self._settings_changed)

    def attach_instead(self, url: str, key: str, tls: Tls | None = None) -> Call:
        """Use an engine that runs elsewhere. The caller shows a refusal."""
        call = self._bridge.submit(lambda: attach_instead(self._rooms, url, key, tls), "attach")
        call.done.connect(self._settings_changed)
        return call

    def doctor(self) -> None:
        self._say("dabba doctor looks at everything")
        self._ask(lambda: examine(self._rooms.home), "doctor", self._examined)

    def _ask(self, work: Callable[[], Any], name: str, done: Callable[[Any], None]) -> None:
        call = self._bridge.submit(work, name)
        call.done.connect(done)
        call.failed.connect(self._failed)

    @Slot(object)
    def _setup_changed(self, setup: SetupState) -> None:
        self._show(setup=setup)
        if now := running_step(setup):
            report = now[1].report
            size = f"  {bytes_text(report.total)}" if report.total and report.unit == "bytes" else ""
            line = f"{report.text or now[1].step.title}{size}"
            if line != self._last_said:
                self._last_said = line
                self._say(line)

    @Slot(object)
    def _settings_changed(self, settings: Settings) -> None:
        """Another Python or another engine: stop what runs and go on with the new settings."""
        self._run = self._rerun(settings)
        self._mirror.close()
        self._mirror = self._bridge.mirror(self._run.state)
        self._mirror.changed.connect(self._setup_changed)
        call, self._call = self._call, None
        if call is not None:
            call.drop()
        self.go_on()

    @Slot(object)
    def _ended(self, all_done: object) -> None:
        if all_done:
            self.done.emit()

    @Slot()
    def _finished(self) -> None:
        self._call = None
        self._show(running=False, stopping=False)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._say(str(error))
        self._show(fault=str(error))

    @Slot(object)
    def _machine_read(self, machine: Machine) -> None:
        self._show(machine=machine)

    @Slot(object)
    def _examined(self, found: Diagnosis) -> None:
        good = sum(check.ok for check in found.checks)
        self._say(f"dabba doctor: {good} of {len(found.checks)} checks are ok")
        for check in found.checks:
            if not check.ok:
                self._say(f"{check.name}: {check.fact} {check.next_step}")

    def _say(self, words: str) -> None:
        self.said.emit(f"{datetime.now(self._zone):%H:%M:%S}  {words}")
