"""Who serves the demo order system of this home, or that a person stopped it: one small file that processes share."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - pydantic reads the record's types
from typing import TYPE_CHECKING, Annotated, Final, Literal

import psutil
from pydantic import Field, TypeAdapter, ValidationError

from storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

LOG: Final = logging.getLogger(__name__)
CLOCK_STEP_S: Final = 2.0
"""Linux counts a start from the boot time, which moves when the clock is set right."""


@dataclass(frozen=True, slots=True)
class Running:
    """A process that serves, or served: pid and start time together name it. `by_hand`: by `dabba orders serve`."""

    pid: Annotated[int, Field(gt=0)]
    create_time: float
    port: Annotated[int, Field(gt=0, lt=65_536)]
    by_hand: bool
    state: Literal["running"] = "running"


@dataclass(frozen=True, slots=True)
class StoppedByHand:
    at: datetime
    state: Literal["stopped"] = "stopped"


RunRecord = Running | StoppedByHand
_RECORD: Final[TypeAdapter[RunRecord]] = TypeAdapter(RunRecord)


def read_record(file: Path) -> RunRecord | None:
    """None when it was never started, or was ended by the program that started it."""
    try:
        return _RECORD.validate_json(file.read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValidationError):
        LOG.warning("%s is not a record of this program and is passed over.", file)
        return None


def write_record(file: Path, record: RunRecord | None) -> None:
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if record is None:
        file.unlink(missing_ok=True)
    else:
        write_atomically(file, _RECORD.dump_json(record))


def record_of(pid: int, port: int, *, by_hand: bool) -> Running:
    return Running(pid, psutil.Process(pid).create_time(), port, by_hand)


def process_of(record: Running) -> psutil.Process | None:
    """The process of this record while it lives; a later process with its number is not it."""
    try:
        process = psutil.Process(record.pid)
        same = abs(process.create_time() - record.create_time) < CLOCK_STEP_S
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None
