"""Which engines of a house are recorded."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from console.engine_recording import recorder_of
from engine_host.engine.state import EngineState, EngineStatus
from engine_host.metrics.samples import MetricSample
from engine_host.published import Published
from storage.database import Database
from storage.paths import Home
from storage.queries.metric_samples import kept_history

if TYPE_CHECKING:
    from pathlib import Path

    from console.house import House
    from engine_host.metrics.samples import Scrape


def seat(name: str) -> SimpleNamespace:
    latest: Published[Scrape | None] = Published(None)
    state = Published(EngineState(EngineStatus.READY, name, "smol", run=name))
    return SimpleNamespace(poller=SimpleNamespace(latest=latest), session=SimpleNamespace(state=state))


async def test_that_the_first_engine_and_those_of_the_pool_are_recorded(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.make()
    database = await Database.open(home)
    first, more = seat("cpu-demo"), [seat("cpu-demo 2")]
    engines = SimpleNamespace(first=first.session, poller=first.poller, crew=SimpleNamespace(engines=more))
    recorder = recorder_of(cast("House", SimpleNamespace(database=database, engines=engines)))
    recorder.start()
    more.append(seat("added"))
    recorder.follow()
    began = datetime.now(UTC)
    for one in (first, *more):
        for second in range(3):
            at = began + timedelta(seconds=second)
            one.poller.latest.publish(MetricSample(at, float(second), 2.0, running=1.0))
    await recorder.close()
    kept = await database.run(kept_history)
    await database.close()
    fine = {one.engine: one.rows for one in kept if one.step_s == 1}
    assert fine == {"added": 3, "cpu-demo": 3, "cpu-demo 2": 3}
