"""Parsing in a process of its own: a hostile PDF, Word file or web page may hang, crash or eat memory there.

One child serves many files, one after the other. It watches its own time and memory, and ends when its input closes.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import knowledge
from knowledge.errors import ReadRefused
from knowledge.readers.record import Extract, Note

if TYPE_CHECKING:
    from types import TracebackType
    from typing import IO, Self

LIMIT_S: Final = 40.0
LARGEST_MEMORY: Final = 2 * 1024**3
_END_S: Final = 2.0
_log = logging.getLogger(__name__)


class Apart:
    """The child, started at the first file and again after one that ended it. Used by one thread at a time."""

    def __init__(self, limit_s: float = LIMIT_S) -> None:
        self._limit_s = limit_s
        self._child: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def parse(self, kind: str, data: bytes) -> Extract:
        """What the reader of this kind makes of the bytes. Raises ReadRefused, also when it takes too long."""
        began = time.monotonic()
        answer = self._asked(kind, data)
        if answer is None:
            raise self._lost(time.monotonic() - began)
        if "refused" in answer:
            raise ReadRefused(answer["refused"])
        notes = tuple(Note(sentence, flag) for sentence, flag in answer.pop("notes"))
        return Extract(**answer, notes=notes)

    def close(self) -> None:
        """End the child. A second call does nothing."""
        child, self._child = self._child, None
        if child is None:
            return
        for pipe in (child.stdin, child.stdout):
            if pipe:
                with contextlib.suppress(OSError):
                    pipe.close()
        try:
            child.wait(_END_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        if self._said:
            self._said.close()

    def _asked(self, kind: str, data: bytes) -> dict[str, Any] | None:
        """The child's answer; None when it ended instead."""
        child = self._child or self._started()
        if child.stdin is None or child.stdout is None:
            return None
        try:
            child.stdin.write(json.dumps({"kind": kind, "size": len(data)}).encode() + b"\n" + data)
            child.stdin.flush()
        except OSError:
            return None
        line = child.stdout.readline()
        return json.loads(line) if line.endswith(b"\n") else None

    def _started(self) -> subprocess.Popen[bytes]:
        code = str(Path(next(iter(knowledge.__path__))).parent)
        path = os.pathsep.join(filter(None, (code, os.environ.get("PYTHONPATH"))))
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the child
        self._child = subprocess.Popen(  # noqa: S603 - our own module
            (sys.executable, "-m", "knowledge.readers.child", str(self._limit_s)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._said,
            env=os.environ | {"PYTHONPATH": path},
        )
        return self._child

    def _lost(self, took_s: float) -> ReadRefused:
        if self._said:
            self._said.seek(0)
            _log.info("A file ended the process that read it: %s", self._said.read()[-2000:].decode("utf-8", "replace"))
        self.close()
        if took_s >= self._limit_s:
            return ReadRefused(f"Reading it took longer than {self._limit_s:g} s. Split it, or save it as Markdown.")
        return ReadRefused(
            "It can't be read: it is damaged, or needs more memory than a file may. "
            "Open it in the program that made it and save it anew, or save it as Markdown."
        )
