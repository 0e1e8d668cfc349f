"""Questions that only make sense with the turn before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import Routed
from engine_host.answering.nearest import Examples
from engine_host.answering.route import UNROUTED, Asked, Router
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes
from tests.engine_host.answering.desk import token
from tests.fakes.answering import ScriptedEngine, order

if TYPE_CHECKING:
    from tests.engine_host.answering.desk import Desk

ORDER = Routed(True, False, "where is my …", "", (), 0.1)
HELP = Routed(False, True, "", "refund", (), 0.1)
SMALL_TALK = replace(UNROUTED, by="small talk")

FOLLOW_UPS = [
    "and the other one?", "still?", "and now?", "what about now", "so when then", "why?", "and dinner?",
    "aur dusra?", "abhi bhi?", "phir kab", "ab?", "aur dusra wala bhai",
    "और दूसरा?", "अभी भी?", "फिर कब", "तो कब",
    "अजून?", "आणि दुसरा?", "मग कधी?", "आता?", "नक्की का",
]  # fmt: skip


def turn_before(routed: Routed | None) -> Turn:
    events = (event_to_json(routed),) if routed else ()
    opened = NewTurn("t", "c", "kamala", "c1", "", "…", datetime.now(UTC), None)
    return Turn(opened, SettledTurn("t", TurnOutcome.ANSWERED, "en", "", TokenUse(), TurnTimes(), events))


async def route(text: str, *before: Routed | None) -> Routed:
    router = Router(Examples(None), ScriptedEngine(ready=False))
    return await router.route(Asked(text, ("KD",), tuple(map(turn_before, before))), lambda tokens: None)


@pytest.mark.parametrize("text", FOLLOW_UPS)
async def test_that_a_follow_up_on_an_order_is_for_the_order(text: str) -> None:
    assert (await route(text, ORDER)).order


@pytest.mark.parametrize(
    "text", ["and the other one?", "and for cards?", "aur card ka?", "और शाम का?", "आणि संध्याकाळी?", "why?"]
)
async def test_that_a_follow_up_on_help_is_for_help(text: str) -> None:
    routed = await route(text, HELP)
    assert (routed.order, routed.help) == (False, True)


async def test_that_small_talk_between_does_not_hide_the_turn_before() -> None:
    assert (await route("and now?", ORDER, SMALL_TALK)).order
    assert not (await route("and that one?", HELP, SMALL_TALK)).order


async def test_that_the_last_turn_counts() -> None:
    assert not (await route("and the other one?", ORDER, HELP)).order
    assert (await route("and the other one?", HELP, ORDER)).order


async def test_that_a_follow_up_on_nothing_is_looked_up() -> None:
    assert (await route("and the other one?")).order
    assert (await route("and the other one?", None)).order


async def test_that_a_bare_question_after_help_goes_both_ways() -> None:
    routed = await route("when?", HELP)
    assert (routed.order, routed.help) == (True, True)


@pytest.mark.parametrize("text", ["and what is your refund policy?", "aur discount milta hai kya"])
async def test_that_a_question_with_its_own_matter_is_no_follow_up(text: str) -> None:
    assert not (await route(text, ORDER)).order


@pytest.mark.parametrize("text", ["and where is my tiffin?", "what about KD-4821", "मेरा डब्बा कहाँ है"])
async def test_that_a_question_for_an_order_stays_one_after_help(text: str) -> None:
    assert (await route(text, HELP)).order


@pytest.mark.parametrize("text", ["ok", "thanks!", "ठीक है", "धन्यवाद"])
async def test_that_small_talk_after_an_order_goes_nowhere(text: str) -> None:
    routed = await route(text, ORDER)
    assert (routed.order, routed.help) == (False, False)


async def test_that_a_turn_knows_the_turn_before_it(desk: Desk) -> None:
    desk.book.orders = [order()]
    first = await desk.ask("where is my lunch")
    conversation = first[0].conversation_id  # type: ignore[union-attr]
    second = await desk.ask("and the other one?", conversation_id=conversation)
    assert next(event for event in second if isinstance(event, Routed)).by == "follow-up"


async def test_that_another_customer_s_turns_are_not_the_turn_before(desk: Desk) -> None:
    first = await desk.ask("how are refunds paid")
    conversation = first[0].conversation_id  # type: ignore[union-attr]
    second = await desk.ask("and the other one?", conversation_id=conversation, token=token("c9"))
    assert next(event for event in second if isinstance(event, Routed)).order
