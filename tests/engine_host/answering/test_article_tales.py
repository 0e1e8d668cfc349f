"""An article that tells of one order, whoever wrote it, answers nobody: not even with its other sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine_host.answering.events import PassagesFound, Quoted
from storage.records import TurnOutcome
from tests.engine_host.answering.desk import REFUNDS, ended, released
from tests.fakes.answering import passage, voice

if TYPE_CHECKING:
    from tests.engine_host.answering.desk import Desk

HELP = "what is the refund policy"
TALES = (
    "Order KD-7342 left the kitchen. It was with Zubin at 12:05. A refund takes 2 working days.",
    "A refund takes 2 working days. Zubin paid for KD-7342. The bank decides the exact day.",
    "| order | courier |\n|---|---|\n| KD-7342 | Zubin |\n\nA refund takes 2 working days.",
)


@pytest.mark.parametrize("tale", TALES)
@pytest.mark.parametrize("engine", [True, False], ids=["written", "quoted"])
async def test_that_a_passage_with_a_tale_is_given_to_nobody(desk: Desk, tale: str, engine: bool) -> None:
    desk.library.passages = (passage(tale),)
    desk.engine.ready = engine
    desk.engine.pieces = tuple(f"{sentence}. " for sentence in tale.split(". "))
    events = await desk.ask(HELP)
    assert released(events) == []
    assert (ended(events).outcome, ended(events).say) == (TurnOutcome.DOES_NOT_KNOW, voice().say("do_not_know_help"))
    assert "Correct the article." in ended(events).why
    assert desk.engine.requests == []


@pytest.mark.parametrize("title", ["Your order KD-7342 has left", "Your dabba is on its way", "तुमची ऑर्डर निघाली आहे"])
async def test_that_a_passage_under_a_title_that_tells_is_given_to_nobody(desk: Desk, title: str) -> None:
    desk.library.passages = (passage("A refund takes 2 working days.", title),)
    desk.engine.ready = False
    assert released(await desk.ask(HELP)) == []


async def test_that_a_number_may_be_shown_as_an_example(desk: Desk) -> None:
    desk.library.passages = (passage("A number looks like KD-7342. A refund takes 2 working days."),)
    desk.engine.ready = False
    assert released(await desk.ask(HELP)) == ["A refund takes 2 working days."]


async def test_that_articles_are_searched_for_the_same_whichever_order_is_named(desk: Desk) -> None:
    for number in ("KD-7342", "KD-7324"):
        await desk.ask(f"{HELP} for {number}")
    assert desk.library.questions[0] == desk.library.questions[1] == f"{HELP} for"


@pytest.mark.parametrize("tale", TALES)
async def test_that_citations_count_the_passages_that_were_given(desk: Desk, tale: str) -> None:
    desk.library.passages = (passage(tale), passage(REFUNDS, "Refunds"))
    desk.engine.ready = False
    events = await desk.ask(HELP)
    found = next(event for event in events if isinstance(event, PassagesFound))
    quoted = next(event for event in events if isinstance(event, Quoted))
    given = [one for one in found.passages if one.given]
    assert [one.text for one in given] == [REFUNDS]
    assert quoted.citation == 1
