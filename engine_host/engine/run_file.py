"""The run file: by it another process of this home finds the engine that is running, and shares or stops it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated, Final

import psutil
from pydantic import Field, TypeAdapter, ValidationError

from engine_host.engine.process import EngineProcess, group_members
from storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path


Pid = Annotated[int, Field(gt=0)]  # 0 and negative numbers mean groups, ours among them


@dataclass(frozen=True, slots=True)
class RunFile:
    """`created` and `owner_created` are process start times in epoch seconds, `context` is in tokens. The warm-up
    tokens are 0 until the engine is ready: the engine counts them, the ledger does not.

    The owner stops the engine when it closes, unless `keep_running`.
    """

    run: str
    pid: Pid
    created: float
    port: Annotated[int, Field(gt=0, lt=65_536)]
    name: str
    model: str
    context: int
    log: str
    keep_running: bool
    owner: Pid
    owner_created: float
    warm_up_prompt: int = 0
    warm_up_output: int = 0
    max_num_seqs: int | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def process(self) -> EngineProcess:
        return EngineProcess(self.pid, self.created)

    def owner_lives(self) -> bool:
        return EngineProcess(self.owner, self.owner_created).is_alive()


_RUN: Final = TypeAdapter(RunFile)


def write_run_file(path: Path, run: RunFile) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomically(path, json.dumps(asdict(run), indent=1).encode())


def read_run_file(path: Path) -> RunFile | None:
    """None when there is none or it cannot be understood."""
    try:
        return _RUN.validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def remove_run_file(path: Path, run: str) -> None:
    """Remove it if it still speaks of `run`."""
    known = read_run_file(path)
    if known is not None and known.run == run:
        path.unlink(missing_ok=True)


def orphans_of(run: RunFile) -> bool:
    """Whether workers outlived their server: vLLM's workers do when it is killed, holding their memory.

    The group's number may have been given to somebody else since: only vLLM processes that began after it count.
    """
    return not run.process().is_alive() and any(_is_worker(one, run) for one in group_members(run.pid))


def _is_worker(process: psutil.Process, run: RunFile) -> bool:
    try:
        told = process.name() + " ".join(process.cmdline())
        return process.create_time() >= run.created and "vllm" in told.lower()
    except psutil.Error:
        return False
