from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from console.engine_events import EngineEvents, derive_event
from engine_host.engine.restarting import Restart
from engine_host.engine.state import EngineState, EngineStatus, PhaseTime, StartPhase
from engine_host.published import Published
from storage.database import Database
from storage.paths import Home
from storage.queries.engine_events import events_since

if TYPE_CHECKING:
    from pathlib import Path

AT = datetime(2026, 11, 30, 7, 0, tzinfo=UTC)
NONE = EngineState()
STARTING = EngineState(EngineStatus.STARTING, "cpu-demo", "SmolLM2-135M-Instruct", hosted=True)
READY = replace(STARTING, status=EngineStatus.READY, run="r1")
STALLED = replace(READY, status=EngineStatus.STALLED, reason="The engine has not answered for 5 s.")
FAILED = replace(READY, status=EngineStatus.FAILED, reason="The engine stopped: it was killed.")
ATTACHED = EngineState(EngineStatus.READY, "10.0.0.5:8000", "qwen", run="attached-1")


@pytest.mark.parametrize(
    ("before", "after", "kind", "text"),
    [
        (NONE, STARTING, "start", "Start of cpu-demo with SmolLM2-135M-Instruct."),
        (STARTING, READY, "ready", "cpu-demo is ready."),
        (READY, STALLED, "stalled", "cpu-demo is stalled. The engine has not answered for 5 s."),
        (STALLED, READY, "back", "cpu-demo answers again."),
        (STALLED, replace(READY, status=EngineStatus.BUSY), "back", "cpu-demo answers again."),
        (STARTING, replace(READY, status=EngineStatus.BUSY), "ready", "cpu-demo is ready."),
        (READY, replace(READY, status=EngineStatus.SLEEPING), "sleep", "cpu-demo was put to sleep."),
        (replace(READY, status=EngineStatus.SLEEPING), READY, "wake", "cpu-demo was woken."),
        (READY, FAILED, "failed", "cpu-demo failed. The engine stopped: it was killed."),
        (
            READY,
            replace(FAILED, restart=Restart(2, 3, 2.0)),
            "failed",
            "cpu-demo failed. The engine stopped: it was killed. It is started again in 2 s (2 of 3).",
        ),
        (READY, replace(READY, status=EngineStatus.STOPPED), "stop", "cpu-demo was stopped."),
        (NONE, ATTACHED, "ready", "Attached to 10.0.0.5:8000, qwen."),
        (ATTACHED, replace(ATTACHED, run="attached-2"), "ready", "Attached to 10.0.0.5:8000, qwen."),
        (ATTACHED, NONE, "stop", "10.0.0.5:8000 was detached."),
    ],
)
def test_that_a_change_of_the_engine_is_an_event(before: EngineState, after: EngineState, kind: str, text: str) -> None:
    event = derive_event(before, after, AT)
    assert event is not None
    assert (event.kind, event.text, event.at) == (kind, text, AT)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (STARTING, replace(STARTING, phases=(PhaseTime(StartPhase.WEIGHTS, 1.0, None),))),
        (STARTING, replace(STARTING, run="r1", process_group=77)),
        (READY, replace(READY, status=EngineStatus.STOPPING)),
        (READY, replace(READY, status=EngineStatus.DRAINING)),
        (READY, replace(READY, status=EngineStatus.BUSY)),
        (replace(READY, status=EngineStatus.BUSY), READY),
    ],
)
def test_that_a_step_of_a_start_or_a_stop_is_no_event(before: EngineState, after: EngineState) -> None:
    assert derive_event(before, after, AT) is None


async def test_that_events_are_in_the_ledger_when_the_watch_is_closed(tmp_path: Path) -> None:
    database = await Database.open(Home(tmp_path).make())
    state = Published(NONE)
    watch = EngineEvents(database, state)
    watch.start()
    watch.start()
    for one in (STARTING, READY, FAILED):
        state.publish(one)
    await watch.close()
    state.publish(NONE)
    kept = await database.run(lambda session: events_since(session, AT.replace(year=2000)))
    await database.close()
    assert [event.kind for event in kept] == ["start", "ready", "failed"]
    assert {event.subject for event in kept} == {"cpu-demo"}


async def test_that_a_ledger_that_cannot_be_written_does_not_end_the_watch(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = await Database.open(Home(tmp_path).make())
    state = Published(NONE)
    watch = EngineEvents(database, state)
    watch.start()
    await database.close()
    state.publish(STARTING)
    await watch.close()
    assert "Start of cpu-demo" in caplog.text
