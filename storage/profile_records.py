"""The record of an engine profile, as kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True)
class ProfileRow:
    """One version of a profile. `body` is JSON of the room that starts engines; versions count from 1."""

    name: str
    version: int
    body: Mapping[str, Any]
    note: str
    created_at: datetime
