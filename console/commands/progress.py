"""One line on stderr that is written over as work goes on; nothing where stderr is no terminal."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

_CLEAR = "\r\x1b[K"


@contextmanager
def progress_line() -> Generator[Callable[[str], None]]:
    """Gives the function that shows a line; the line is gone in the end."""
    shown = sys.stderr.isatty()

    def tell(text: str) -> None:
        if shown:
            print(f"{_CLEAR}{text}", end="", file=sys.stderr, flush=True)

    try:
        yield tell
    finally:
        tell("")
