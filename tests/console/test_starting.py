"""What a command says while an engine comes up."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from console.commands.starting import say_steps
from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    import pytest

READY = EngineState(EngineStatus.READY, "cpu-demo", "m")


def test_that_each_step_is_said_once_and_work_in_hand_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    say = say_steps()
    for status in (
        EngineStatus.STARTING, EngineStatus.READY, EngineStatus.BUSY, EngineStatus.READY, EngineStatus.BUSY,
        EngineStatus.STALLED, EngineStatus.READY, EngineStatus.STOPPED, EngineStatus.NONE,
    ):  # fmt: skip
        say(replace(READY, status=status))
    assert [line.rsplit(" ", 1)[-1] for line in capsys.readouterr().err.splitlines()] == [
        "starting", "ready", "stalled", "ready", "stopped",
    ]  # fmt: skip
