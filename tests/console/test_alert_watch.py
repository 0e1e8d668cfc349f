"""The watch with a real database: what fires is kept once, whatever happens to the program or the disk."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest

from console.alert_reading import AlertReader
from console.alert_watch import AlertWatch
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.alert_figures import FIGURES
from engine_host.metrics.alert_seen import Asked
from engine_host.published import Published
from storage.database import Database
from storage.errors import DatabaseBusy
from storage.paths import Home
from storage.queries.alerts import cleared_alerts, firing_alerts
from storage.queries.turns import open_turn, settle_turn
from storage.records import TurnOutcome
from storage.settings import AlertSettings
from tests.fakes.alert_samples import Story
from tests.storage.kitchen import ending, furnish, question

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sqlalchemy.orm import Session

    from engine_host.metrics.samples import MetricSample

FULL: dict[str, Any] = {"disk_gib": 1.0}


@dataclass
class Engines:
    seats: tuple[Any, ...] = ()


@dataclass
class Engine:
    status: EngineStatus
    is_being_checked: bool = False

    @property
    def state(self) -> Published[EngineState]:
        return Published(EngineState(self.status, "cpu-demo", hosted=False))


@dataclass
class Poller:
    scrapes: tuple[MetricSample, ...] = ()
    latest: Published[Any] = field(default_factory=lambda: Published(None))


@dataclass
class Seat:
    session: Engine
    poller: Poller = field(default_factory=Poller)
    key: str = "1"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home").make()


@pytest.fixture
async def database(home: Home) -> AsyncIterator[Database]:
    database = await Database.open(home)
    yield database
    await database.close()


async def opened(home: Home, database: Database) -> AlertWatch:
    watch = AlertWatch(home, AlertSettings(), database, Engines())
    await watch.open()
    return watch


async def feed(watch: AlertWatch, story: Story) -> None:
    for facts in story.facts:
        await watch.look(facts)


async def test_that_what_fires_is_kept_and_what_clears_is_history(home: Home, database: Database) -> None:
    watch = await opened(home, database)
    await feed(watch, Story().tell(20, **FULL))
    (kept,) = await database.run(firing_alerts)
    assert (kept.rule, kept.title) == ("disk_low", "Less than 2 GiB free on the disk")
    await feed(watch, Story().tell(20))
    assert await database.run(firing_alerts) == ()
    assert [one.alert_id for one in await watch.history()] == [kept.alert_id]


async def test_that_a_restart_goes_on_with_what_was_firing(home: Home, database: Database) -> None:
    await feed(await opened(home, database), Story().tell(20, **FULL))
    again = await opened(home, database)
    await feed(again, Story().tell(20, **FULL))
    assert len(await database.run(firing_alerts)) == 1
    (active,) = again.board.value.firing
    assert active.resumed
    await feed(again, Story().tell(20))
    assert len(await database.run(cleared_alerts)) == 1


async def test_that_an_alert_acknowledged_before_a_restart_stays_so(home: Home, database: Database) -> None:
    watch = await opened(home, database)
    await feed(watch, Story().tell(20, **FULL))
    await watch.acknowledge(watch.board.value.firing[0].alert_id)
    again = await opened(home, database)
    assert again.board.value.firing[0].acknowledged_at is not None


async def test_that_a_muted_alert_fires_but_does_not_call(home: Home, database: Database) -> None:
    watch = await opened(home, database)
    await watch.mute("disk_low", "", None)
    await feed(watch, Story().tell(20, **FULL))
    assert [one.title for one in watch.board.value.firing] == ["Less than 2 GiB free on the disk"]
    assert not watch.board.value.calling
    await watch.unmute("disk_low", "")
    assert watch.board.value.calling


async def test_that_a_mute_for_an_hour_is_kept_with_its_end(home: Home, database: Database) -> None:
    await (await opened(home, database)).mute("disk_low", "", timedelta(hours=1))
    (kept,) = (await opened(home, database)).board.value.muted
    assert kept.until is not None
    assert timedelta(minutes=59) < kept.until - datetime.now(UTC) <= timedelta(hours=1)


async def test_that_what_the_database_refused_is_kept_when_it_can_be(
    home: Home, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(_fn: object) -> None:
        raise DatabaseBusy("The database is busy.")

    watch = await opened(home, database)
    with monkeypatch.context() as patched:
        patched.setattr(database, "run", busy)
        await feed(watch, Story().tell(20, **FULL))
        assert watch.board.value.faults == ("Alerts are not kept: The database is busy.",)
        assert len(watch.board.value.firing) == 1
    await feed(watch, Story().tell(1, **FULL))
    assert watch.board.value.faults == ()
    assert len(await database.run(firing_alerts)) == 1


async def test_that_two_consoles_on_one_database_keep_one_alert(home: Home, database: Database) -> None:
    one, other = await opened(home, database), await opened(home, database)
    await feed(one, Story().tell(20, **FULL))
    await feed(other, Story().tell(20, **FULL))
    assert len(await database.run(firing_alerts)) == 1
    await feed(other, Story().tell(20))
    assert len(await database.run(cleared_alerts)) == 1


async def test_that_a_wrong_file_is_told_and_the_ready_made_alerts_go_on(home: Home, database: Database) -> None:
    home.alerts_file.write_text("[disk_lwo]\non = false\n", encoding="utf-8")
    watch = await opened(home, database)
    await feed(watch, Story().tell(20, **FULL))
    (fault,) = watch.board.value.faults
    assert fault.startswith("alerts.toml: there is no alert disk_lwo.")
    assert fault.endswith("Until then the ready-made alerts watch.")
    assert len(watch.board.value.firing) == 1


async def test_that_the_board_names_every_rule_that_watches(home: Home, database: Database) -> None:
    home.alerts_file.write_text("[disk_low]\non = false\n", encoding="utf-8")
    assert (await opened(home, database)).board.value.rules == 10


async def test_that_the_watch_ends_when_it_is_closed(home: Home, database: Database) -> None:
    watch = AlertWatch(home, AlertSettings(), database, Engines())
    watch.start()
    watch.start()
    await watch.close()
    await watch.close()


def age(reader_facts: Any) -> float | None:
    (seen,) = (FIGURES["scrape_age_s"].read(reader_facts, Asked(60, 1)) or {}).values()
    return seen.value


async def test_that_figures_are_waited_for_from_when_an_engine_answers_until_it_is_stopped(
    home: Home, database: Database
) -> None:
    engines = Engines()
    reader = AlertReader(home, database, engines, 300)
    waits: list[bool] = []
    for status in (EngineStatus.STARTING, EngineStatus.READY, EngineStatus.LOST, EngineStatus.STOPPED):
        engines.seats = (Seat(Engine(status)),)
        waits.append(age(await reader.read()) is not None)
    assert waits == [False, True, True, False]


async def test_that_turns_tenants_and_disk_of_the_house_are_read(home: Home, database: Database) -> None:
    now = datetime.now(UTC)

    def turn(session: Session) -> None:
        furnish(session)
        open_turn(session, replace(question("t-1"), asked_at=now))
        settle_turn(session, ending("t-1", TurnOutcome.FAILED))

    await database.run(turn)
    facts = await AlertReader(home, database, Engines(), 300).read()
    assert [one.outcome for one in facts.house.turns or ()] == [TurnOutcome.FAILED]
    assert [one.used for one in facts.house.tenants or ()] == [120, 0]
    assert set(facts.house.outlooks) == {"kamala", "portland"}
    assert (facts.house.disk_free or 0) > 0


async def test_that_a_ledger_which_cannot_be_read_is_not_known(
    home: Home, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(_fn: object) -> None:
        raise DatabaseBusy("The database is busy.")

    monkeypatch.setattr(database, "run", busy)
    facts = await AlertReader(home, database, Engines(), 300).read()
    assert (facts.house.turns, facts.house.tenants) == (None, None)
