"""Fifty turns of three tenants, ten of them left by the asker: the ledger holds what the engine counted."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from console.house import open_house
from engine_host.answering.events import Ended, Opened, PassagesFound, Question, Writing
from engine_host.engine.run_file import read_run_file
from engine_host.http import client_for
from storage.records import TurnOutcome
from tests.journeys.program import REPOSITORY

if TYPE_CHECKING:
    from console.house import House
    from engine_host.answering.events import TurnEvent
    from storage.paths import Home
    from tests.journeys.program import Program

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

TURNS, AT_ONCE = 50, 8
LEFT_AFTER: tuple[tuple[type[TurnEvent], float], ...] = (
    (Opened, 0.0),
    (PassagesFound, 0.0),
    (PassagesFound, 0.02),
    (PassagesFound, 0.1),
    (PassagesFound, 0.2),
    (Writing, 0.0),
    (Writing, 0.05),
    (Writing, 0.3),
    (Writing, 0.6),
    (Writing, 1.0),
)
"""When an asker leaves: after which event, and how many seconds later. Before the first token, and in mid-answer.

Only those who leave at the event itself leave for certain: a short answer is over before a second has passed.
"""
LEAVE_FOR_CERTAIN = sum(patience_s == 0 for _, patience_s in LEFT_AFTER)


@dataclass(frozen=True, slots=True)
class Tokens:
    prompt: int
    output: int

    def __sub__(self, other: Tokens) -> Tokens:
        return Tokens(self.prompt - other.prompt, self.output - other.output)


def questions() -> list[Question]:
    """Fifty of the sample kitchen's help questions, of its three tenants in turn."""
    file = REPOSITORY / "assets" / "sample_kitchen" / "questions.en.jsonl"
    texts = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    told = [one["question"] for one in texts if one["kind"] == "help" and len(one["question"]) < 70]
    tenants = ("kamala", "annapurna", "meridian")
    return [Question(told[number % len(told)], tenants[number % 3], token=None) for number in range(TURNS)]


async def to_its_end(house: House, question: Question) -> TurnOutcome:
    outcome = TurnOutcome.OPEN
    async with aclosing(house.turns.answer(question)) as events:
        async for event in events:
            if isinstance(event, Ended):
                outcome = event.outcome
    return outcome


async def until_left(house: House, question: Question, after: type[TurnEvent], patience_s: float) -> TurnOutcome:
    """Leave `patience_s` after the first event of that kind, unless the turn ends before."""
    outcome = TurnOutcome.CANCELLED
    try:
        async with asyncio.timeout(None) as limit, aclosing(house.turns.answer(question)) as events:
            async for event in events:
                if isinstance(event, Ended):
                    outcome = event.outcome
                if isinstance(event, after) and patience_s == 0:
                    break
                if isinstance(event, after) and limit.when() is None:
                    limit.reschedule(asyncio.get_running_loop().time() + patience_s)
    except TimeoutError:
        pass
    return outcome


async def ask_all(home: Home) -> list[TurnOutcome]:
    house = await open_house(home)
    places = asyncio.Semaphore(AT_ONCE)

    async def one(number: int, question: Question) -> TurnOutcome:
        async with places:
            if number % 5 == 0:
                return await until_left(house, question, *LEFT_AFTER[number // 5])
            return await to_its_end(house, question)

    try:
        assert await house.engine.adopt()
        await house.library.warm()
        return await asyncio.gather(*(one(number, question) for number, question in enumerate(questions())))
    finally:
        await house.close()


async def counted(home: Home) -> Tokens:
    """What the engine itself has counted since it was ready, read from its page when it is idle."""
    run = read_run_file(home.run / "engine.json")
    assert run is not None
    async with client_for(run.url, timeout_s=10) as http, asyncio.timeout(30):
        while True:
            page = (await http.get("/metrics")).text
            if not total(page, "vllm:num_requests_running") + total(page, "vllm:num_requests_waiting"):
                break
    everything = Tokens(int(total(page, "vllm:prompt_tokens_total")), int(total(page, "vllm:generation_tokens_total")))
    return everything - Tokens(run.warm_up_prompt, run.warm_up_output)


def total(page: str, name: str) -> float:
    return sum(float(line.rsplit(" ", 1)[1]) for line in page.splitlines() if line.startswith(name + "{"))


async def kept(dabba: Program) -> tuple[Tokens, dict[str, int]]:
    """What `dabba usage` tells: tokens and cancelled turns of all tenants, after it agreed with the engine."""
    usage = await dabba.json("usage", "--days", "2")
    assert usage["engine"]["agrees"], usage["engine"]
    assert usage["engine"]["drift"] == {"prompt": 0, "output": 0}
    assert usage["engine"]["open_turns"] == 0
    assert Tokens(**usage["engine"]["ledger"]) == await counted(dabba.home)
    days = usage["days"]
    tokens = Tokens(sum(day["tokens"]["prompt"] for day in days), sum(day["tokens"]["output"] for day in days))
    return tokens, {name: sum(day[name] for day in days) for name in ("requests", "cancelled", "failed", "refused")}


@pytest.mark.usefixtures("running_engine")
async def test_that_the_ledger_holds_what_the_engine_counted(dabba: Program) -> None:
    engine_before, (before, turns_before) = await counted(dabba.home), await kept(dabba)
    outcomes = await ask_all(dabba.home)
    engine_after, (after, turns_after) = await counted(dabba.home), await kept(dabba)
    left = outcomes.count(TurnOutcome.CANCELLED)
    assert LEAVE_FOR_CERTAIN <= left <= len(LEFT_AFTER)
    assert set(outcomes) <= {TurnOutcome.ANSWERED, TurnOutcome.DOES_NOT_KNOW, TurnOutcome.CANCELLED}
    assert after - before == engine_after - engine_before
    assert (after - before).output > 10 * TURNS
    turns = {name: turns_after[name] - turns_before[name] for name in turns_after}
    # one who leaves while the ledger settles the turn has been answered all the same
    assert LEAVE_FOR_CERTAIN <= turns.pop("cancelled") <= left
    assert turns == {"requests": TURNS, "failed": 0, "refused": 0}
