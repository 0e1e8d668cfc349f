"""Ends an engine when the program that started it dies without stopping it, by a small process in the engine's group.

The guardian reads a pipe that only that program holds: the pipe ends with the program, however it died. Being a member,
it needs no number to find the group by, and dies with it. A shell forks it and then becomes the engine. The folder of
the engine's sockets goes too: nobody else may be left to remove it.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import psutil

from engine_host.engine.sockets import PREFIX, VARIABLE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

GRACE_S = 3
_MARK = "dabba-guardian"
_SCRIPT = f"""exec 3<&0 </dev/null
( (
    trap '' TERM HUP INT
    read -r word <&3 && exit
    case "${VARIABLE}" in */{PREFIX}*) rm -rf -- "${VARIABLE}" ;; esac
    kill -TERM 0
    sleep {GRACE_S}
    kill -KILL 0
) >/dev/null 2>&1 & )
exec 3<&-
exec "$@"
"""


@dataclass(slots=True)
class Guard:
    """Our end of the pipe. Nothing else of this program may hold it: Python closes it in every child."""

    _end: int | None

    def dismiss(self) -> None:
        """The engine may go on without us, or is gone."""
        end, self._end = self._end, None
        if end is not None:
            with contextlib.suppress(OSError):
                os.write(end, b"leave\n")
            os.close(end)


def guarded(argv: Sequence[str]) -> tuple[tuple[str, ...], int, Guard]:
    """What to run in place of `argv`, the file descriptor for its standard input (close it after), and the guard."""
    read, write = os.pipe()
    return ("/bin/sh", "-c", _SCRIPT, _MARK, *argv), read, Guard(write)


def has_guardian(members: Iterable[psutil.Process]) -> bool:
    """Whether one of `members` is a guardian: a group whose owner has died then ends within seconds."""
    return any(_MARK in _command(one) for one in members)


def _command(process: psutil.Process) -> Sequence[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return ()
