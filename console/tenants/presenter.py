"""What a person does on the Tenants page, and the one frozen state that the page shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.tenants.export import derive_csv, write_csv
from console.tenants.reading import Checked, TalksRead, UsageRead, UsageReader, check_ledger, read_talks, save_limits
from console.widgets.notices import Notice
from console.widgets.presenter import Presenter

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.calls import Call
    from console.bridge.loop_thread import LoopThread
    from console.tenants.limits import Limits
    from console.tenants.reading import TenantsHouse
    from storage.records import Tenant

READ_MS: Final = 5000
CHECK_MS: Final = 10_000
TALKS_MS: Final = 30_000


@dataclass(frozen=True, slots=True)
class TenantsState:
    """`picked` is the tenant whose day, conversations and limits are shown. `check_fault` is a sentence when the
    comparison failed. `talks` may be of another tenant or period still."""

    period: str = "today"
    grain: str = "day"
    talks: TalksRead | None = None
    read: UsageRead | None = None
    picked: str = ""
    checked: Checked | None = None
    checking: bool = False
    check_fault: str = ""
    saving: bool = False
    save_fault: str = ""

    @property
    def tenant(self) -> Tenant | None:
        tenants = self.read.tenants if self.read else ()
        return next((one for one in tenants if one.tenant_id == self.picked), None)


class TenantsPresenter(Presenter["TenantsState"]):
    """`changed` follows every change of `state`; `saved` comes when new limits are kept."""

    saved = Signal()

    def __init__(
        self, bridge: LoopThread, house: TenantsHouse, notify: Callable[[Notice], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.state = TenantsState()
        self._bridge = bridge
        self._house = house
        self._notify = notify
        self._reader = UsageReader(house)
        self._reading: Call | None = None
        self._stale = False
        self._timers = (
            self._timer(READ_MS, self.refresh),
            self._timer(CHECK_MS, self.check),
            self._timer(TALKS_MS, self.read_talks),
        )

    def open(self) -> None:
        self.refresh()
        self.check()
        for timer in self._timers:
            timer.start()

    def rest(self) -> None:
        """Nothing is read while nobody looks."""
        for timer in self._timers:
            timer.stop()

    # What a person does

    def choose_period(self, period: str) -> None:
        self._show(period=period)
        self._read_anew()
        self.read_talks()

    def choose_grain(self, grain: str) -> None:
        """Bars by day, week or month."""
        self._show(grain=grain)
        self._read_anew()

    def pick(self, tenant_id: object) -> None:
        if isinstance(tenant_id, str) and tenant_id != self.state.picked:
            self._show(picked=tenant_id, save_fault="")
            self.read_talks()

    @Slot()
    def read_talks(self) -> None:
        """The conversations of the picked tenant in the chosen period."""
        tenant, read = self.state.tenant, self.state.read
        if tenant is not None and read is not None:
            work = partial(read_talks, self._house, tenant.tenant_id, self.state.period, read.today(tenant))
            call = self._bridge.submit(work, "top conversations")
            call.done.connect(self._have_talks)
            call.failed.connect(self._tell)

    def _read_anew(self) -> None:
        """Something else is asked for than what is being read."""
        self._stale = self._reading is not None
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        if self._reading is None:
            work = partial(self._reader.read, self.state.period, self.state.grain)
            self._reading = self._bridge.submit(work, "usage")
            self._reading.done.connect(self._have_usage)
            self._reading.failed.connect(self._tell)
            self._reading.finished.connect(self._read_ended)

    @Slot()
    def check(self) -> None:
        """Hold the ledger against the engine now."""
        if not self.state.checking:
            self._show(checking=True)
            call = self._bridge.submit(partial(check_ledger, self._house), "ledger check")
            call.done.connect(self._have_check)
            call.failed.connect(self._check_failed)
            call.finished.connect(self._check_ended)

    def save_limits(self, limits: Limits) -> None:
        """They hold from the next question on."""
        if self.state.picked and not self.state.saving:
            self._show(saving=True, save_fault="")
            call = self._bridge.submit(partial(save_limits, self._house, self.state.picked, limits), "limits")
            call.done.connect(self._have_limits)
            call.failed.connect(self._save_failed)
            call.finished.connect(self._save_ended)

    @Slot(str)
    def export(self, path: str) -> None:
        read = self.state.read
        if read is not None and path:
            text = derive_csv(read, self.state.period)
            call = self._bridge.submit(partial(write_csv, Path(path), text), "export")
            call.done.connect(partial(self._exported, text.count("\r\n") - 1))
            call.failed.connect(self._tell)

    # What comes back

    @Slot(object)
    def _have_usage(self, read: object) -> None:
        usage = cast("UsageRead", read)
        known = {tenant.tenant_id for tenant in usage.tenants}
        first = usage.tenants[0].tenant_id if usage.tenants else ""
        picked = self.state.picked if self.state.picked in known else first
        other = picked != self.state.picked
        self._show(read=usage, picked=picked)
        if other:
            self.read_talks()

    @Slot()
    def _read_ended(self) -> None:
        self._reading = None
        if self._stale:
            self._stale = False
            self.refresh()

    @Slot(object)
    def _have_talks(self, read: object) -> None:
        """The answer to an older question is not kept over a newer one."""
        talks = cast("TalksRead", read)
        if (talks.tenant_id, talks.period) == (self.state.picked, self.state.period):
            self._show(talks=talks)

    @Slot(object)
    def _have_check(self, checked: object) -> None:
        self._show(checked=cast("Checked", checked), check_fault="")

    @Slot(object)
    def _check_failed(self, error: object) -> None:
        self._show(check_fault=str(error))

    @Slot()
    def _check_ended(self) -> None:
        self._show(checking=False)

    @Slot(object)
    def _have_limits(self, kept: object) -> None:
        new = cast("Tenant", kept)
        read = self.state.read
        if read is not None:
            tenants = tuple(new if one.tenant_id == new.tenant_id else one for one in read.tenants)
            self._show(read=replace(read, tenants=tenants))
            self._read_anew()  # the forecast looks at the new quota
        self._notify(Notice("limits", "ok", f"Limits of {new.name} saved: they hold from the next question on."))
        self.saved.emit()

    @Slot(object)
    def _save_failed(self, error: object) -> None:
        self._show(save_fault=str(error))

    @Slot()
    def _save_ended(self) -> None:
        self._show(saving=False)

    def _exported(self, lines: int, path: object) -> None:
        words = "1 line" if lines == 1 else f"{lines:,} lines"
        self._notify(Notice("usage export", "ok", f"Usage exported: {words}.", str(path)))

    @Slot(object)
    def _tell(self, error: object) -> None:
        self._notify(Notice("tenants", "error", str(error)))

    def _timer(self, every_ms: int, slot: Callable[[], None]) -> QTimer:
        timer = QTimer(self)
        timer.setInterval(every_ms)
        timer.timeout.connect(slot)
        return timer
