"""A turn that its asker stops, at any point: the engine's stream is closed and the ledger has it once."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.events import Ended, Opened, Text
from engine_host.answering.ledger import Ledger
from storage.errors import DiskFull
from storage.records import TokenUse, TurnOutcome
from tests.engine_host.answering.desk import Desk, ended, kinds, question
from tests.fakes.answering import KAMALA, order

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from typing import Any

    from engine_host.answering.events import TurnEvent
    from storage.database import Database
    from storage.records import NewTurn, SettledTurn, Turn

HELP = "how long does a upi refund take"
WHERE = "where is my dabba"
BOTH = "where is my dabba and what is the refund policy"
PIECES = ("A refund to UPI takes up to 2 working days. ", "Blue. ", "A refund to a wallet balance is made at once.")


class CountingLedger(Ledger):
    """The real ledger; counts what reaches it and can hold it up."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.settled: list[SettledTurn] = []
        self.gate: asyncio.Event | None = None
        self.reached = asyncio.Event()
        self.opening_fails: Exception | None = None
        self.when_settling: Callable[[], None] = lambda: None

    async def open(self, turn: NewTurn) -> None:
        await self._wait()
        if self.opening_fails:
            raise self.opening_fails
        await super().open(turn)

    async def settle(self, turn: SettledTurn) -> None:
        self.settled.append(turn)
        self.when_settling()
        await self._wait()
        await super().settle(turn)

    async def _wait(self) -> None:
        if self.gate:
            self.reached.set()
            await self.gate.wait()


@pytest.fixture
async def ledger(database: Database) -> CountingLedger:
    return CountingLedger(database)


@pytest.fixture
async def desk(database: Database, ledger: CountingLedger) -> Desk:
    tenant = replace(KAMALA, quota=replace(KAMALA.quota, concurrent_requests=1))
    desk = await Desk(database, tenant).keep_tenant()
    desk.turns._ledger = ledger
    desk.engine.pieces = PIECES
    desk.book.orders = [order()]
    return desk


async def the_turn(desk: Desk) -> Turn:
    (turn,) = await desk.all_turns()
    return turn


async def place_is_free(desk: Desk) -> bool:
    return desk.quota.reserve(desk.tenant, 0) is None


@pytest.mark.parametrize("text", [HELP, WHERE, BOTH, "hello"])
async def test_that_closing_after_any_event_settles_once_as_cancelled(
    desk: Desk, ledger: CountingLedger, text: str
) -> None:
    whole = await desk.ask(text)
    assert ended(whole).outcome is not TurnOutcome.CANCELLED
    for count in range(1, len(whole)):
        ledger.settled.clear()
        opened, asked = desk.engine.closed, len(desk.engine.requests)
        answer = desk.turns.answer(question(text))
        got = [await anext(answer) for _ in range(count)]
        await answer.aclose()
        assert kinds(got) == kinds(whole)[:count]
        assert [turn.outcome for turn in ledger.settled] == [TurnOutcome.CANCELLED]
        assert desk.engine.closed - opened == len(desk.engine.requests) - asked
        assert await place_is_free(desk)
        desk.quota.release("kamala")
    kept = await desk.all_turns()
    assert [turn.settled.outcome for turn in kept[1:] if turn.settled] == [TurnOutcome.CANCELLED] * (len(whole) - 1)
    assert (await desk.used()).cancelled == len(whole) - 1


async def test_that_the_engine_s_stream_is_closed_before_a_stopped_turn_is_settled(
    desk: Desk, ledger: CountingLedger
) -> None:
    closed: list[int] = []
    ledger.when_settling = lambda: closed.append(desk.engine.closed)
    answer = desk.turns.answer(question(HELP))
    async for event in answer:
        if isinstance(event, Text):
            break
    await answer.aclose()
    assert closed == [1]


async def test_that_a_stopped_answer_keeps_its_tokens_and_text(desk: Desk, ledger: CountingLedger) -> None:
    answer = desk.turns.answer(question(HELP))
    async for event in answer:
        if isinstance(event, Text):
            break
    await answer.aclose()
    (settled,) = ledger.settled
    assert settled.tokens == TokenUse()  # the engine had not counted yet when its first piece came
    assert settled.answer == "A refund to UPI takes up to 2 working days."
    assert settled.events[-1]["why"] == "The asker stopped the answer."


