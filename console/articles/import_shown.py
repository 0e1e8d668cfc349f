"""What the import panel shows: how far it is, what happened to each file, and a report to copy. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from console.articles.words import count_text
from console.widgets.pill import PillMark
from knowledge.importing import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.tokens import ColorToken
    from console.widgets.pill import PillKind
    from knowledge.importing import ImportRow

LOOKS: Final[dict[Verdict, tuple[str, PillKind, str, ColorToken]]] = {
    Verdict.ADDED: ("Added", "ok", "ok", "ok"),
    Verdict.REPLACED: ("Replaced", "ok", "ok", "ok"),
    Verdict.UNCHANGED: ("Unchanged", "neutral", "ok", "text-2"),
    Verdict.REFUSED: ("Refused", "error", "error", "error"),
}


RATE_FROM_S: Final = 1.0
"""Under this a rate says nothing."""


class ImportStatus(StrEnum):
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Import:
    """One import. `total` files, None until they are counted; `elapsed_s` so far; `sentence` why it failed."""

    status: ImportStatus = ImportStatus.RUNNING
    rows: tuple[ImportRow, ...] = ()
    total: int | None = None
    elapsed_s: float = 0.0
    sentence: str = ""

    @property
    def runs(self) -> bool:
        return self.status in (ImportStatus.RUNNING, ImportStatus.STOPPING)

    @property
    def fraction(self) -> float | None:
        return len(self.rows) / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class FileShown:
    """One file of the panel. `place` is its number in the import, from 0."""

    place: int
    name: str
    sentence: str
    icon: str
    color: ColorToken
    mark: PillMark


def derive_files(rows: Sequence[ImportRow]) -> tuple[FileShown, ...]:
    """Refused files first, for something is to be done about them; then the newest first."""
    shown = [_file(place, row) for place, row in enumerate(rows)]
    return tuple(sorted(shown, key=lambda file: (file.mark.kind != "error", -file.place)))


def derive_heading(running: Import) -> str:
    """`12 of 54 files, 3.1 a second` while it runs, then what it came to."""
    done = len(running.rows)
    rate = f"{done / running.elapsed_s:.1f} a second" if done and running.elapsed_s >= RATE_FROM_S else ""
    if running.runs:
        parts = ["counting the files" if running.total is None else f"{done:,} of {_files(running.total)}", rate]
    elif running.status is ImportStatus.DONE:
        chunks = sum(row.chunks for row in running.rows if row.verdict in (Verdict.ADDED, Verdict.REPLACED))
        took = f"{max(running.elapsed_s, 0.1):.1f} s"
        parts = [f"{_files(done)} in {took}", count_text(chunks, "chunk") if chunks else "", rate]
    else:
        word = "stopped" if running.status is ImportStatus.STOPPED else "ended early"
        parts = [f"{word} after {done:,} of {_files(running.total)}" if running.total else word]
    return ", ".join(part for part in parts if part)


def derive_tally(shown: Import) -> str:
    """`2 added, 1 replaced, 1 unchanged, 1 refused`; what there is none of is left out."""
    verdicts = [row.verdict for row in shown.rows]
    parts = [f"{verdicts.count(verdict):,} {verdict.value}" for verdict in Verdict if verdict in verdicts]
    return ", ".join(parts) or ("No file yet" if shown.runs else "No file was read")


def derive_report(ended: Import) -> str:
    """The whole import as text: the sums, then a line a file with tabs between its columns."""
    head = f"Import: {derive_heading(ended)}. {derive_tally(ended)}."
    lines = [f"{row.source_name}\t{row.verdict.value}\t{_told(row)}" for row in ended.rows]
    return "\n".join([head, *([ended.sentence] if ended.sentence else []), *lines])


def _file(place: int, row: ImportRow) -> FileShown:
    word, kind, icon, color = LOOKS[row.verdict]
    return FileShown(place, row.source_name, _told(row), icon, color, PillMark(word, kind))


def _told(row: ImportRow) -> str:
    """What happened, then how the file was read."""
    return " ".join((row.sentence, *row.notes))


def _files(number: int) -> str:
    return count_text(number, "file")
