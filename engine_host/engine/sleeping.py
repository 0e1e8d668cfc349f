"""Puts an engine to sleep and wakes it, where it can: asleep, vLLM gives the memory of weights and KV back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.engine.command import Command
from engine_host.engine.errors import SleepRefused
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from engine_host.engine.health import EngineProbe
    from engine_host.engine.state import EngineState

FLAG = "--enable-sleep-mode"
DEV_MODE = "VLLM_SERVER_DEV_MODE"
"""The variable without which vLLM 0.32 offers no sleep; it opens other endpoints too, so only with FLAG."""

_LIMIT_S = 120.0


def with_sleep(command: Command) -> Command:
    """The command that also offers the calls by which an engine with FLAG is put to sleep."""
    if FLAG not in command.argv:
        return command
    return Command(command.argv, command.environment | {DEV_MODE: "1"})


async def fall_asleep(probe: EngineProbe | None, state: EngineState) -> None:
    """Level 1: the weights wait in the machine's memory, the KV cache is dropped. Raises SleepRefused."""
    if probe is None or state.status is not EngineStatus.READY:
        raise SleepRefused(
            f"The engine cannot sleep now: it is {state.status.value}. Wait until it is ready and has nothing in hand."
        )
    await _must_know_sleep(probe)
    if not await probe.ask("/sleep?level=1", _LIMIT_S):
        raise SleepRefused("The engine did not fall asleep: it refused. Look at its log.")
    if not await is_asleep(probe):
        raise SleepRefused("The engine did not fall asleep: it says that it is awake. Look at its log.")


async def wake_up(probe: EngineProbe | None, state: EngineState) -> None:
    """Raises SleepRefused."""
    if probe is None or state.status is not EngineStatus.SLEEPING:
        raise SleepRefused(f"The engine cannot be woken: it does not sleep, it is {state.status.value}.")
    if not await probe.ask("/wake_up", _LIMIT_S) or await is_asleep(probe):
        raise SleepRefused("The engine did not wake: it refused. Look at its log, or stop it and start it again.")


async def is_asleep(probe: EngineProbe) -> bool:
    answer = await probe.get_json("/is_sleeping")
    return isinstance(answer, dict) and answer == {"is_sleeping": True}


async def _must_know_sleep(probe: EngineProbe) -> None:
    if await probe.get_json("/is_sleeping") is None:
        raise SleepRefused(
            f"The engine cannot sleep: it was started without {FLAG}. Add that argument to its profile and start it "
            "again on a GPU; vLLM has no sleep mode on a CPU."
        )
