"""What is known of the watched folder at this moment, for pages and commands. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from knowledge.importing import Verdict

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime
    from pathlib import Path

    from knowledge.watching_memory import Taken


class WatchStatus(StrEnum):
    OFF = "off"
    WATCHING = "watching"
    TAKING_IN = "taking in"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True)
class WatchRow:
    """What came of a file. `verdict` None = the file is gone from the folder and its article still answers."""

    source_name: str
    verdict: Verdict | None
    sentence: str
    at: datetime
    article_id: str | None = None


@dataclass(frozen=True, slots=True)
class WatchState:
    """`trouble` is why nothing is taken in, as a sentence. `files` are those in the folder that became articles or were
    refused, `others` those of kinds that never do. While files are taken in, `done` of `total` have their row."""

    folder: Path | None = None
    status: WatchStatus = WatchStatus.OFF
    trouble: str = ""
    files: int = 0
    others: int = 0
    done: int = 0
    total: int = 0
    rows: tuple[WatchRow, ...] = ()

    @property
    def refused(self) -> int:
        return sum(row.verdict is Verdict.REFUSED for row in self.rows)

    @property
    def gone(self) -> int:
        return sum(row.verdict is None for row in self.rows)


def rows_of(files: Mapping[str, Taken], gone: Collection[str]) -> tuple[WatchRow, ...]:
    """A row for each file that was taken in, the newest first."""
    rows = [
        WatchRow(row.source_name, None, _told_gone(row.source_name), row.at, row.article_id)
        if name in gone
        else WatchRow(row.source_name, row.verdict, row.sentence, row.at, row.article_id)
        for name, taken in files.items()
        for row in taken.rows
        if name not in gone or row.article_id
    ]
    return tuple(sorted(rows, key=lambda row: (row.at, row.source_name), reverse=True))


def cannot_read(folder: Path, reason: str) -> str:
    return (
        f"The watched folder {folder} can't be read: {reason}. Nothing is taken in until it is back; its articles "
        "answer as before."
    )


def is_empty(folder: Path, files: int) -> str:
    known = "1 article came" if files == 1 else f"{files:,} articles came"
    return (
        f"The watched folder {folder} is empty, and {known} from it. They answer as before. If it lies on a drive, "
        "check that the drive is there."
    )


def _told_gone(name: str) -> str:
    return f"{name} is gone from the folder. Its article still answers: retire or delete it here if it should not."
