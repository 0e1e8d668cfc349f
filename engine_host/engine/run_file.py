"""The run file: by it another process of this home finds the engine that is running, and shares or stops it."""

from __future__ import annotations

import json
import os
import re
import stat
from dataclasses import asdict, dataclass
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import psutil
from pydantic import Field, TypeAdapter, ValidationError

from engine_host.engine.process import EngineProcess, began, group_members
from storage.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from storage.paths import Home

DEFAULT_SLOT: Final = "engine"
_SLOT: Final = re.compile(r"[a-z][a-z0-9-]{0,40}")
_TAKEN: Final = ("orders",)  # run files of other programs of this home
_LARGEST: Final = 64 * 1024

Pid = Annotated[int, Field(gt=0)]  # 0 and negative numbers mean groups, ours among them


@dataclass(frozen=True, slots=True)
class RunFile:
    """`created` and `owner_created` are process start times in epoch seconds, `context` is in tokens. The warm-up
    tokens are those of our own requests, 0 until the engine is ready: the engine counts them, the ledger does not.
    `segments` are the files of shared memory that it had open when it became ready, `sockets` the folder of its own.

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
    segments: tuple[str, ...] = ()
    sockets: str = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def process(self) -> EngineProcess:
        sockets = Path(self.sockets) if self.sockets else None
        return EngineProcess(self.pid, self.created, segments={Path(one) for one in self.segments}, sockets=sockets)

    def is_running(self) -> bool:
        """Whether that process lives and is what this file says: a vLLM that was started for this port."""
        return self.process().is_alive() and _serves(_command_of(self.pid), self.port)

    def owner_lives(self) -> bool:
        return EngineProcess(self.owner, self.owner_created).is_alive()


_RUN: Final = TypeAdapter(RunFile)


def run_file_path(home: Home, slot: str = DEFAULT_SLOT) -> Path:
    """Where the engine in `slot` is recorded. A slot is a lower-case name; raises ValueError for another."""
    if not _SLOT.fullmatch(slot) or slot in _TAKEN:
        raise ValueError(f"{slot!r} cannot name an engine's place: lower-case letters, digits and - are meant")
    return home.run / f"{slot}.json"


def write_run_file(path: Path, run: RunFile) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomically(path, json.dumps(asdict(run), indent=1).encode())


def read_run_file(path: Path) -> RunFile | None:
    """None when there is none, it cannot be understood, or others than its owner could have written it."""
    try:
        return _RUN.validate_json(_private_bytes(path))
    except (OSError, ValidationError):
        return None


def all_runs(home: Home) -> tuple[tuple[str, RunFile], ...]:
    """Each place of this home that has a run file, with what it says."""
    read = ((path.stem, read_run_file(path)) for path in home.run.glob("*.json"))
    return tuple(sorted(((slot, run) for slot, run in read if run is not None), key=itemgetter(0)))


def _private_bytes(path: Path) -> bytes:
    """Raises OSError unless it is a plain file of ours and of nobody else: processes are ended by it."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    with os.fdopen(handle, "rb") as file:
        told = os.fstat(file.fileno())
        if not stat.S_ISREG(told.st_mode) or told.st_uid != os.geteuid() or told.st_mode & 0o077:
            raise PermissionError(f"{path} is not private to this user")
        return file.read(_LARGEST)


def _command_of(pid: int) -> Sequence[str]:
    try:
        return psutil.Process(pid).cmdline()
    except psutil.Error:
        return ()


def _serves(command: Sequence[str], port: int) -> bool:
    return str(port) in command and any("vllm" in word.lower() for word in command)


def remove_run_file(path: Path, run: str) -> None:
    """Remove it if it still speaks of `run`."""
    known = read_run_file(path)
    if known is not None and known.run == run:
        path.unlink(missing_ok=True)


def orphans_of(run: RunFile) -> bool:
    """Whether workers outlived their server: vLLM's workers do when it is killed, holding their memory.

    While a group lives its number is given to nobody else, so a living leader that is not that server leads another
    group; and only vLLM processes that began after the server count.
    """
    return began(run.pid) is None and any(_is_worker(one, run) for one in group_members(run.pid))


def _is_worker(process: psutil.Process, run: RunFile) -> bool:
    try:
        told = process.name() + " ".join(process.cmdline())
        return process.create_time() >= run.created and "vllm" in told.lower()
    except psutil.Error:
        return False
