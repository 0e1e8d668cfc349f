"""The turns that are being answered at this moment, each with what it holds of the engine."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from engine_host.answering.turn_record import TurnRecord


class Step(StrEnum):
    """How far a turn has come, as its own desk sees it: nobody here can tell an engine's queue from its prefill."""

    BEFORE = "before the engine"
    ASKED = "waits for the first token"
    WRITING = "writing"


@dataclass(frozen=True, slots=True)
class TurnUnderWay:
    """`prompt_tokens` None: the engine has not counted the prompt yet. `output_tokens` and `max_tokens` are those of
    the request that the engine `engine_run` works on now; `cached_tokens` is the part of the prompt that it had."""

    turn_id: str
    tenant_id: str
    asked_at: datetime
    step: Step
    engine_run: str | None = None
    prompt_tokens: int | None = None
    cached_tokens: int = 0
    output_tokens: int = 0
    max_tokens: int | None = None


class TurnsUnderWay:
    """All methods belong to the loop in which the turns are answered. Nothing is done while nobody asks."""

    def __init__(self) -> None:
        self._records: dict[str, TurnRecord] = {}

    def enter(self, record: TurnRecord) -> None:
        self._records[record.turn_id] = record

    def leave(self, turn_id: str) -> None:
        self._records.pop(turn_id, None)

    def snapshot(self) -> tuple[TurnUnderWay, ...]:
        """Each turn as it is now, in the order in which they began."""
        return tuple(record.under_way() for record in self._records.values())
