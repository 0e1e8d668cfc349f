"""A load on the house, and everything raw that the judge of the Live page needs of it: each metrics page as it came,
what each asker was told, and the rows of the ledger by plain SQL."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import httpx

from engine_host.answering.events import Ended, Opened, Question, Text, ToolCalled, Withheld
from engine_host.http import client_for
from engine_host.orders.identity import issue_token
from storage.queries.tenants import all_tenants, upsert_tenant
from storage.records import TurnOutcome
from tests.console.live.judge import SeenTurn
from tests.journeys.program import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from console.house import House
    from engine_host.answering.events import TurnEvent
    from engine_host.metrics.samples import Scrape
    from storage.records import Tenant

ASKERS = {"kamala": 12, "annapurna": 8, "meridian": 12}
"""32 at once: as many as the sample kitchen lets each of its tenants ask."""
LONGEST = {"kamala": 24, "annapurna": 160, "meridian": 64}
"""Tokens of an answer: some are short and some take as long as all the others together."""
OF_ORDERS = 0.15
ORDERS = ("Where is my dabba?", "When will my lunch arrive?", "Has my order left the kitchen?")
TIMES = ("queue", "prefill", "ttft", "inter_token", "decode", "total")
SILENT = range(8, 12)
"""Which scrapes of the load are cut off at the border: a gap of five seconds in the middle of it."""


@dataclass(frozen=True, slots=True)
class RawScrape:
    """`text` None: nothing came. It was in the poller's hands at `arrived` and told by it at `done` (epoch s)."""

    arrived: float
    done: float
    text: str | None


class ScrapeTap:
    """Stands at the HTTP border of a poller: notes each page as it comes, and lets those of SILENT not come.

    `load_from` is the place of the first scrape of the load.
    """

    def __init__(self) -> None:
        self.scrapes: list[RawScrape] = []
        self.load_from: int | None = None
        self._changed = asyncio.Event()
        self._came: tuple[float, str] | None = None

    def client_for(self, base_url: str, **choices: Any) -> httpx.AsyncClient:
        client = client_for(base_url, **choices)
        client.event_hooks = {"request": [self._asked], "response": [self._answered]}
        return client

    def told(self, scrape: Scrape | None) -> None:
        """Watches what the poller publishes."""
        if scrape is not None:
            now = time.time()
            arrived, text = self._came or (now, None)
            self.scrapes.append(RawScrape(arrived, now, text))
            self._came = None
            self._changed.set()

    @property
    def _place(self) -> int:
        """In the load, of the scrape that comes next."""
        return -1 if self.load_from is None else len(self.scrapes) - self.load_from

    async def until_idle(self) -> None:
        """Until a page after the gap says that the engine does nothing."""
        while self._place <= SILENT.stop or not is_idle(self.scrapes[-1].text):
            self._changed.clear()
            await self._changed.wait()

    async def _asked(self, request: httpx.Request) -> None:
        if self._place in SILENT:
            raise httpx.ConnectError("cut off by the journey", request=request)

    async def _answered(self, response: httpx.Response) -> None:
        await response.aread()
        self._came = (time.time(), response.text) if response.is_success else None


def is_idle(page: str | None) -> bool:
    gauges = ("vllm:num_requests_running{", "vllm:num_requests_waiting{")
    told = [line.rsplit(" ", 1)[1] for line in (page or "").splitlines() if line.startswith(gauges)]
    return bool(told) and not any(map(float, told))


@dataclass(slots=True)
class Told:
    """What one asker was told of its turn."""

    opened: Opened
    ended: Ended | None = None
    events: list[TurnEvent] = field(default_factory=list["TurnEvent"])


