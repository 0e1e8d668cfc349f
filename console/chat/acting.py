"""Keeps as whom a person asks: tenants, customers, language, and a signed token that is renewed when it runs out."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.chat.acting_shown import Acting
from console.chat.ledger_calls import Token, issue, read_customers, read_tenants

if TYPE_CHECKING:
    from console.bridge.calls import Call
    from console.page_context import PageContext

TICK_MS: Final = 1000


class ActingDesk(QObject):
    """`changed()` when the identity, the choices or the token changed; `failed(error)` with a sentence."""

    changed = Signal()
    failed = Signal(object)

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._issuing: Call | None = None
        listed = context.house.orders.demo is not None
        self.state = Acting()
        self.state = replace(self.state, people=replace(self.state.people, lists_customers=listed))
        self._timer = QTimer(self)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)

    def load(self) -> None:
        """Read tenants and customers again: the kitchen may have changed meanwhile."""
        tenants = self._context.bridge.submit(partial(read_tenants, self._context.house), "chat tenants")
        tenants.done.connect(self._have_tenants)
        tenants.failed.connect(self.failed)
        customers = self._context.bridge.submit(partial(read_customers, self._context.house), "chat customers")
        customers.done.connect(self._have_customers)
        customers.failed.connect(self.failed)

    def watch(self, on: bool) -> None:
        """Keep the token fresh while the page is shown."""
        if on:
            self._tick()
            self._timer.start()
        else:
            self._timer.stop()

    def choose_language(self, language: str) -> None:
        self._set(replace(self.state, language=language))

    def become(self, tenant_id: str, customer_id: str) -> bool:
        """Ask as this customer of this tenant from now on, "" = nobody; False when that is so already."""
        if (tenant_id, customer_id) == (self.state.tenant_id, self.state.customer_id):
            return False
        self._set(replace(self.state, tenant_id=tenant_id, customer_id=customer_id, token=None))
        self._sign()
        return True

    def _set(self, state: Acting) -> None:
        if state != self.state:
            self.state = state
            self.changed.emit()

    @Slot(object)
    def _have_tenants(self, tenants: object) -> None:
        people = replace(self.state.people, tenants=tenants)
        first = people.tenants[0].tenant_id if people.tenants else ""
        self._set(replace(self.state, people=people, tenant_id=self.state.tenant_id or first))

    @Slot(object)
    def _have_customers(self, customers: object) -> None:
        self._set(replace(self.state, people=replace(self.state.people, customers=customers)))

    def _sign(self) -> None:
        if self._issuing is not None:
            self._issuing.drop()
            self._issuing = None
        if not self.state.customer_id or not self.state.tenant_id:
            return
        work = partial(issue, self._context.house, self.state.tenant_id, self.state.customer_id)
        self._issuing = self._context.bridge.submit(work, "customer token")
        self._issuing.done.connect(self._signed)
        self._issuing.failed.connect(self.failed)

    @Slot(object)
    def _signed(self, token: object) -> None:
        self._issuing = None
        if isinstance(token, Token) and (token.tenant_id, token.customer_id) == (
            self.state.tenant_id,
            self.state.customer_id,
        ):
            self._set(replace(self.state, token=token))

    @Slot()
    def _tick(self) -> None:
        token = self.state.token
        if token is not None and not token.is_good_at(datetime.now(UTC)):
            self._set(replace(self.state, token=None))
            self._sign()
        self.changed.emit()
