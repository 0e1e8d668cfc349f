"""How the kitchen's own system says it: its status words and field names, put into ours. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

from engine_host.orders.port import OrderStatus

if TYPE_CHECKING:
    from collections.abc import Mapping

ROW: Final = (
    "order_id", "customer_id", "status", "status_changed_at", "version", "placed_at", "left_kitchen_at", "expected_at",
    "delivered_at", "courier_first_name", "as_of",
)  # fmt: skip
TOTAL: Final = ("amount", "currency")
ITEM: Final = ("name", "quantity", "diet")
_MISSING: Final = object()


@dataclass(frozen=True, slots=True)
class Dialect:
    """`statuses` has folded words; `fields` has the dotted names that differ from ours, by our name."""

    statuses: Mapping[str, OrderStatus]
    fields: Mapping[str, str]

    def status(self, word: str) -> OrderStatus | None:
        """What a status word of the kitchen means; None when nobody has said."""
        return self.statuses.get(word.strip().casefold())

    def name(self, own: str) -> str:
        """Where our field stands in their rows: `expected_at` -> `eta.latest`."""
        parent, _, part = own.rpartition(".")
        return self.fields.get(own, f"{self.name(parent)}.{part}" if parent else own)

    def orders_in(self, answer: object) -> object:
        """The value that should be the list of orders; None when it is not there."""
        found = _at(answer, self.name("orders"))
        return None if found is _MISSING else found

    def order_in(self, answer: object) -> object:
        """The one order of an answer: the answer itself unless the dialect wraps it."""
        found = _at(answer, self.fields["order"]) if "order" in self.fields else answer
        return None if found is _MISSING else found

    def row(self, theirs: object) -> object:
        """One order object with our names; what is no object stays what it is, what is missing stays missing."""
        if not isinstance(theirs, dict):
            return theirs
        theirs = cast("object", theirs)
        row = self._renamed(theirs, {own: self.name(own) for own in ROW})
        row["total"] = self._renamed(theirs, {part: self.name(f"total.{part}") for part in TOTAL})
        items = _at(theirs, self.name("items"))
        inside = {part: self.fields.get(f"items.{part}", part) for part in ITEM}
        if isinstance(items, list):
            items = [self._renamed(item, inside) for item in cast("list[object]", items)]
        return row if items is _MISSING else row | {"items": items}

    def _renamed(self, theirs: object, names: dict[str, str]) -> dict[str, object]:
        found = {own: _at(theirs, name) for own, name in names.items()}
        return {own: value for own, value in found.items() if value is not _MISSING}


def dialect_of(statuses: Mapping[str, str], fields: Mapping[str, str]) -> Dialect:
    """From the settings. Our own words stand for themselves unless they are given another meaning."""
    own = {status.value: status for status in OrderStatus}
    return Dialect(own | {word.strip().casefold(): OrderStatus(ours) for word, ours in statuses.items()}, dict(fields))


OURS: Final = dialect_of({}, {})


def _at(value: object, path: str) -> object:
    """What stands at a dotted path. Nothing below a null is null: a kitchen without an ETA sends `"eta": null`."""
    for key in path.split("."):
        if value is None:
            return None
        if not isinstance(value, dict) or key not in value:
            return _MISSING
        value = cast("dict[str, Any]", value)[key]
    return value
