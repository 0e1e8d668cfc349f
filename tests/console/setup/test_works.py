from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from filelock import FileLock

from console.setup.best_model import best_model, holds
from console.setup.steps import EMBEDDING, MODEL, STEPS, SetupRefused
from console.setup.version import program_version
from console.setup.works import EmbeddingWork, ModelWork, PackagesWork, RuntimeWork, alone, setup_works
from engine_host.engine.models import QWEN_7B, SMOLLM2
from storage.paths import Home
from storage.settings import EngineSettings, Settings

if TYPE_CHECKING:
    from pathlib import Path

ATTACHED = Settings(engine=EngineSettings(attach_url="http://127.0.0.1:8000"))


@pytest.fixture
def of(home_folder: Path) -> Home:
    return Home(home_folder)


async def test_that_on_an_empty_home_only_the_packages_are_there_and_nothing_is_made(of: Home) -> None:
    works = setup_works(of, Settings())
    assert tuple(work.step for work in works) == STEPS
    assert [await work.is_done() for work in works] == [True, False, False, False, False]
    assert not of.root.exists()


async def test_that_an_attached_engine_needs_neither_runtime_nor_model(of: Home) -> None:
    assert await RuntimeWork(of, ATTACHED).is_done()
    assert await ModelWork(of, ATTACHED, SMOLLM2).is_done()


async def test_that_a_model_of_the_hub_needs_no_fetching(of: Home) -> None:
    assert await ModelWork(of, Settings(), QWEN_7B).is_done()


async def test_that_a_named_python_without_vllm_is_not_done_and_is_refused_with_its_reason(of: Home) -> None:
    work = RuntimeWork(of, Settings(engine=EngineSettings(python="/nowhere/python")))
    assert not await work.is_done()
    with pytest.raises(Exception, match="/nowhere/python is not a program"):
        await work.run(lambda _report: None)


async def test_that_a_model_waits_for_its_runtime(of: Home) -> None:
    with pytest.raises(SetupRefused, match="the engine runtime is not installed"):
        await ModelWork(of, Settings(), SMOLLM2).run(lambda _report: None)


async def test_that_a_half_made_embedding_model_is_not_done(of: Home) -> None:
    folder = of.make().models / "all-MiniLM-L6-v2-int8"
    folder.mkdir()
    (folder / "model.onnx").write_bytes(b"half")
    assert not await EmbeddingWork(of).is_done()


async def test_that_the_packages_say_where_they_are() -> None:
    assert (await PackagesWork().run(lambda _report: None)).startswith("in ")


def test_that_a_step_is_done_by_one_process_at_a_time(tmp_path: Path) -> None:
    lock = tmp_path / "models" / "step.lock"
    with alone(lock, EMBEDDING):
        pass
    told = pytest.raises(SetupRefused, match="Engine model is being set up by another Dabba")
    with FileLock(lock), told, alone(lock, MODEL):
        pytest.fail("two at once")


@pytest.mark.parametrize(
    ("gpus", "fits"),
    [
        ((), False),
        (("NVIDIA T4, 15360 MiB, 550.1",), False),
        (("NVIDIA T4, 15360 MiB, 550.1", "NVIDIA L4, 23034 MiB, 550.1"), True),
        (("NVIDIA H200, 143771 MiB, 570.0",), True),
        (("something that is no line of nvidia-smi",), False),
    ],
)
def test_that_the_large_model_needs_a_gpu_that_holds_it(gpus: tuple[str, ...], fits: bool) -> None:
    assert holds(gpus, QWEN_7B) is fits


async def test_that_a_machine_without_a_gpu_gets_the_bundled_model(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.setup.machine.shutil.which", lambda _name: None)
    assert await best_model() is SMOLLM2


def test_that_the_version_is_the_one_of_the_project() -> None:
    assert program_version().count(".") == 2
