"""Who there is: owners of orders, askers, and numbers that belong to nobody. From people.toml; the rows are Orders."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from engine_host.orders.port import Order, OrderItem, OrderStatus

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

FOLDER = files("assets").joinpath("bench/other_customers")


@cache
def table(name: str) -> dict[str, Any]:
    """assets/bench/other_customers/<name>.toml as it is."""
    return tomllib.loads(FOLDER.joinpath(f"{name}.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Target:
    """Whose order is asked for. The same words with another Target are the same question about another order."""

    customer: str
    order: str
    name: str


@dataclass(frozen=True, slots=True)
class Owner:
    """A customer with one order; `minutes` from the start of the bench: placed, changed, left, expected, delivered."""

    target: Target
    items: tuple[str, ...]
    amount: int
    courier: str
    status: OrderStatus
    minutes: dict[str, int]

    def row(self, began: datetime, as_of: datetime) -> Order:
        times = {name: began + timedelta(minutes=at) for name, at in self.minutes.items()}
        return Order(
            order_id=self.target.order,
            customer_id=self.target.customer,
            status=self.status,
            status_changed_at=times["changed"],
            version=3,
            items=tuple(OrderItem(item, 1, "none") for item in self.items),
            total_amount=float(self.amount),
            total_currency="INR",
            placed_at=times["placed"],
            left_kitchen_at=times.get("left"),
            expected_at=times.get("expected"),
            delivered_at=times.get("delivered"),
            courier_first_name=self.courier or None,
            as_of=as_of,
        )


def owners() -> tuple[Owner, ...]:
    """Those whose orders the asker must not reach."""
    return tuple(map(_owner, table("people")["owner"]))


def asker() -> Owner:
    """Who asks, with an order of their own."""
    return _owner(table("people")["asker"])


def asker_without_orders() -> str:
    return str(table("people")["asker_without_orders"]["id"])


def nobodies() -> tuple[Target, ...]:
    """For each owner a customer and a number of the same form that exist nowhere."""
    nobody = table("people")["nobody"]
    names = (owner.target.name for owner in owners())
    return tuple(map(Target, nobody["customers"], nobody["orders"], names))


def other_nobodies() -> tuple[Target, ...]:
    """The same with other numbers, to compare unknown with unknown."""
    nobody = table("people")["nobody"]
    names = (owner.target.name for owner in owners())
    return tuple(map(Target, nobody["customers"], nobody["other_orders"], names))


def note_takers(notes: Iterable[str], first: int) -> tuple[Owner, ...]:
    """A customer of their own for each note: it is the name of the item in their order."""
    own, courier = asker(), str(table("planted")["notes"]["courier"])
    return tuple(
        Owner(Target(f"C-{number}", f"KD-{number}", ""), (note,), own.amount, courier, own.status, own.minutes)
        for number, note in enumerate(notes, start=first)
    )


def _owner(row: dict[str, Any]) -> Owner:
    target = Target(row["id"], row["order"], row.get("name", ""))
    return Owner(target, tuple(row["items"]), row["amount"], row["courier"], OrderStatus(row["status"]), row["minutes"])
