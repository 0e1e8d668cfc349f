"""The processes of a hosted engine as the system sees them: one that is gone or stopped is known within a second."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import psutil

from engine_host.engine.process import group_members

if TYPE_CHECKING:
    from collections.abc import Sequence

_STOPPED = (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP)
_WORKER = "VLLM::"  # what vLLM names its own processes, from the core to the last worker


@dataclass(frozen=True, slots=True)
class Vitals:
    """Half sentences without a full stop, "" = well. `gone`: one has ended, so the engine has; `stopped`: none runs."""

    gone: str = ""
    stopped: str = ""


@dataclass(slots=True)
class Members:
    """The server and the workers that it has when it becomes ready: by then each has given itself its title."""

    group: int
    _workers: dict[int, psutil.Process] = field(default_factory=dict[int, psutil.Process])
    _names: dict[int, str] = field(default_factory=dict[int, str])

    def note(self) -> None:
        for one in group_members(self.group):
            if name := _title(one):
                self._workers[one.pid] = one
                self._names[one.pid] = name

    def look(self) -> Vitals:
        gone = [f"{self._names[pid]} ({pid})" for pid, one in self._workers.items() if _is_gone(one)]
        if gone:
            return Vitals(gone=f"its process {_listed(gone)} ended")
        server = {self.group: "the server"} if _status(self.group) in _STOPPED else {}
        held = server | {pid: self._names[pid] for pid in self._workers if _status(pid) in _STOPPED}
        if held:
            names = _listed([f"{name} ({pid})" for pid, name in held.items()])
            return Vitals(stopped=f"its process {names} was stopped by a signal")
        return Vitals()


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names)


def _title(process: psutil.Process) -> str:
    """The title that a worker gave itself, which stands in its command line; "" when it has none."""
    try:
        return next((word.strip() for word in process.cmdline() if word.startswith(_WORKER)), "")
    except psutil.Error:
        return ""


def _is_gone(process: psutil.Process) -> bool:
    try:
        return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


def _status(pid: int) -> str:
    try:
        return psutil.Process(pid).status()
    except psutil.Error:
        return ""
