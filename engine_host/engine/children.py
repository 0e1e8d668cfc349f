"""Runs a helper program to its end, line by line, in a process group of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_TAIL_LINES = 40
_LONGEST_LINE = 1024 * 1024
_FOREIGN_PYTHON = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "__PYVENV_LAUNCHER__")


@dataclass(frozen=True, slots=True)
class Finished:
    """`tail` holds the last lines of stdout and stderr together."""

    returncode: int
    tail: tuple[str, ...]


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Our environment without what would make another Python look for its packages in ours."""
    kept = {name: value for name, value in os.environ.items() if name not in _FOREIGN_PYTHON}
    return kept | {"PYTHONUNBUFFERED": "1"} | dict(extra or {})


def kill_group(group: int, sign: signal.Signals = signal.SIGKILL) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, sign)


async def run_lines(
    argv: Sequence[str],
    on_line: Callable[[str], None],
    env: Mapping[str, str] | None = None,
) -> Finished:
    """Run `argv` and call `on_line` for each line it prints. Cancelling kills its whole group.

    Raises OSError when the program cannot be started.
    """
    child = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=clean_environment(env),
        start_new_session=True,
        limit=_LONGEST_LINE,
    )
    tail: deque[str] = deque(maxlen=_TAIL_LINES)
    try:
        async for raw in cast("asyncio.StreamReader", child.stdout):
            line = raw.decode("utf-8", errors="replace").rstrip("\r\n")
            tail.append(line)
            on_line(line)
        return Finished(await child.wait(), tuple(tail))
    finally:
        if child.returncode is None:
            kill_group(child.pid)
            await child.wait()
