"""The steps as they are done on one home: each asks the room that owns the matter."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from console.setup.kitchen import KitchenWork, OpenKitchen, open_kitchen
from console.setup.steps import EMBEDDING, MODEL, PACKAGES, RUNTIME, SetupRefused, SetupStep, StepReport, StepWork
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.fetch import fetch_model, find_model
from engine_host.engine.install import install_runtime
from engine_host.engine.models import SMOLLM2, ModelSpec
from engine_host.engine.runtime import find_runtime
from knowledge.embedding_model import FetchProgress, check_embedding_model, fetch_embedding_model
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from engine_host.engine.progress import StepProgress
    from storage.paths import Home
    from storage.settings import Settings

    Report = Callable[[StepReport], None]


def setup_works(
    home: Home, settings: Settings, *, model: ModelSpec = SMOLLM2, kitchen: OpenKitchen | None = None
) -> tuple[StepWork, ...]:
    """All steps, in order. `kitchen` lends an open database and library; without it they are opened for the step."""
    return (
        PackagesWork(),
        RuntimeWork(home, settings),
        ModelWork(home, settings, model),
        EmbeddingWork(home),
        KitchenWork(home, kitchen or open_kitchen(home, settings)),
    )


@dataclass(frozen=True, slots=True)
class PackagesWork:
    """Done before this program could start: by ./dabba, or by whoever installed it."""

    step: SetupStep = PACKAGES

    async def is_done(self) -> bool:
        return True

    async def run(self, report: Report) -> str:
        report(StepReport("Looking at the environment"))
        return f"in {Path(sys.prefix)}"


@dataclass(frozen=True, slots=True)
class RuntimeWork:
    home: Home
    settings: Settings
    step: SetupStep = RUNTIME

    async def is_done(self) -> bool:
        if self.settings.engine.attach_url:
            return True
        try:
            return await find_runtime(self.home, self.settings) is not None
        except EngineRoomError:
            return False

    async def run(self, report: Report) -> str:
        runtime = await find_runtime(self.home, self.settings) or await install_runtime(self.home, _bytes(report))
        return f"vLLM {runtime.version}"


@dataclass(frozen=True, slots=True)
class ModelWork:
    home: Home
    settings: Settings
    spec: ModelSpec
    step: SetupStep = MODEL

    async def is_done(self) -> bool:
        elsewhere = self.settings.engine.attach_url is not None or not self.spec.bundled
        return elsewhere or find_model(self.home, self.spec) is not None

    async def run(self, report: Report) -> str:
        runtime = await find_runtime(self.home, self.settings)
        if runtime is None:
            raise SetupRefused("The engine model waits: the engine runtime is not installed. Run ./dabba again.")
        with alone(self.home.models / "engine-model.lock", self.step):
            folder = await fetch_model(self.home, self.spec, runtime, _bytes(report))
        return f"{self.spec.name}, {len(folder.files)} files"


@dataclass(frozen=True, slots=True)
class EmbeddingWork:
    home: Home
    step: SetupStep = EMBEDDING

    async def is_done(self) -> bool:
        worker = Worker("embedding-check")
        try:
            return not await worker.run(check_embedding_model, self.home)
        finally:
            await worker.aclose()

    async def run(self, report: Report) -> str:
        def on_progress(news: FetchProgress) -> None:
            report(StepReport(news.step, news.done_bytes, news.total_bytes))

        with alone(self.home.models / "embedding-model.lock", self.step):
            folder = await fetch_embedding_model(self.home, on_progress)
        return folder.name


@contextlib.contextmanager
def alone(lock_file: Path, step: SetupStep) -> Generator[None]:
    """One process at a time does a step on one home. Raises SetupRefused for the second one."""
    lock_file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = FileLock(lock_file)
    try:
        lock.acquire(blocking=False)
    except Timeout as held:
        raise SetupRefused(
            f"{step.title} is being set up by another Dabba. Wait until it has finished, then run this step again."
        ) from held
    try:
        yield
    finally:
        lock.release()


def _bytes(report: Report) -> Callable[[StepProgress], None]:
    def on_progress(news: StepProgress) -> None:
        report(StepReport(news.text, news.done_bytes, news.total_bytes))

    return on_progress
