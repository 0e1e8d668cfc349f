"""Which engines of the house the metric recorder follows."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine_host.metrics.recorder import MetricRecorder, Source

if TYPE_CHECKING:
    from console.house import House
    from console.house_engines import HouseEngines


def recorder_of(house: House) -> MetricRecorder:
    """It begins with `start`, and is to be closed after the pollers and before the database."""
    return MetricRecorder(house.database, partial(_sources, house.engines))


def _sources(engines: HouseEngines) -> tuple[Source, ...]:
    further = (Source(one.poller.latest, one.session.state) for one in engines.crew.engines)
    return (Source(engines.poller.latest, engines.first.state), *further)
