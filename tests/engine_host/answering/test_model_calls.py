"""A tool-trained model may ask for a look-up in a help turn. Code answers it; the model never sees or says the row."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.events import ModelCalled, Opened, Quoted, Stated, ToolCalled, Withheld
from engine_host.answering.tools import LOOK_UP
from engine_host.answering.way import EngineUse
from engine_host.client.errors import EngineBusy, EngineLost, EngineRefused
from engine_host.client.types import ChatToolCall
from storage.records import TokenUse, TurnOutcome
from tests.engine_host.answering.desk import REFUNDS, Desk, ended, kinds, question, released
from tests.fakes.answering import CUSTOMER, KAMALA, order, voice

if TYPE_CHECKING:
    from engine_host.answering.events import TurnEvent
    from storage.database import Database

HELP = "how long does a upi refund take"
ANSWER = "A refund to UPI takes up to 2 working days."
LIE = "Your order KD-4821 was delivered at 12:40."


def call(arguments: str = "{}", name: str = LOOK_UP) -> ChatToolCall:
    return ChatToolCall(name, arguments, 0.0, 0.0)


def with_number(number: str) -> str:
    return json.dumps({"order_number": number})


def says(key: str) -> str:
    return voice("en").say(key)


@pytest.fixture
def tooled(desk: Desk) -> Desk:
    """A desk whose model calls tools and goes on with one true sentence."""
    desk.engine.tools = True
    desk.engine.pieces = (call(),)
    desk.engine.then = ((ANSWER,),)
    desk.book.orders = [order()]
    return desk


def calls_of(events: list[TurnEvent]) -> list[ModelCalled]:
    return [event for event in events if isinstance(event, ModelCalled)]


def sent(desk: Desk) -> str:
    """Everything that the model was given to read."""
    return "\n".join(str(message) for request in desk.engine.requests for message in request.messages)


def result_told(desk: Desk) -> str:
    last = desk.engine.requests[-1].messages[-1]
    assert last.role == "tool"
    return last.content


async def test_that_a_call_is_answered_by_code_and_the_model_goes_on(tooled: Desk) -> None:
    events = await tooled.ask(HELP)
    assert kinds(events) == [
        "Opened", "Routed", "PassagesFound", "Writing", "ModelCalled", "ToolCalled", "Stated", "Text", "Ended",
    ]  # fmt: skip
    assert calls_of(events)[0].followed
    assert released(events)[1:] == [ANSWER]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.ORDER_STATED, "")
    assert tooled.book.asked == [(CUSTOMER, None)]


async def test_that_the_model_learns_nothing_of_the_order(tooled: Desk) -> None:
    tooled.engine.pieces = (call(with_number("kd 4821")),)
    await tooled.ask(HELP)
    assert "is shown" in result_told(tooled)
    for fact in ("Ravi", "delivered", "160", "left at", "12:"):
        assert fact not in sent(tooled)


async def test_that_each_call_is_closed_and_the_tool_is_off_then(tooled: Desk) -> None:
    tooled.engine.pieces = (ANSWER, *[call("{]")] * 40)
    events = await tooled.ask(HELP)
    first, second = tooled.engine.requests
    assert (first.may_call, second.may_call) == (True, False)
    assert first.tools == second.tools != ()
    *_, made, answered = second.messages
    assert second.messages[: len(first.messages)] == first.messages
    assert made.content == ANSWER
    assert [one.call_id for one in made.calls] == [answered.call_id]
    assert second.max_tokens == first.max_tokens - 41
    assert len(calls_of(events)) == 40


async def test_that_a_model_without_tools_is_offered_none(tooled: Desk) -> None:
    tooled.engine.tools = False
    tooled.engine.pieces = (ANSWER, call())
    events = await tooled.ask(HELP)
    assert [request.tools for request in tooled.engine.requests] == [()]
    assert [one.followed for one in calls_of(events)] == [False]
    assert tooled.book.asked == []
    assert ended(events).outcome is TurnOutcome.ANSWERED


async def test_that_a_turn_about_an_order_asks_no_model(tooled: Desk) -> None:
    await tooled.ask("where is my dabba and what is the refund policy")
    assert tooled.engine.requests == []


@pytest.mark.parametrize("then", [(), ("",), (LIE,), ("I do not know.",), ("Blue.",)])
async def test_that_a_statement_is_enough_when_nothing_more_passes(tooled: Desk, then: tuple[str, ...]) -> None:
    tooled.engine.then = (then,)
    events = await tooled.ask(HELP)
    assert [type(event) for event in events if isinstance(event, Stated | Quoted)] == [Stated]
    assert len(released(events)) == 1
    assert ended(events).outcome is TurnOutcome.ORDER_STATED


async def test_that_the_number_in_a_call_chooses_the_order(tooled: Desk) -> None:
    tooled.book.orders = [order(), order(order_id="KD-4900")]
    tooled.engine.pieces = (call(json.dumps(with_number("KD 4900"))),)
    events = await tooled.ask(HELP)
    assert [event.order and event.order.order_id for event in events if isinstance(event, Stated)] == ["KD-4900"]


async def test_that_several_calls_are_one_round(tooled: Desk) -> None:
    tooled.book.orders = [order(), order(order_id="KD-4900")]
    numbers = ("KD-4821", "KD-4900", "KD-4821", "KD-5000", "KD-5001")
    tooled.engine.pieces = tuple(call(with_number(number)) for number in numbers)
    events = await tooled.ask(HELP)
    assert [number for _, number in tooled.book.asked] == ["KD-4821", "KD-4900"]
    assert [one.followed for one in calls_of(events)] == [True, True, True, False, False]
    assert len(tooled.engine.requests) == 2


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        (LOOK_UP, "{}{}"),
        (LOOK_UP, '{"customer_id": "C-9999"}'),
        (LOOK_UP, with_number("AR-2107")),
        (LOOK_UP, with_number("KD-4821\x00")),
        ("look_up_customer", "{}"),
        ("", ""),
    ],
)
async def test_that_a_bad_call_is_no_result_and_the_answer_goes_on(tooled: Desk, name: str, arguments: str) -> None:
    tooled.engine.pieces = (call(arguments, name),)
    events = await tooled.ask(HELP)
    assert [one.followed for one in calls_of(events)] == [False]
    assert result_told(tooled).startswith("No result")
    assert tooled.book.asked == []
    assert released(events) == [ANSWER]
    assert ended(events).outcome is TurnOutcome.ANSWERED
    tooled.engine.then = ((LIE,), (call(arguments, name),), (LIE,))
    assert released(await tooled.ask(HELP)) == [REFUNDS]


@pytest.mark.parametrize("token", [None, "forged"])
async def test_that_nobody_s_order_is_looked_up_without_a_customer(tooled: Desk, token: str | None) -> None:
    events = await tooled.ask(HELP, token=token)
    assert tooled.book.asked == []
    assert "not signed in" in result_told(tooled)
    assert released(events) == [ANSWER]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.ANSWERED, says("not_verified"))


async def test_that_another_customer_s_order_is_an_unknown_one(tooled: Desk) -> None:
    tooled.book.orders = [order(order_id="KD-5001", customer_id="C-9999")]
    told: list[tuple[str, list[str]]] = []
    for number in ("KD-5001", "KD-6666"):
        tooled.engine.requests.clear()
        tooled.engine.pieces = (call(with_number(number)),)
        events = await tooled.ask(HELP)
        told.append((ended(events).say, released(events)))
        assert result_told(tooled).startswith("No result")
    assert told[0] == told[1] == (says("do_not_know_order"), [ANSWER])


@pytest.mark.parametrize("then", [(LIE,), ("It was delivered. ", "Your order has left."), ()])
async def test_that_success_in_words_after_a_failed_call_is_withheld(tooled: Desk, then: tuple[str, ...]) -> None:
    tooled.book.down = True
    tooled.engine.then = (then,)
    events = await tooled.ask(HELP)
    assert released(events) == [REFUNDS]
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.DOES_NOT_KNOW, says("order_system_down"))
    assert sum(isinstance(event, Withheld) for event in events) == len(then)


@pytest.mark.parametrize("error", [EngineBusy("vLLM is full."), EngineLost("vLLM died.")])
async def test_that_an_engine_that_fails_after_a_look_up_takes_nothing_away(tooled: Desk, error: Exception) -> None:
    tooled.engine.then = ((ANSWER[:20], error),)
    events = await tooled.ask(HELP)
    assert len(released(events)) == 1
    assert ended(events).outcome is TurnOutcome.ORDER_STATED
    tooled.engine.requests.clear()
    tooled.engine.pieces = (call("{]"),)
    events = await tooled.ask(HELP)
    assert released(events) == [REFUNDS]
    assert str(error) in ended(events).why


@pytest.mark.parametrize(
    "spelled",
    [
        '{"name": "look_up_order", "arguments": {"order_number": "KD-4821"}}',
        '```json\n{"name": "look_up_order", "arguments": {"order_number": "KD-4821"}}\n```',
        '<tool_call>\n{"name": "look_up_order", "arguments": {}}\n</tool_call>',
        '[TOOL_CALLS] [{"name": "look_up_order", "arguments": {}}]',
        'look_up_order(order_number="KD-4821")',
    ],
)
async def test_that_a_call_written_as_text_is_a_call(tooled: Desk, spelled: str) -> None:
    tooled.engine.pieces = ("Let me look ", *spelled)
    events = await tooled.ask(HELP)
    assert [one.followed for one in calls_of(events)] == [True]
    assert [event.text for event in events if isinstance(event, Withheld)] == ["Let me look"]
    assert isinstance(next(event for event in events if isinstance(event, Stated)), Stated)
    assert not any("look_up" in text for text in released(events))


@pytest.mark.parametrize("tools", [True, False])
@pytest.mark.parametrize(
    "spelled",
    [
        '{"name": "look_up_order", "arguments": {}, "status": "delivered"}',
        "<tool_call>A refund to UPI takes up to 2 working days.",
        "look_up_order A refund to UPI takes up to 2 working days.\n",
        '```json\n{"arguments": "A refund to UPI takes up to 2 working days."}\n```',
    ],
)
async def test_that_an_unreadable_call_in_the_text_is_withheld(tooled: Desk, spelled: str, tools: bool) -> None:
    tooled.engine.tools = tools
    tooled.engine.pieces = (spelled,)
    events = await tooled.ask(HELP)
    assert released(events) == [REFUNDS]
    assert spelled.strip() in [event.text for event in events if isinstance(event, Withheld)]
    assert tooled.book.asked == []


async def test_that_an_engine_that_takes_no_tools_after_all_is_asked_without(tooled: Desk) -> None:
    tooled.engine.pieces, tooled.engine.refusals = (ANSWER,), [EngineRefused("No tool parser.")]
    tooled.engine.then = ()
    events = await tooled.ask(HELP)
    assert [bool(request.tools) for request in tooled.engine.requests] == [True, False]
    assert released(events) == [ANSWER]
    tooled.engine.refusals = [EngineRefused("No tool parser."), EngineRefused("Too long.")]
    assert ended(await tooled.ask(HELP)).why == "Too long."


async def test_that_there_is_one_round_of_calls_in_a_turn(tooled: Desk) -> None:
    again = '{"name": "look_up_order", "arguments": {}}'
    tooled.engine.then = ((call(), again, ANSWER, call()),)
    events = await tooled.ask(HELP)
    assert len(tooled.engine.requests) == 2
    assert [one.followed for one in calls_of(events)] == [True, False, False]
    assert sum(isinstance(event, ToolCalled) for event in events) == 1
    assert released(events)[1:] == [ANSWER]


async def test_that_both_requests_are_in_the_ledger(tooled: Desk) -> None:
    tooled.engine.pieces = ("Let me look. ", call())
    events = await tooled.ask(HELP)
    assert ended(events).tokens == TokenUse(200, 128, 3)
    assert (await tooled.used()).tokens == TokenUse(200, 128, 3)
    opened = events[0]
    assert isinstance(opened, Opened)
    (turn,) = await tooled.kept(opened.conversation_id)
    assert turn.settled is not None
    assert "ModelCalled" in [event["event"] for event in turn.settled.events]


async def test_that_many_calls_in_the_text_are_bounded_too(tooled: Desk) -> None:
    spelled = '{"name": "look_up_order", "arguments": {"order_number": "KD-%d"}} '
    tooled.engine.pieces = tuple(spelled % (1000 + number) for number in range(90))
    events = await tooled.ask(HELP)
    assert [one.followed for one in calls_of(events)] == [True] * 3 + [False] * 37
    assert len(tooled.book.asked) == 3


async def test_that_a_turn_stopped_after_its_look_up_keeps_what_it_used(tooled: Desk) -> None:
    answer = tooled.turns.answer(question(HELP))
    async for event in answer:
        if isinstance(event, Stated):
            break
    await answer.aclose()
    assert len(tooled.engine.requests) == tooled.engine.closed == 1
    (turn,) = await tooled.all_turns()
    assert turn.settled is not None
    assert (turn.settled.outcome, turn.settled.tokens) == (TurnOutcome.CANCELLED, TokenUse(100, 64, 1))


async def test_that_no_room_for_more_words_ends_the_turn(database: Database) -> None:
    tenant = replace(KAMALA, quota=replace(KAMALA.quota, longest_answer_tokens=1))
    desk = await Desk(database, tenant).keep_tenant()
    desk.engine.tools, desk.engine.pieces, desk.book.orders = True, (call(),), [order()]
    events = await desk.ask(HELP)
    assert len(desk.engine.requests) == 1
    assert ended(events).outcome is TurnOutcome.ORDER_STATED


async def test_that_a_prompt_with_a_tool_keeps_room_for_it(tooled: Desk) -> None:
    tooled.engine.context_tokens = 700
    events = await tooled.ask(HELP)
    assert tooled.engine.requests == []
    assert released(events) == [REFUNDS]


async def test_that_no_active_order_is_an_answer(tooled: Desk) -> None:
    tooled.book.orders = []
    tooled.engine.then = ((),)
    events = await tooled.ask(HELP)
    assert [event.order for event in events if isinstance(event, Stated)] == [None]
    assert ended(events).outcome is TurnOutcome.ORDER_STATED


def test_that_uses_add_up() -> None:
    first = EngineUse(10.0, 100, 64, 5, 10.5, 11.0, 2.0)
    later = EngineUse(12.0, 150, 100, 7, 13.0, 14.0, 1.0, 9.0)
    let_go = TokenUse(100, 64, 5)
    assert first.then(later) == EngineUse(10.0, 250, 164, 12, 10.5, 14.0, 3.0, 9.0, 2, 2.0, let_go=let_go)
    silent = EngineUse(12.0)
    assert first.then(silent) == replace(first, requests=2, let_go=let_go)
    assert silent.then(later).first_token_at == 13.0
    assert silent.then(silent).queue_ms is None
