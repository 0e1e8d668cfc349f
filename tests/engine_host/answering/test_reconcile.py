"""The ledger held against the counters of an engine: what it could not hear is added where it belongs, or told."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

import pytest

from engine_host.answering.reconcile import Comparison, compare
from engine_host.engine.health import WarmUp
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample, ScrapeGap
from engine_host.published import Published
from storage.queries.turns import open_turn
from storage.records import TokenUse, TurnOutcome
from tests.storage.kitchen import furnish, question, whole_turn

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession
    from engine_host.metrics.samples import Scrape
    from storage.database import Database

READY = EngineState(EngineStatus.READY, "cpu-demo", url="http://127.0.0.1:1", run="run-1", hosted=True)
WARM_UP = WarmUp(31, 1)


@dataclass
class Session:
    state: Published[EngineState] = field(default_factory=lambda: Published(READY))
    warm_up: WarmUp = WARM_UP
    is_being_checked: bool = False


@pytest.fixture
async def ledger(database: Database) -> Database:
    """One whole turn and, after it, one that was left: 200 tokens in and 25 out."""
    await database.run(furnish)
    await database.run(lambda s: whole_turn(s, "whole", TurnOutcome.ANSWERED, TokenUse(100, 60, 20)))
    await database.run(lambda s: whole_turn(s, "left", TurnOutcome.CANCELLED, TokenUse(100, 60, 5)))
    return database


@pytest.fixture
def tells(monkeypatch: pytest.MonkeyPatch) -> dict[str, Scrape | None]:
    """What the engine's page says when it is read, its own requests included."""
    told: dict[str, Scrape | None] = {"page": page(231, 27)}

    async def read(url: str) -> Scrape | None:
        assert url == READY.url
        return told["page"]

    monkeypatch.setattr("engine_host.answering.reconcile.read_once", read)
    return told


def page(prompt: float | None, output: float | None, running: float = 0.0) -> MetricSample:
    return MetricSample(datetime.now(UTC), 1.0, 2.0, running, 0.0, prompt_tokens=prompt, output_tokens=output)


async def compared(ledger: Database, session: Session | None = None) -> Comparison | None:
    return await compare(ledger, cast("EngineSession", session or Session()))


@pytest.mark.usefixtures("tells")
async def test_that_a_token_of_a_left_turn_that_nobody_heard_of_is_added_to_it(ledger: Database) -> None:
    found = await compared(ledger)
    assert found is not None
    assert found.agrees
    assert found.sentence() == "Ledger and engine agree: 200 tokens in, 26 out since the engine's start."
    again = await compared(ledger)
    assert again == found


async def test_that_nothing_is_added_while_the_engine_works_or_is_being_checked(
    ledger: Database, tells: dict[str, Scrape | None]
) -> None:
    checked = await compared(ledger, Session(is_being_checked=True))
    tells["page"] = page(231, 27, running=1.0)
    working = await compared(ledger)
    for found in (checked, working):
        assert found is not None
        assert found.drift == TokenUse(0, 0, 1)
        assert "The engine counted 200 tokens in and 26 out, the ledger 200 and 25" in found.sentence()


@pytest.mark.usefixtures("tells")
async def test_that_nothing_is_added_while_a_turn_is_under_way(ledger: Database) -> None:
    await ledger.run(lambda s: open_turn(s, question("now", minutes=1)))
    found = await compared(ledger)
    assert found is not None
    assert (found.agrees, found.ledger.open_turns) == (False, 1)


async def test_that_an_engine_that_counted_less_takes_nothing_away(
    ledger: Database, tells: dict[str, Scrape | None]
) -> None:
    tells["page"] = page(231, 20)
    found = await compared(ledger)
    assert found is not None
    assert found.drift == TokenUse(0, 0, -6)
    assert found.as_object()["drift"] == {"prompt": 0, "output": -6}


@pytest.mark.parametrize("missing", [None, ScrapeGap(datetime(2026, 11, 30, tzinfo=UTC), 1.0, "no"), page(None, 5)])
async def test_that_an_engine_without_counters_is_not_compared(
    ledger: Database, tells: dict[str, Scrape | None], missing: Scrape | None
) -> None:
    tells["page"] = missing
    assert await compared(ledger) is None


@pytest.mark.parametrize("state", [EngineState(), EngineState(EngineStatus.READY, url="http://other", run="run-1")])
async def test_that_no_engine_and_an_attached_one_are_not_compared(ledger: Database, state: EngineState) -> None:
    assert await compared(ledger, Session(Published(state))) is None
