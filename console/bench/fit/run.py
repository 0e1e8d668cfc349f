"""`dabba bench fit`: the bundled model is started with several KV caches, and each is held against its estimate."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from console.bench.fit.agreement import agree
from console.bench.fit.figures import TARGETS, Edge, Start, figures_of
from console.bench.report import judge
from engine_host.engine.errors import RuntimeUnusable, StartFailed
from engine_host.engine.fit import plan
from engine_host.engine.fit_check import read_checks
from engine_host.engine.fit_machine import has_fp8_cache, read_memory
from engine_host.engine.fit_profile import facts_here, question_of
from engine_host.engine.fit_reserve import default_conversation, reserve_for
from engine_host.engine.models import SMOLLM2
from engine_host.engine.pool_crew import slot_of
from engine_host.engine.process import group_members
from engine_host.engine.profile import EngineProfile
from engine_host.engine.runtime import find_runtime
from engine_host.engine.session import EngineSession
from storage.paths import Home
from storage.settings import EngineSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Generator

    from console.bench.fit.agreement import Agreement
    from console.bench.report import BenchResult

GIB: Final = 2**30
SPACES_GIB: Final = (0.25, 0.5, 1.0)
CONTEXTS: Final = (3000, 4096, 8192)
"""One for each space: one of them is no whole number of blocks."""
DTYPES: Final = ("auto", "fp8")
SETTINGS: Final = Settings(engine=EngineSettings(restarts=0, canary=False, start_limit_s=240))


async def run_fit_bench(lender: Home) -> BenchResult:
    """`lender` lends its runtime and models; nothing else of it is touched. Raises EngineRoomError."""
    with _home(lender) as home:
        agreement = await _agreement(home)
        starts: list[Start] = []
        for kv_dtype in DTYPES:
            sizes = enumerate(zip(SPACES_GIB, CONTEXTS, strict=True), start=1)
            each = (_start(home, space, kv_dtype, context, slot_of(number)) for number, (space, context) in sizes)
            starts += await asyncio.gather(*each)
        edge = await _edge(home)
    return judge("fit", figures_of(agreement, starts, edge, reserve_for(on_gpu=False).processes), TARGETS)


async def _agreement(home: Home) -> Agreement:
    runtime = await find_runtime(home, SETTINGS)
    if runtime is None:
        raise RuntimeUnusable("The fit bench has no engine: its runtime is not installed. Run ./dabba setup.")
    _tell("reading configs and dividing caches beside vLLM's own code")
    agreement = await agree(runtime)
    for difference in agreement.differ:
        _tell(difference)
    return agreement


@contextmanager
def _home(lender: Home) -> Generator[Home]:
    with tempfile.TemporaryDirectory(prefix="dabba-fit-") as folder:
        home = Home(Path(folder))
        for lent, place in ((lender.models, home.models), (lender.engine_runtime, home.engine_runtime)):
            place.symlink_to(lent.resolve(), target_is_directory=True)
        yield home.make()


def _profile(space: float, kv_dtype: str, context: int) -> EngineProfile:
    """`space` in GiB."""
    values = {"kv_space_gib": space, "kv_cache_dtype": kv_dtype, "max_model_len": context, "enforce_eager": True}
    return EngineProfile("fit bench", SMOLLM2, values)


async def _start(home: Home, space: float, kv_dtype: str, context: int, slot: str) -> Start:
    _tell(f"start with {space:g} GiB of KV in {kv_dtype}, context {context:,}")
    session = EngineSession(home, SETTINGS, slot)
    try:
        await session.start(_profile(space, kv_dtype, context))
        state = session.state.value
        check = next((one for one in read_checks(home) if one.run == state.run), None)
        held = _held(state.process_group)
    finally:
        await session.stop()
        await session.close()
    _tell(check.sentence() if check else "the engine did not say the size of its cache")
    return Start(space, kv_dtype, check, held, facts_here(home, SMOLLM2).weights.size or 0)


async def _edge(home: Home) -> Edge:
    """Asked in bytes; the profile takes GiB, which hold them exactly."""
    context = SMOLLM2.shape.context
    profile = _profile(1.0, "auto", context)
    facts = facts_here(home, SMOLLM2)
    devices = (read_memory(),)
    question = question_of(
        profile, facts, devices, default_conversation(), on_gpu=False, fp8_cache=has_fp8_cache(on_gpu=False)
    )
    cache = plan(question).cache
    if cache is None:
        raise ValueError("the bundled model has a cache that fit can compute")
    space, less = cache.request_space, cache.request_space - cache.shape.block_bytes
    refused, refused_less = await asyncio.gather(
        _refused(home, space, context, slot_of(1)), _refused(home, less, context, slot_of(2))
    )
    said = refused_less.change.get("max_model_len") if refused_less else None
    return Edge(space, refused is None, cache.shape.longest_in(less, context), int(said) if said else None)


async def _refused(home: Home, space: int, context: int, slot: str) -> StartFailed | None:
    """Why the engine did not start with a cache of `space` bytes; None when it did."""
    _tell(f"start with {space / 2**20:g} MiB of KV for one request of {context:,} tokens")
    session = EngineSession(home, SETTINGS, slot)
    try:
        await session.start(_profile(space / GIB, "auto", context))
    except StartFailed as refused:
        _tell(str(refused))
        return refused
    finally:
        await session.stop()
        await session.close()
    return None


def _held(group: int | None) -> int:
    """Bytes that are these processes' alone: memory that they share with others is not counted."""
    return sum(_own(process) for process in group_members(group)) if group else 0


def _own(process: psutil.Process) -> int:
    try:
        return process.memory_full_info().uss
    except psutil.Error:
        return 0


def _tell(sentence: str) -> None:
    print(f"  {sentence}", file=sys.stderr)
