"""The engine is killed in mid-answer: the chat says so, nothing of it stays, and it is started again by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil
import pytest

from tests.journeys.program import names_of, processes_of

if TYPE_CHECKING:
    from tests.journeys.program import Program

pytestmark = [pytest.mark.journey, pytest.mark.timeout(400)]


@pytest.mark.usefixtures("no_engine")
async def test_that_the_chat_tells_of_an_engine_killed_in_mid_answer_and_starts_it_again(dabba: Program) -> None:
    await dabba.run("engine", "start", limit_s=180)  # by a program that has ended: the console sees to it alone
    ran = await dabba.run("engine_death", module="tests.journeys.desk", limit_s=300)
    told = ran.json
    assert any(name.startswith("VLLM::") for name in told["members"]), told
    assert told["turn_ended_s"] < 3
    assert told["failed_s"] < 3
    assert told["strip_s"] < 3
    assert told["strip"] == "Failed"
    assert told["outcome"] == "failed"
    assert told["say"] or told["quoted"]
    assert "engine" in told["why"]
    assert told["reason"].startswith("The engine stopped: ")
    assert told["next_step"] == "It is started again in 1 s (1 of 3)."
    assert told["second"]["outcome"] == "answered"
    assert not told["second"]["fault"]
    assert not told["failure"]
    assert told["clean"]
    await dabba.run("engine", "stop")  # it was to outlive the programs that use it, and so was its successor
    assert not processes_of(ran.mark), names_of(processes_of(ran.mark))
    assert not [one for one in psutil.process_iter(["environ", "name"]) if is_ours(one, dabba)]
    assert not (dabba.home.run / "engine.json").exists()


def is_ours(process: psutil.Process, dabba: Program) -> bool:
    """Whether it is a worker of an engine of this home."""
    environment = process.info["environ"] or {}
    return process.info["name"].startswith("VLLM::") and environment.get("DABBA_HOME") == str(dabba.home.root)
