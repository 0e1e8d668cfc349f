"""What the log card says beside its rows. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from console.widgets.segment import Option

if TYPE_CHECKING:
    from console.engine.log_book import Filter

LEVELS: Final = (Option("all", "All"), Option("warn", "Warnings", 0), Option("error", "Errors", 0))


def derive_empty(level: Filter) -> str:
    return {"all": "No line yet.", "warn": "No warning in this log.", "error": "No error in this log."}[level]


def derive_unit(count: int, limit: int) -> str:
    """The number of lines; from the limit on, older ones are only in the file."""
    return f"{count:,} lines" if count < limit else f"the last {count:,} lines"


def derive_place(hits: int, current: int | None) -> str:
    """`3 of 6` beside the search."""
    if hits == 0:
        return "no match"
    return f"{current + 1} of {hits:,}" if current is not None else f"{hits:,} matches"