@dataclass
class Load:
    """32 askers of three tenants, each with one question after the other until `until` (of the loop's clock)."""

    house: House
    until: float
    told: dict[str, Told] = field(default_factory=dict[str, Told])

    @property
    def ended(self) -> frozenset[str]:
        """The turns that somebody knows to be in the ledger."""
        return frozenset(turn_id for turn_id, told in self.told.items() if told.ended is not None)

    async def run(self) -> None:
        texts = help_questions()
        askers = [(tenant, number) for tenant, count in ASKERS.items() for number in range(count)]
        async with asyncio.TaskGroup() as group:
            for tenant, number in askers:
                group.create_task(self._ask_on(tenant, texts, random.Random(f"{tenant} {number}")))

    async def _ask_on(self, tenant: str, texts: Sequence[str], dice: random.Random) -> None:
        token = await self._token(tenant)
        while True:
            order = dice.random() < OF_ORDERS
            await self._ask(Question(dice.choice(ORDERS if order else texts), tenant, token if order else None))
            if asyncio.get_running_loop().time() >= self.until:
                return

    async def _ask(self, question: Question) -> None:
        async with aclosing(self.house.turns.answer(question)) as events:
            opened = await anext(events)
            assert isinstance(opened, Opened)
            told = self.told[opened.turn_id] = Told(opened)
            async for event in events:
                told.events.append(event)
                told.ended = event if isinstance(event, Ended) else None

    async def _token(self, tenant: str) -> str:
        known = [one for one in await self.house.orders.known_customers() if one.tenant_id == tenant]
        secret = await self.house.secrets.tenant_secret(tenant)
        return issue_token(secret, tenant, known[0].customer_id, 3600)


def help_questions() -> list[str]:
    """Of the sample kitchen; some of them no article answers."""
    file = REPOSITORY / "assets" / "sample_kitchen" / "questions.en.jsonl"
    return [json.loads(line)["question"] for line in file.read_text(encoding="utf-8").splitlines()]


@asynccontextmanager
async def mixed_lengths(house: House) -> AsyncIterator[None]:
    """Each tenant's answers have another longest length, and no tenant comes to the end of its day or minute."""
    before = await house.database.run(all_tenants)
    wanted = [
        replace(one, quota=replace(one.quota, daily_tokens=10**9, requests_per_minute=10**6,
                                   longest_answer_tokens=LONGEST[one.tenant_id]))
        for one in before
    ]  # fmt: skip
    await _keep(house, wanted)
    try:
        yield
    finally:
        await _keep(house, before)


async def _keep(house: House, tenants: Sequence[Tenant]) -> None:
    for one in tenants:
        await house.database.run(lambda session, one=one: upsert_tenant(session, one))


# The ledger by plain SQL


def ledger_rows(database: Path) -> dict[str, dict[str, Any]]:
    """Every turn that has ended, as it is kept, by its id."""
    with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as rows:
        rows.row_factory = sqlite3.Row
        kept = [dict(row) for row in rows.execute("select * from turn where outcome != 'open'")]
    rows.close()
    return {row["turn_id"]: row for row in kept}


def seen_turn(row: dict[str, Any]) -> SeenTurn:
    asked = datetime.fromisoformat(row["asked_at"]).replace(tzinfo=UTC).timestamp()
    events: list[dict[str, Any]] = json.loads(row["events"])
    end = events[-1] if events else {}  # a turn that was left behind has none
    lookup, first = row["lookup_ms"], row["first_text_ms"]
    first = row["total_ms"] if first is None and row["answer"] else first
    return SeenTurn(
        turn_id=row["turn_id"],
        tenant=row["tenant_id"],
        asked=asked,
        ended=asked + (row["total_ms"] or 0.0) / 1000,
        prompt=row["prompt_tokens"],
        cached=row["cached_tokens"],
        output=row["output_tokens"],
        times={name: None if row[f"{name}_ms"] is None else row[f"{name}_ms"] / 1000 for name in TIMES},
        sentences=sum(event["event"] in ("Text", "Withheld") for event in events),
        withheld=sum(event["event"] == "Withheld" for event in events),
        lookup=None if lookup is None else lookup / 1000,
        first_text=None if first is None else first / 1000,
        unknown=row["outcome"] == "does_not_know" or (row["outcome"] == "failed" and bool(end.get("say"))),
    )


def is_what_was_told(row: dict[str, Any], told: Told) -> bool:
    """Whether the ledger keeps what the asker of a turn itself was told."""
    if told.ended is None:
        return False
    tokens, times = told.ended.tokens, told.ended.times
    kinds = [type(event) for event in told.events]
    looked_up = [event.elapsed_ms for event in told.events if isinstance(event, ToolCalled)]
    seen = seen_turn(row)
    return (
        TurnOutcome(row["outcome"]) is told.ended.outcome
        and seen.asked == told.opened.asked_at.timestamp()
        and (seen.prompt, seen.cached, seen.output) == (tokens.prompt, tokens.cached, tokens.output)
        and all(row[f"{name}_ms"] == getattr(times, name) for name in TIMES)
        and seen.sentences == kinds.count(Text) + kinds.count(Withheld)
        and seen.withheld == kinds.count(Withheld)
        and row["lookup_ms"] == (sum(looked_up) if looked_up else None)
    )
