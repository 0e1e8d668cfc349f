"""What every change of the library works with, and the steps that it goes through."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from knowledge.index import PassageIndex
    from storage.database import Database

T = TypeVar("T")


class Step(StrEnum):
    """The program may die between any two; see docs/decisions/0013-publishing.md for what is left then."""

    PREPARED = "cut and embedded"
    STAGED = "points of the new generation written"
    CHECKED = "new generation checked"
    SWITCHED = "rows switched to the new generation"
    SWEPT = "points of the old generation deleted"
    PROVEN = "old generation seen gone"
    CHANGED = "row says who may see the article"
    FACTS_SET = "points say it too"
    WITHDRAWN = "rows deleted, receipt opened"
    DELETED = "points deleted"
    RECEIPTED = "receipt completed"


def nothing(*_: object) -> None:
    """Nobody is told, nothing is done besides."""


@dataclass(frozen=True, slots=True)
class Hands:
    """`by` is who changes something; of an article `keep` versions are kept.

    `switched` is called when searches must see a change, `reached` after each step.
    """

    db: Database
    index: PassageIndex
    by: str = ""
    keep: int = 50
    switched: Callable[[], None] = field(default=nothing)
    reached: Callable[[Step], None] = field(default=nothing)


async def to_the_end(work: Coroutine[object, object, T]) -> T:
    """Finish `work` even when the caller is cancelled, and only then let the cancellation go on."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait({task})
        raise
