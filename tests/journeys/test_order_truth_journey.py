"""A small run of the order-truth bench with the real house, the real embedder and the liar engine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.journeys.program import Program, Ran

if TYPE_CHECKING:
    from storage.paths import Home

pytestmark = [pytest.mark.journey, pytest.mark.timeout(300)]


def bench(home: Home, *options: str) -> dict[str, float]:
    """The figures of one run. Its targets are for large runs: an exit of 1 is no failure here."""
    ran = asyncio.run(_run(Program(home), *options))
    assert ran.code in (0, 1), ran.err
    return ran.json["figures"]


async def _run(program: Program, *options: str) -> Ran:
    return await (await program.start("bench", "order-truth", "--json", *options)).end(240.0)


def test_that_nothing_false_is_shown_while_the_engine_lies(ready_home: Home) -> None:
    figures = bench(ready_home, "--conversations", "20", "--seed", "11")
    assert figures["conversations"] == 20
    assert (figures["false_facts"], figures["stale"], figures["failed_turns"]) == (0, 0, 0)
    assert figures["correct_given"] > 0.8


def test_that_an_order_that_moves_meanwhile_is_told_as_it_is(ready_home: Home) -> None:
    figures = bench(ready_home, "--moves", "18", "--seed", "11")
    assert figures["moved_in_turn"] >= 12
    assert (figures["false_facts"], figures["stale"], figures["failed_turns"]) == (0, 0, 0)
