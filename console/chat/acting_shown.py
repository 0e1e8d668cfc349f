"""As whom a person asks, and what the composer shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.chat.ledger_calls import People
from console.chat.words import NOBODY
from console.widgets.fields import Choice

if TYPE_CHECKING:
    from datetime import datetime

    from console.chat.ledger_calls import Token

LANGUAGE_CHOICES: Final = (
    Choice("", "Language of the question"),
    Choice("en", "English"),
    Choice("hi", "Hindi"),
    Choice("mr", "Marathi"),
)


@dataclass(frozen=True, slots=True)
class Acting:
    """`customer_id` "" = nobody is signed in. `token` is the customer's, None while there is none."""

    people: People = People()  # noqa: RUF009 - frozen
    tenant_id: str = ""
    customer_id: str = ""
    language: str = ""
    token: Token | None = None

    @property
    def customer_name(self) -> str:
        return customer_name(self.people, self.customer_id)


def customer_name(people: People, customer_id: str) -> str:
    """The name that the order system knows, else the id itself; "" for nobody."""
    return next((known.name for known in people.customers if known.customer_id == customer_id), customer_id)


def derive_tenants(people: People) -> tuple[Choice, ...]:
    tenants = tuple(Choice(tenant.tenant_id, tenant.name, series=tenant.colour) for tenant in people.tenants)
    return tenants or (Choice("", "no tenant yet"),)


def derive_customers(acting: Acting) -> tuple[Choice, ...]:
    """Nobody, and the customers of the tenant. A chosen one that the order system does not list stays a choice."""
    known = [
        Choice(customer.customer_id, f"{customer.customer_id} {customer.name}", icon="user")
        for customer in acting.people.customers
        if customer.tenant_id == acting.tenant_id
    ]
    if acting.customer_id and all(choice.key != acting.customer_id for choice in known):
        known.append(Choice(acting.customer_id, acting.customer_id, icon="user"))
    return (Choice("", NOBODY, icon="user"), *known)


def derive_token(acting: Acting, now: datetime) -> str:
    """How long the customer's token is still good, in whole minutes."""
    if not acting.customer_id:
        return "no token"
    if acting.token is None or not acting.token.is_good_at(now):
        return "token is being signed"
    left_s = (acting.token.expires_at - now).total_seconds()
    return f"token valid {left_s // 60:.0f} min" if left_s >= 60 else f"token valid {left_s:.0f} s"
