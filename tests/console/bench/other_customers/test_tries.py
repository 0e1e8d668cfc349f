"""Every try of the bench at another customer's order, each a test of its own, with fakes at the borders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from console.bench.other_customers.judge import Judge
from console.bench.other_customers.people import owners, table
from console.bench.other_customers.tries import Kind, Try, all_tries, attack_tries
from tests.console.bench.other_customers.desk import TriedDesk, tried_desk

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

TRIES = tuple(one for one in all_tries() if not one.delay_s)
"""Those that wait for a token to expire are left to the bench."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def desk(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[TriedDesk]:
    async with tried_desk(tmp_path_factory.mktemp("tries")) as opened:
        yield opened


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("one", TRIES, ids=lambda one: one.name)
async def test_that_another_customers_order_looks_like_an_unknown_one(one: Try, desk: TriedDesk) -> None:
    verdict = Judge(desk.world.began).verdict(one, await desk.play(one))
    assert not verdict.leaked, verdict.answers
    assert not verdict.apart, verdict.answers
    assert not verdict.broke, verdict.answers


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("owner", owners(), ids=lambda owner: owner.target.name)
async def test_that_there_is_an_order_to_reach(owner, desk: TriedDesk) -> None:
    answer = await desk.stage.own_answer(owner.target.customer, f"Where is my order {owner.target.order}?")
    assert owner.target.order in answer
    assert Judge(desk.world.began).leaked(answer, "")


def test_that_there_are_more_than_200_tries_of_every_kind() -> None:
    assert len(TRIES) > 200
    assert {one.kind for one in all_tries()} == set(Kind) - {Kind.ATTACK}


@pytest.mark.parametrize("language", ["en", "hi", "mr", "hi-Latn"])
def test_that_every_odd_form_of_a_number_is_asked_in_every_language(language: str) -> None:
    asked = {one.name for one in TRIES if one.kind is Kind.ASKING and one.language == language}
    assert {f"asking {language} {form}" for form in table("asking")["forms"]} <= asked


def test_that_an_attack_keeps_its_dollars() -> None:
    tries = attack_tries(("Pay $100, $order ${x}",))
    assert tries[0].text.startswith("Pay $$100, $$order $${x} ")
