"""What the inspector shows of a turn, derived from its events and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.chat.message_shown import sentence
from console.chat.words import UNKNOWN, clock, count, milliseconds
from console.widgets.key_value import Pair
from console.widgets.pill import PillMark
from engine_host.answering.events import Ended, PassagesFound, Routed, Stated, Text, ToolCalled, Withheld

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.chat.tracked import TrackedTurn
    from engine_host.orders.port import Order
    from knowledge.article import Passage


@dataclass(frozen=True, slots=True)
class RouteShown:
    """`ways` are a pill and the rule that said so; `why` is the turn's own sentence about its end, for staff."""

    figure: str = UNKNOWN
    ways: tuple[tuple[PillMark, str], ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class LookUpShown:
    """One request to the order system: its line, its status code, two columns of fields a row."""

    request: str
    status: str
    answered: bool
    rows: tuple[tuple[tuple[Pair, ...], tuple[Pair, ...]], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class PassageShown:
    """`number` is the citation's, "" for a passage under the threshold. `share` is the score from 0 to 1."""

    number: str
    title: str
    heading: str
    share: float
    score: str
    cited: bool
    given: bool


@dataclass(frozen=True, slots=True)
class PassagesShown:
    figure: str = UNKNOWN
    rows: tuple[PassageShown, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class WithheldShown:
    figure: str = UNKNOWN
    rows: tuple[tuple[str, str], ...] = ()


def derive_route(turn: TrackedTurn) -> RouteShown:
    routed, ended = turn.last_of(Routed), turn.last_of(Ended)
    why = (ended.why if ended else "") or turn.fault
    if routed is None:
        return RouteShown(why=why)
    ways: list[tuple[PillMark, str]] = []
    if routed.order:
        ways.append((PillMark("Order", "accent"), _rule(routed.order_rule)))
    if routed.help:
        ways.append((PillMark("Help", "accent"), _rule(routed.help_rule)))
    if not ways:
        ways.append((PillMark("Small talk"), "no look-up, no model"))
    figure = milliseconds(routed.elapsed_ms) if routed.elapsed_ms >= 1 else "under 1 ms"
    return RouteShown(figure, tuple(ways), why)


def _rule(rule: str) -> str:
    """Rules are named after what a customer types; the default has no such name."""
    return rule if not rule or rule.startswith(("everything else", "order number")) else f"rule “{rule}”"


def derive_lookups(turn: TrackedTurn, zone: tzinfo) -> tuple[str, tuple[LookUpShown, ...]]:
    """The figure of the section, and a card for each request in the order in which they were sent."""
    calls = turn.all_of(ToolCalled)
    if not calls:
        return UNKNOWN, ()
    sent = {stated.order.order_id: stated for stated in turn.all_of(Stated)}
    last_with = {order.order_id: number for number, call in enumerate(calls) for order in call.orders}
    cards = tuple(
        LookUpShown(
            request=call.request,
            status=str(call.http_status) if call.http_status is not None else "no answer",
            answered=not call.reason,
            rows=tuple(
                _row(order, zone, sent.get(order.order_id) if last_with[order.order_id] == number else None)
                for order in call.orders
            ),
            note=call.reason or ("" if call.orders else "The order system knows no such order of this customer."),
        )
        for number, call in enumerate(calls)
    )
    return milliseconds(sum(call.elapsed_ms for call in calls)), cards


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


def derive_passages(turn: TrackedTurn, cited: tuple[int, ...]) -> PassagesShown:
    found = turn.last_of(PassagesFound)
    if found is None:
        return PassagesShown()
    figure = f"{len(found.passages)} of {count(found.searched, 'chunk')}, threshold {found.threshold:.2f}"
    rows: list[PassageShown] = []
    under: list[int] = []
    given = 0
    for place, passage in enumerate(found.passages, start=1):
        given += passage.given
        number = given if passage.given else 0
        rows.append(_passage(passage, place, cited=number in cited and number > 0))
        if not passage.given:
            under.append(place)
    return PassagesShown(figure, tuple(rows), _under_note(under))


def _passage(passage: Passage, place: int, *, cited: bool) -> PassageShown:
    return PassageShown(
        number=str(place),
        title=passage.title,
        heading=passage.heading_path[-1] if passage.heading_path else "",
        share=min(max(passage.score, 0.0), 1.0),
        score=f"{passage.score:.2f}",
        cited=cited,
        given=passage.given,
    )


def _under_note(under: list[int]) -> str:
    if not under:
        return ""
    if len(under) == 1:
        return f"{under[0]} is under the threshold and was not given to the model."
    names = f"{', '.join(map(str, under[:-1]))} and {under[-1]}"
    return f"{names} are under the threshold and were not given to the model."


def derive_withheld(turn: TrackedTurn) -> WithheldShown:
    withheld = turn.all_of(Withheld)
    written = len(withheld) + len(turn.all_of(Text))
    if not written:
        return WithheldShown()
    figure = f"{len(withheld)} of {count(written, 'sentence')}" if withheld else f"none of {count(written, 'sentence')}"
    return WithheldShown(figure, tuple((event.text, sentence(event.reason)) for event in withheld))
