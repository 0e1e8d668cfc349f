"""A start says beforehand when it will not fit, and afterwards what its cache holds; it is never refused for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.commands.engine_fit_said import say_what_it_holds, say_when_too_big
from engine_host.engine import fit_room
from engine_host.engine.fit_check import CacheCheck, keep_check
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import EngineProfile
from storage.paths import Home
from storage.settings import EngineSettings, Settings
from tests.engine_host.engine.fit.configs import MEMORY

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.fit_question import Device


@pytest.fixture
def settings(home_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A named Python with vLLM, on a machine without a GPU that has 20 GiB free."""

    async def twenty_gib(*, on_gpu: bool, without: frozenset[int]) -> tuple[Device, ...]:
        return (MEMORY,)

    monkeypatch.setattr(fit_room, "read_devices", twenty_gib)
    monkeypatch.setattr("engine_host.engine.runtime.has_nvidia_driver", lambda: False)
    Home(home_folder).make()
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho vllm-version 0.32.0\n")
    python.chmod(0o755)
    return Settings(engine=EngineSettings(python=str(python)))


@pytest.mark.parametrize(("space", "says"), [(1.0, ""), (30.0, "  SmolLM2-135M-Instruct does not fit: it needs ")])
async def test_that_a_start_that_will_not_fit_is_told_with_the_change(
    settings: Settings, space: float, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await say_when_too_big(EngineProfile("p", SMOLLM2, {"kv_space_gib": space}), settings)
    said = capsys.readouterr().err
    assert said.startswith(says)
    assert bool(said) is bool(says)
    assert not says or said.endswith("GiB: then it fits.\n")


def test_that_the_cache_of_this_run_and_of_no_other_is_told(
    home_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    home = Home(home_folder).make()
    for run in ("r1", "r2"):
        keep_check(home, CacheCheck("2026-11-30", run, "SmolLM2", 4096, "auto", 1, 128, 10, 10, 1280, 1280))
    say_what_it_holds("r2")
    say_what_it_holds(None)
    assert capsys.readouterr().err == (
        "  SmolLM2 reported a KV cache of 1,280 tokens in 10 blocks of 128; 1,280 were expected: as estimated.\n"
    )
