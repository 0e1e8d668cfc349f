"""How commands speak: aligned tables and sentences for people, one JSON value with `--json`, errors on stderr."""

from __future__ import annotations

import asyncio
import json
import sys
import unicodedata
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import typer

from engine_host.answering.errors import AnsweringError
from engine_host.client.errors import EngineError
from engine_host.engine.errors import EngineRoomError
from engine_host.orders.errors import OrderSystemError
from knowledge.errors import KnowledgeError
from storage.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Generator, Sequence

T = TypeVar("T")
OURS = (AnsweringError, EngineError, EngineRoomError, KnowledgeError, OrderSystemError, StorageError)


def print_json(value: object) -> None:
    """One JSON value; what the terminal can't show is written as JSON escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=2, default=str)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2, default=str)
    print(text)


def fail(sentence: str) -> NoReturn:
    """Say why the command did not do what it was asked, and end with 1."""
    print(sentence, file=sys.stderr)
    raise typer.Exit(1)


@contextmanager
def sentences() -> Generator[None]:
    """Turns an error that carries a sentence into that sentence and exit 1."""
    try:
        yield
    except OURS as error:
        fail(str(error))


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run the command's one coroutine; Ctrl+C cancels it, cleans up and ends with 130."""
    try:
        with sentences():
            return asyncio.run(work)
    except KeyboardInterrupt:
        raise typer.Exit(130) from None


def width(text: str) -> int:
    """Columns that `text` takes on a terminal: combining marks take none, wide characters two."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me", "Cf") else 1 + (unicodedata.east_asian_width(c) in "WF")
        for c in text
    )


def print_table(header: Sequence[str], rows: Sequence[Sequence[object]], right: frozenset[int] = frozenset()) -> None:
    """Columns as wide as their longest cell; `right` are the numbers of the right-aligned ones."""
    cells = [[str(cell) for cell in row] for row in (header, *rows)]
    widths = [max(width(row[column]) for row in cells) for column in range(len(header))]
    for row in cells:
        parts = [_pad(text, widths[column], column in right) for column, text in enumerate(row)]
        print("  ".join(parts).rstrip())


def _pad(text: str, columns: int, to_right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if to_right else text + space
