"""What is withdrawn is gone from conversations under way too."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.answering.events import Opened
from engine_host.answering.history import GONE_MARK
from tests.fakes.answering import passage

if TYPE_CHECKING:
    from tests.engine_host.answering.desk import Desk

HELP = "how long does a upi refund take"
WITHDRAWN = "A refund to UPI takes up to 2 working days."


async def prompts_after(desk: Desk, withdrawn: set[str]) -> str:
    """All that the engine is given for the second question of a conversation whose first was answered from `a1`."""
    desk.engine.pieces = (WITHDRAWN,)
    first = await desk.ask(HELP)
    assert isinstance(first[0], Opened)
    desk.library.withdrawn = withdrawn
    desk.library.passages = (passage("A wallet refund is made at once.", "Wallet", article_id="a2"),)
    desk.engine.requests.clear()
    await desk.ask("and to a wallet balance, how long?", conversation_id=first[0].conversation_id)
    (request,) = desk.engine.requests
    return "\n".join(message.content for message in request.messages)


async def test_that_an_answer_from_a_withdrawn_article_is_not_given_to_the_model_again(desk: Desk) -> None:
    prompt = await prompts_after(desk, {"a1"})
    assert WITHDRAWN not in prompt
    assert GONE_MARK in prompt


async def test_that_an_answer_from_an_article_that_still_says_so_is(desk: Desk) -> None:
    assert WITHDRAWN in await prompts_after(desk, set())
