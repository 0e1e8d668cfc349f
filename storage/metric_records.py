"""Frozen records of the engines' kept history. What the bytes of a block mean is known one floor up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class MetricBlock:
    """Some minutes of one engine's samples at one step (seconds between two of them), from `start_at` to `end_at`, both
    included. `columns` names what `body` holds of each of its `rows`.
    """

    engine: str
    step_s: int
    start_at: datetime
    end_at: datetime
    columns: tuple[str, ...]
    rows: int
    body: bytes


@dataclass(frozen=True, slots=True)
class KeptHistory:
    """What is kept of one engine at one step; `body_bytes` without the database's own share."""

    engine: str
    step_s: int
    first_at: datetime
    last_at: datetime
    blocks: int
    rows: int
    body_bytes: int