async def test_that_counted_tokens_are_kept_when_the_answer_is_stopped(desk: Desk, ledger: CountingLedger) -> None:
    desk.engine.hangs = True
    task = asyncio.ensure_future(desk.ask(HELP))
    await desk.engine.waiting.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    (settled,) = ledger.settled
    assert (settled.outcome, settled.tokens) == (TurnOutcome.CANCELLED, TokenUse(100, 64, 3))
    assert desk.engine.closed == 1
    turn = await the_turn(desk)
    assert turn.settled is not None
    assert turn.settled.tokens == TokenUse(100, 64, 3)
    assert await place_is_free(desk)


def block(desk: Desk, where: str, reached: asyncio.Event) -> None:
    """Let a look-up or a search hang."""

    async def hang(*_: object) -> Any:
        reached.set()
        await asyncio.Event().wait()

    fake, method = {
        "orders": (desk.book, "active_orders"),
        "search": (desk.library, "retrieve"),
        "writer": (desk.engine, "writer"),
    }[where]
    setattr(fake, method, hang)


@pytest.mark.parametrize(("where", "text"), [("orders", WHERE), ("search", BOTH), ("search", HELP), ("writer", HELP)])
async def test_that_cancelling_while_a_turn_waits_settles_once(
    desk: Desk, ledger: CountingLedger, where: str, text: str
) -> None:
    reached = asyncio.Event()
    block(desk, where, reached)
    task = asyncio.ensure_future(desk.ask(text))
    await reached.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [turn.outcome for turn in ledger.settled] == [TurnOutcome.CANCELLED]
    turn = await the_turn(desk)
    assert turn.settled is not None
    assert turn.settled.outcome is TurnOutcome.CANCELLED
    assert await place_is_free(desk)


async def cancel_at_gate(ledger: CountingLedger, work: Coroutine[Any, Any, object], times: int = 1) -> None:
    """Start `work`, cancel it while the ledger is held up, then let the ledger go on."""
    gate = ledger.gate = asyncio.Event()
    task = asyncio.ensure_future(work)
    await ledger.reached.wait()
    for _ in range(times):
        task.cancel()
        await asyncio.sleep(0)
    ledger.gate = None
    gate.set()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_that_cancelling_while_a_turn_opens_leaves_no_open_turn(desk: Desk, ledger: CountingLedger) -> None:
    await cancel_at_gate(ledger, desk.ask(HELP))
    turn = await the_turn(desk)
    assert turn.settled is not None
    assert turn.settled.outcome is TurnOutcome.CANCELLED
    assert [settled.outcome for settled in ledger.settled] == [TurnOutcome.CANCELLED]
    assert await place_is_free(desk)


@pytest.mark.parametrize("times", [1, 3])
async def test_that_cancelling_while_a_turn_is_settled_keeps_how_it_ended(
    desk: Desk, ledger: CountingLedger, times: int
) -> None:
    answer = desk.turns.answer(question(WHERE))
    got: list[TurnEvent] = [await anext(answer) for _ in range(4)]

    async def rest() -> None:
        got.extend([event async for event in answer])

    await cancel_at_gate(ledger, rest(), times)
    assert not any(isinstance(event, Ended) for event in got)
    turn = await the_turn(desk)
    assert turn.settled is not None
    assert turn.settled.outcome is TurnOutcome.ORDER_STATED
    assert len(ledger.settled) == 1


async def test_that_a_turn_that_can_t_be_opened_is_not_settled(desk: Desk, ledger: CountingLedger) -> None:
    ledger.opening_fails = DiskFull("The ledger can't be written: the disk is full. Free some space.")
    with pytest.raises(DiskFull):
        await desk.ask(HELP)
    assert ledger.settled == []
    assert desk.engine.requests == []
    assert await place_is_free(desk)


async def test_that_a_surprise_is_raised_and_settled_as_failed(desk: Desk, ledger: CountingLedger) -> None:
    desk.engine.error = ZeroDivisionError("a bug")
    with pytest.raises(ZeroDivisionError):
        await desk.ask(HELP)
    assert [turn.outcome for turn in ledger.settled] == [TurnOutcome.FAILED]
    assert ledger.settled[0].events[-1]["why"] == "The turn broke off."
    assert desk.engine.closed == 1
    assert await place_is_free(desk)


async def test_that_two_turns_at_once_do_not_mix(database: Database) -> None:
    desk = await Desk(database).keep_tenant()
    desk.engine.pieces = PIECES
    desk.book.orders = [order()]
    one, two = await asyncio.gather(desk.ask(HELP), desk.ask(WHERE))
    assert isinstance(one[0], Opened)
    assert isinstance(two[0], Opened)
    assert one[0].conversation_id != two[0].conversation_id
    assert [turn.opened.question for turn in await desk.kept(one[0].conversation_id)] == [HELP]
    assert "Stated" in kinds(two)
    assert "Stated" not in kinds(one)
