"""Two real engines with the bundled model, and the one that answers is killed in mid-answer."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from tests.journeys.program import Program, Ran

if TYPE_CHECKING:
    from storage.paths import Home

pytestmark = [pytest.mark.journey, pytest.mark.timeout(480)]


async def _run(program: Program) -> Ran:
    return await (await program.start("bench", "failover", "--times", "1", "--json")).end(450.0)


def test_that_an_answer_goes_on_at_the_other_engine_when_its_own_is_killed(ready_home: Home) -> None:
    ran = asyncio.run(_run(Program(ready_home)))
    assert ran.code == 0, ran.err
    figures = ran.json["figures"]
    assert (figures["kills"], figures["lost_turns"], figures["engines_not_back"]) == (1, 0, 0)
    assert (figures["missing_words"], figures["repeated_words"], figures["other_words"]) == (0, 0, 0)
