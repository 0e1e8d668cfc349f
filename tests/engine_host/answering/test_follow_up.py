"""Questions that only make sense with the turn before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from engine_host.answering.event_json import event_to_json
from engine_host.answering.events import Opened, Routed, Stated
from engine_host.answering.nearest import Examples
from engine_host.answering.route import UNROUTED, Asked, Router
from engine_host.orders.port import OrderStatus
from storage.records import NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes
from tests.engine_host.answering.desk import token
from tests.fakes.answering import ScriptedEngine, order

if TYPE_CHECKING:
    from engine_host.answering.events import TurnEvent
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


@pytest.mark.parametrize(
    "text", ["and the money?", "पैसे वापस मिलेंगे?", "रिफंड मिलेगा क्या", "आणि पैसे परत कधी मिळतील?", "paise wapas milenge?"]
)
async def test_that_a_follow_up_on_an_order_for_the_money_is_for_help_too(text: str) -> None:
    routed = await route(text, ORDER)
    assert (routed.order, routed.help) == (True, True)


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


SAME = ["and has it left?", "and now?", "when will it come", "still?", "kab aayega?", "aur ab?", "कब आएगा?", "अजून?"]
ANOTHER = [
    "and the other one?",
    "aur dusra?",
    "और दूसरा?",
    "आणि दुसरा?",
    "and my dinner?",
    "where is my lunch",
    "and mine?",
]


@pytest.mark.parametrize("text", SAME)
async def test_that_a_follow_up_on_a_numbered_order_is_for_that_order(text: str) -> None:
    routed = await route(text, replace(ORDER, order_ids=("KD-4821",)))
    assert (routed.order, routed.order_ids, routed.of_before) == (True, ("KD-4821",), True)


@pytest.mark.parametrize("text", ANOTHER)
async def test_that_a_question_for_another_order_is_not_for_the_numbered_one(text: str) -> None:
    routed = await route(text, replace(ORDER, order_ids=("KD-4821",)))
    assert (routed.order, routed.order_ids, routed.of_before) == (True, (), False)


@pytest.mark.parametrize("text", ["5001", "5001?", "#5001", "५००१", "KD-5001"])
async def test_that_a_bare_number_after_an_order_is_an_order_number(text: str) -> None:
    assert (await route(text, ORDER)).order_ids == ("KD-5001",)


async def test_that_a_bare_number_after_help_is_none() -> None:
    assert (await route("411045", HELP)).order_ids == ()


class TestOrdersOfTheTurnBefore:
    """Whole turns at a desk whose customer has two orders: KD-4821 and KD-4840."""

    async def told(self, desk: Desk, *texts: str) -> list[str]:
        """The orders that are stated to the last of `texts`, in one conversation."""
        conversation: str | None = None
        events: list[TurnEvent] = []
        for text in texts:
            events = await desk.ask(text, conversation_id=conversation)
            conversation = next(event for event in events if isinstance(event, Opened)).conversation_id
        return [event.order.order_id if event.order else "all" for event in events if isinstance(event, Stated)]

    @pytest.fixture(autouse=True)
    def two_orders(self, desk: Desk) -> None:
        desk.book.orders = [order(), order(order_id="KD-4840")]

    async def test_that_a_follow_up_states_the_numbered_order_alone(self, desk: Desk) -> None:
        assert await self.told(desk, "where is KD-4821", "and has it left?", "and now?") == ["KD-4821"]

    async def test_that_another_order_is_found_after_a_numbered_one(self, desk: Desk) -> None:
        assert "KD-4840" in await self.told(desk, "where is KD-4821", "and the other one?")

    async def test_that_what_was_delivered_meanwhile_is_said(self, desk: Desk) -> None:
        desk.book.orders = [order()]
        first = await desk.ask("where is my lunch")
        desk.book.orders = [order(status=OrderStatus.DELIVERED, delivered_at=datetime.now(UTC), version=5)]
        conversation = next(event for event in first if isinstance(event, Opened)).conversation_id
        events = await desk.ask("and now?", conversation_id=conversation)
        stated = [event for event in events if isinstance(event, Stated)]
        assert [event.order and event.order.status for event in stated] == [OrderStatus.DELIVERED]

    async def test_that_after_a_delivered_order_the_active_ones_are_told_too(self, desk: Desk) -> None:
        desk.book.orders[0] = order(status=OrderStatus.DELIVERED, delivered_at=datetime.now(UTC))
        assert await self.told(desk, "where is KD-4821", "has it left?") == ["KD-4821", "KD-4840"]

    async def test_that_after_an_unknown_number_the_active_ones_are_told(self, desk: Desk) -> None:
        assert await self.told(desk, "where is KD-9999", "has it left?") == ["KD-4821", "KD-4840"]

    @pytest.mark.parametrize("text", ["KD-4821", "kab aayega?", "aur dusra?"])
    async def test_that_a_short_follow_up_is_answered_in_the_language_of_the_turn_before(
        self, desk: Desk, text: str
    ) -> None:
        first = await desk.ask("mera dabba kidhar hai")
        conversation = next(event for event in first if isinstance(event, Opened)).conversation_id
        events = await desk.ask(text, conversation_id=conversation)
        assert next(event for event in events if isinstance(event, Stated)).text.startswith("Aapka")
