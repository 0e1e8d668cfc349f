"""What the inspector shows of a turn's order look-ups and of the model's own tool calls, as they came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.chat.words import UNKNOWN, clock, milliseconds
from console.widgets.key_value import Pair
from engine_host.answering.events import ModelCalled, Stated, ToolCalled

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.chat.tracked import TrackedTurn
    from engine_host.orders.port import Order

Went = Literal["ok", "warning", "error"]
NO_SUCH_ORDER: Final = "The order system knows no such order of this customer."
NO_ORDERS: Final = "The customer has no active order."
_FOLLOWED: Final[tuple[str, Went]] = ("followed", "ok")
_REFUSED: Final[tuple[str, Went]] = ("refused", "warning")


@dataclass(frozen=True, slots=True)
class LookUpShown:
    """One request to the order system, or one call of the model: its line, how it went, two columns of fields a row.

    `words` are what the model wrote into its call.
    """

    request: str
    status: str
    went: Went
    words: str = ""
    rows: tuple[tuple[tuple[Pair, ...], tuple[Pair, ...]], ...] = ()
    note: str = ""


def derive_lookups(turn: TrackedTurn, zone: tzinfo) -> tuple[str, tuple[LookUpShown, ...]]:
    """The figure of the section, and a card for each call in the order in which they came."""
    calls = turn.all_of(ToolCalled)
    sent = {stated.order.order_id: stated for stated in turn.all_of(Stated) if stated.order is not None}
    last_with = {order.order_id: call for call in calls for order in call.orders}
    cards: list[LookUpShown] = []
    for event in turn.events:
        if isinstance(event, ModelCalled):
            cards.append(_called_by_model(event))
        elif isinstance(event, ToolCalled):
            stated = {key: sent.get(key) for key, call in last_with.items() if call is event}
            cards.append(_looked_up(event, stated, zone))
    return (milliseconds(sum(call.elapsed_ms for call in calls)) if calls else UNKNOWN), tuple(cards)


def _called_by_model(call: ModelCalled) -> LookUpShown:
    """Its arguments are the model's words: they choose among the customer's own orders at most."""
    status, went = _FOLLOWED if call.followed else _REFUSED
    return LookUpShown(f"model: {call.name}", status, went, call.arguments.strip(), note=call.reason)


def _looked_up(call: ToolCalled, stated: dict[str, Stated | None], zone: tzinfo) -> LookUpShown:
    status = str(call.http_status) if call.http_status is not None else "no answer"
    rows = tuple(_row(order, zone, stated.get(order.order_id)) for order in call.orders)
    if call.reason:
        went: Went = "warning" if call.unmapped else "error"
        return LookUpShown(call.request, status, went, rows=rows, note=call.reason)
    return LookUpShown(call.request, status, "ok", rows=rows, note="" if rows else _nothing(call))


def _nothing(call: ToolCalled) -> str:
    return NO_ORDERS if call.http_status == 200 else NO_SUCH_ORDER


def _row(order: Order, zone: tzinfo, stated: Stated | None) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """The row's own fields; one that it lacks is "–". The last says how old the row was when it was stated."""
    left = (
        Pair("order", order.order_id),
        Pair("status", order.status.value),
        Pair("left kitchen", clock(order.left_kitchen_at, zone)),
        Pair("as of", clock(order.as_of, zone)),
    )
    right = (
        Pair("version", str(order.version)),
        Pair("courier", order.courier_first_name or UNKNOWN),
        Pair("delivered", clock(order.delivered_at, zone))
        if order.delivered_at
        else Pair("expected", clock(order.expected_at, zone)),
        Pair("sent after", f"{stated.age_s:.2f} s" + (", re-read" if stated.reread else "") if stated else UNKNOWN),
    )
    return left, right
