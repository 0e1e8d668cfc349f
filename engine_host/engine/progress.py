"""How far a long job of this room is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StepProgress:
    """`text` says what is being done; the bytes belong to the file named in it and are None when unknown."""

    text: str
    done_bytes: int | None = None
    total_bytes: int | None = None


Report = Callable[[StepProgress], None]
