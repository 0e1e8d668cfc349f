"""The walk of one turn through its ways: the order's first, help after it, and the ends last."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING

from engine_host.answering.asking import is_parting
from engine_host.answering.way import WayEnd
from knowledge.errors import KnowledgeError
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.answering.events import TurnEvent
    from engine_host.answering.help_way import HelpWay
    from engine_host.answering.order_way import OrderWay
    from engine_host.answering.way import EngineUse, TurnAtHand, WayItem


async def walk(turn: TurnAtHand, orders: OrderWay, help_way: HelpWay) -> AsyncGenerator[WayItem, None]:
    """Yields Routed, the events of each way and then their WayEnds. Raises EngineError, KnowledgeError.

    What the order way has to say is kept until the end; failing articles don't take it away.
    """
    yield turn.routed
    if not turn.routed.order and not turn.routed.help:
        key = "any_time" if is_parting(turn.question.text) else "greeting"
        yield WayEnd(TurnOutcome.ANSWERED, turn.voice.say(key), "Small talk.")
    order_ends: list[WayEnd] = []
    help_ends: list[WayEnd] = []
    if turn.routed.order:
        async with aclosing(_without_end(orders.answer(turn), order_ends)) as items:
            async for item in items:
                yield item
    if turn.routed.help:
        async with aclosing(_without_end(_beside(turn, orders, help_way), help_ends)) as items:
            async for item in items:
                yield item
    for end in (*order_ends, *help_ends):
        yield end


async def _without_end(
    way: AsyncGenerator[WayItem, None], ends: list[WayEnd]
) -> AsyncGenerator[TurnEvent | EngineUse, None]:
    """What a way yields but for its end, which goes into `ends`."""
    async with aclosing(way):
        async for item in way:
            if isinstance(item, WayEnd):
                ends.append(item)
            else:
                yield item


async def _beside(turn: TurnAtHand, orders: OrderWay, help_way: HelpWay) -> AsyncGenerator[WayItem, None]:
    """The help way; beside an order, articles that can't be searched are its end and not the turn's."""
    try:
        async with aclosing(help_way.answer(turn, orders)) as items:
            async for item in items:
                yield item
    except KnowledgeError as error:
        if not turn.routed.order:
            raise
        yield WayEnd(TurnOutcome.FAILED, why=str(error))
