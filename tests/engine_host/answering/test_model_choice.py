"""A tool-trained model is asked where code is unsure, and only there; what it says is one of four words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine_host.answering.events import Routed
from engine_host.answering.model_choice import CHOICES, MOST_TOKENS, model_choice
from engine_host.answering.nearest import Examples
from engine_host.answering.route import Asked, Router
from engine_host.answering.way import Spent
from engine_host.client.errors import EngineLost
from storage.records import TokenUse
from tests.engine_host.answering.desk import ended
from tests.fakes.answering import ScriptedEngine

if TYPE_CHECKING:
    from tests.engine_host.answering.desk import Desk

DOUBT = "please do something about the evening"


@pytest.fixture(autouse=True)
def _code_is_unsure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever no rule decides is a doubt."""
    monkeypatch.setattr("engine_host.answering.route.chance", lambda weighed: 0.3)


async def routed(engine: ScriptedEngine, text: str = DOUBT) -> tuple[Routed, list[Spent]]:
    spent: list[Spent] = []
    return await Router(Examples(None), engine).route(Asked(text, ("KD",)), spent.append), spent


@pytest.mark.parametrize(
    ("answer", "ways"),
    [("order", (True, False)), ("help", (False, True)), ("both", (True, True)), ("neither", (False, True))],
)
async def test_that_a_doubt_is_settled_by_the_model(answer: str, ways: tuple[bool, bool]) -> None:
    route, spent = await routed(ScriptedEngine((answer,), tools=True))
    assert ((route.order, route.help), route.by) == (ways, "model")
    assert spent == [Spent(TokenUse(100, 64, 1), None)]


@pytest.mark.parametrize("pieces", [("banana",), ("order", " and help"), (), ("ORDER",), ("{",)])
async def test_that_in_doubt_both_ways_are_taken_when_the_model_says_anything_else(pieces: tuple[str, ...]) -> None:
    route, spent = await routed(ScriptedEngine(pieces, tools=True))
    assert (route.order, route.help, route.by) == (True, True, "doubt")
    assert sum(one.tokens.output for one in spent) == len(pieces)


async def test_that_an_answer_in_pieces_is_one_word() -> None:
    assert (await routed(ScriptedEngine(("or", "der"), tools=True)))[0].by == "model"


async def test_that_a_failing_model_leaves_the_doubt() -> None:
    route, spent = await routed(ScriptedEngine(("or",), error=EngineLost("It died."), tools=True))
    assert route.by == "doubt"
    assert spent == [Spent(TokenUse(100, 64, 1), None)]


async def test_that_a_slow_model_is_not_waited_for() -> None:
    engine, spent = ScriptedEngine(("or",), hangs=True, tools=True), list[Spent]()
    assert await model_choice(engine, DOUBT, spent.append, limit_s=0.05) is None
    assert spent == [Spent(TokenUse(100, 64, 1), None)]
    assert engine.closed == 1


async def test_that_a_model_without_tools_is_never_asked() -> None:
    engine = ScriptedEngine(("help",), tools=False)
    assert (await routed(engine))[0].by == "doubt"
    assert engine.requests == []


@pytest.mark.parametrize("text", ["where is my dabba", "KD-4821", "hello", "and now?"])
async def test_that_the_model_is_not_asked_where_code_is_sure(text: str) -> None:
    engine = ScriptedEngine(("neither",), tools=True)
    await routed(engine, text)
    assert engine.requests == []


async def test_that_the_model_may_only_choose() -> None:
    engine = ScriptedEngine(("help",), tools=True)
    await routed(engine)
    request = engine.requests[0]
    assert (request.choices, request.max_tokens, request.temperature) == (CHOICES, MOST_TOKENS, 0.0)
    assert request.messages[-1].content == DOUBT


async def test_that_the_tokens_of_a_choice_are_in_the_ledger(desk: Desk) -> None:
    desk.engine.tools, desk.engine.pieces = True, ("order",)
    events = await desk.ask(DOUBT)
    assert next(event for event in events if isinstance(event, Routed)).by == "model"
    assert ended(events).tokens == TokenUse(100, 64, 1)
    assert (await desk.used()).tokens == TokenUse(100, 64, 1)


async def test_that_the_tokens_of_a_choice_and_of_an_answer_are_added_up(desk: Desk) -> None:
    desk.engine.tools, desk.engine.pieces = True, ("help",)
    desk.engine.then = (("A refund to UPI takes up to 2 working days [1].",),)
    events = await desk.ask(DOUBT)
    assert ended(events).tokens == TokenUse(200, 128, 2)
