"""The bench of deaths against an engine that is quick to start."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from console.bench.engine_kills import bench
from console.bench.engine_kills.bench import Wanted, run_engine_kills_bench
from console.bench.engine_kills.killing import Moment, Victim
from engine_host.engine.models import QWEN_1B
from engine_host.engine.profile import EngineProfile
from storage.paths import Home
from storage.settings import EngineSettings
from tests.engine_host.engine.conftest import FAKE_PYTHON
from tests.fakes.fake_vllm import Behaviour

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A home whose runtime is the fake vLLM, with one worker that calls itself the core."""
    python = tmp_path / "python"
    python.write_text(FAKE_PYTHON, encoding="utf-8")
    python.chmod(0o755)
    settings = EngineSettings(python=str(python), restarts=0)
    monkeypatch.setattr("console.bench.engine_kills.place.ENGINE", settings)
    monkeypatch.setattr(bench, "PROFILE", EngineProfile("fake", QWEN_1B))
    monkeypatch.setenv("FAKE_VLLM", json.dumps(asdict(Behaviour(with_worker=True, token_delay_s=0.05))))
    return Home(tmp_path / "home").make()


async def test_that_deaths_of_server_and_core_are_seen_and_leave_nothing(home: Home) -> None:
    wanted = Wanted(
        1, 2, (Victim.SERVER, Victim.CORE), (Moment.IDLE, Moment.DECODE), streams=0, stop_core=False, kill_owner=False
    )
    result = await run_engine_kills_bench(wanted, home)
    assert result.figures["kills"] == 4
    assert (result.figures["left_behind"], result.figures["starts_failed"]) == (0, 0)
    assert result.figures["state_s_max"] is not None
    assert result.holds["unexplained"]
    assert set(result.targets) == {"state_s_max", "streams_s_max", "left_behind", "unexplained", "starts_failed"}


async def test_that_left_streams_and_a_stopped_core_are_measured(home: Home) -> None:
    result = await run_engine_kills_bench(Wanted(times=0, streams=20, kill_owner=False), home)
    assert result.figures["cancelled_streams"] == 20
    assert (result.figures["kv_more"], result.figures["open_connections"]) == (0, 0)
    assert result.figures["stalled_s"] is not None
    assert "kills" not in result.figures


def test_that_every_pair_is_killed_as_often_as_wanted_whoever_is_killed() -> None:
    shares = Wanted(times=2, engines=4).shares()
    kills = [kill for share in shares for kill in share]
    assert [len(share) for share in shares] == [5, 5, 4, 4]
    assert all(kills.count((victim, moment)) == 2 for victim in Victim for moment in Moment)


def test_that_no_engine_is_started_without_a_kill() -> None:
    assert len(Wanted(times=1, engines=40).shares()) == 9
    assert not Wanted(times=0).shares()
