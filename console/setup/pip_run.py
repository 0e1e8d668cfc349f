"""Runs pip for the program's own environment and tells how far it is. Standard library only."""

from __future__ import annotations

import contextlib
import os
import re
import selectors
import signal
import subprocess
from typing import IO, TYPE_CHECKING, Final

from console.setup.lines import bytes_text
from engine_host.engine.pip_output import PipReader
from storage.files import bytes_below

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence
    from pathlib import Path

_LOCKED: Final = re.compile(r"^[A-Za-z0-9][\w.\-\[\]]*==", re.MULTILINE)
_TICK_S: Final = 0.25
_PATIENCE_S: Final = 5.0


class PipCount:
    """What pip's lines and the folders it fills say about how far it is."""

    def __init__(self, lock_text: str, scratch: Path, packages: Path) -> None:
        self.reader = PipReader()
        self.met = 0
        self._wanted = len(_LOCKED.findall(lock_text))
        self._scratch = scratch
        self._packages = packages
        self._before = self._unpacked()
        self._most_bytes = 0

    def feed(self, line: str) -> None:
        self.reader.feed(line)
        self.met += line.startswith(("Collecting ", "Processing ", "Requirement already satisfied"))
        self._wanted -= line.startswith("Ignoring ")

    def text(self) -> str:
        """Packages and bytes so far."""
        self._most_bytes = max(self._most_bytes, bytes_below(self._scratch))
        fetched = bytes_text(self._most_bytes) if self._most_bytes else ""
        if self.reader.to_install:
            arrived = min(max(self._unpacked() - self._before, 0), self.reader.to_install)
            return f"unpacking {arrived} of {self.reader.to_install} packages"
        return " · ".join(part for part in (f"package {self.met} of {self._wanted}", fetched) if part)

    def _unpacked(self) -> int:
        return sum(1 for _ in self._packages.glob("lib/python*/site-packages/*.dist-info"))


def run_watched(
    argv: Sequence[str],
    environment: dict[str, str],
    on_line: Callable[[str], None],
    on_tick: Callable[[], None],
    held_file: int,
) -> int:
    """Run `argv` to its end in a process group of its own and return its exit code; an exception here ends the group.

    `held_file` stays open in the child: a lock on it outlives us as long as the child does.
    """
    child = subprocess.Popen(  # noqa: S603 - our own Python and fixed arguments
        argv,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        pass_fds=(held_file,),
    )
    assert child.stdout is not None  # noqa: S101 - a pipe was asked for
    with child.stdout as output:
        try:
            for line in _lines(output, on_tick):
                on_line(line)
            return child.wait()
        finally:
            _end(child)


def _lines(output: IO[bytes], on_tick: Callable[[], None]) -> Generator[str]:
    rest = b""
    with selectors.DefaultSelector() as selector:
        selector.register(output, selectors.EVENT_READ)
        while True:
            on_tick()
            if not selector.select(_TICK_S):
                continue
            piece = os.read(output.fileno(), 65536)
            *whole, rest = (rest + piece).split(b"\n")
            yield from (line.decode(errors="replace").rstrip("\r") for line in whole)
            if not piece:
                return


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is not None:
        return
    for sign in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            child.wait(_PATIENCE_S)
            return
