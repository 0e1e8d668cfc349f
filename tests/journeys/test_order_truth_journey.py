"""A small run of the order-truth bench with the real house, the real embedder and the liar engine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.journeys.program import Program

if TYPE_CHECKING:
    from storage.paths import Home

pytestmark = [pytest.mark.journey, pytest.mark.timeout(300)]


async def bench(home: Home, *options: str) -> dict[str, float]:
    """The figures of one run. Its targets are for large runs: an exit of 1 is no failure here."""
    ran = await (await Program(home).start("bench", "order-truth", "--json", "--seed", "11", *options)).end(240.0)
    assert ran.code in (0, 1), ran.err
    return ran.json["figures"]


async def test_that_nothing_false_is_shown_while_the_engine_lies_and_orders_move(ready_home: Home) -> None:
    lied_to, moved = await asyncio.gather(
        bench(ready_home, "--conversations", "20"), bench(ready_home, "--moves", "18")
    )
    for figures in (lied_to, moved):
        assert (figures["false_facts"], figures["stale"], figures["failed_turns"]) == (0, 0, 0)
    assert lied_to["conversations"] == 20
    assert lied_to["correct_given"] > 0.8
    assert moved["moved_in_turn"] >= 12
