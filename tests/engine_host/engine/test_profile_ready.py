from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

import pytest

from engine_host.engine.command import profile_argv
from engine_host.engine.errors import ProfileRefused, StartFailed
from engine_host.engine.models import QWEN_1B
from engine_host.engine.options_arguments import arguments_of
from engine_host.engine.options_parser import Flag, flags_path
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_ready import readiness, start_flags
from engine_host.engine.runtime import find_runtime
from engine_host.engine.state import EngineStatus
from storage.settings import EngineSettings, Settings
from tests.engine_host.engine.flag_tables import TABLE

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.runtime import EngineRuntime
    from engine_host.engine.session import EngineSession
    from storage.paths import Home

PROFILE = EngineProfile("Evening", QWEN_1B)


@pytest.fixture
async def runtime(home: Home, settings: Settings) -> EngineRuntime:
    found = await find_runtime(home, settings)
    assert found is not None
    return found


@pytest.fixture
def told(home: Home, runtime: EngineRuntime) -> frozenset[str]:
    """The fake vLLM told before that it knows just what PROFILE says."""
    said = (*profile_argv(PROFILE, on_gpu=False), *profile_argv(PROFILE, on_gpu=True))
    names = {one.name: bool(one.values) for one in arguments_of(said)}
    flags = tuple(Flag((name,), "text", "one" if valued else "none") for name, valued in names.items())
    table = replace(TABLE, version=runtime.version, python=str(runtime.python), flags=flags)
    path = flags_path(home, runtime.version)
    path.parent.mkdir()
    path.write_text(json.dumps(asdict(table)), encoding="utf-8")
    return table.names


async def test_that_a_start_knows_the_flags_that_this_vllm_told(
    home: Home, runtime: EngineRuntime, told: frozenset[str]
) -> None:
    assert await start_flags(home, runtime, PROFILE) == told


async def test_that_an_engine_that_does_not_tell_its_flags_is_started_all_the_same(
    home: Home, runtime: EngineRuntime
) -> None:
    assert await start_flags(home, runtime, PROFILE) is None


@pytest.mark.usefixtures("told")
async def test_that_a_flag_that_this_vllm_lacks_is_refused_before_a_process_is_made(
    session: EngineSession, home: Home
) -> None:
    with pytest.raises(StartFailed) as refused:
        await session.start(replace(PROFILE, extra=("--max-num-sqs", "7")))
    assert refused.value.fact == (
        "The engine was not started. vLLM 0.32.0 has no flag --max-num-sqs. The nearest is --max-num-seqs."
    )
    assert refused.value.next_step == "Correct it, or take it out."
    assert session.state.value.status is EngineStatus.FAILED
    assert not list(home.logs.glob("engine-*.log"))


async def test_that_the_number_of_further_faults_is_told(home: Home, runtime: EngineRuntime) -> None:
    with pytest.raises(StartFailed, match=r"Correct it, or take it out\. 1 more of its values are not right"):
        await start_flags(home, runtime, EngineProfile("x", QWEN_1B, {"max_num_seqs": 0, "kv_space_gib": 0.0}))


async def test_that_a_profile_for_several_machines_is_not_started_here(home: Home, runtime: EngineRuntime) -> None:
    with pytest.raises(StartFailed, match='`dabba engine command "Evening"` prints'):
        await start_flags(home, runtime, PROFILE.with_values(way="router"))


@pytest.mark.usefixtures("told")
async def test_that_readiness_names_every_fault(home: Home, settings: Settings) -> None:
    wrong = replace(PROFILE, extra=("--sede", "7"))
    ready = await readiness(home, settings, wrong)
    assert (ready.unchecked, [fault.key for fault in ready.faults]) == ("", ["extra"])
    with pytest.raises(ProfileRefused, match=r"Evening cannot be started\. vLLM 0\.32\.0 has no flag --sede"):
        ready.refuse(wrong)


async def test_that_readiness_says_why_flags_were_not_checked(home: Home, tmp_path: Path) -> None:
    missing = await readiness(home, Settings(), PROFILE)
    assert (missing.runtime, missing.faults) == (None, ())
    assert "no vLLM is installed here" in missing.unchecked
    gone = Settings(engine=EngineSettings(python=str(tmp_path / "none")))
    assert "is not a program" in (await readiness(home, gone, PROFILE)).unchecked
