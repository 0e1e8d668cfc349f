"""What the import panel shows: how far it is, what happened to each file, and a report to copy. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from console.articles.words import count_text
from console.widgets.pill import PillMark
from knowledge.importing import Verdict

if TYPE_CHECKING:
    from console.theme.tokens import ColorToken
    from console.widgets.pill import PillKind
    from knowledge.importing import ImportProgress, ImportRow

LOOKS: Final[dict[Verdict, tuple[str, PillKind, str, ColorToken]]] = {
    Verdict.ADDED: ("Added", "ok", "ok", "ok"),
    Verdict.REPLACED: ("Replaced", "ok", "ok", "ok"),
    Verdict.UNCHANGED: ("Unchanged", "neutral", "ok", "text-2"),
    Verdict.REFUSED: ("Refused", "error", "error", "error"),
}


RATE_FROM_S: Final = 1.0
"""Under this a rate says nothing."""
LEFT_FROM_S: Final = 2.0
SECONDS_UNTIL_S: Final = 90
SHOWN_WHILE_RUNNING: Final = 200
"""Rows at most while an import runs, for each file lays the list out again; at its end every file has its row."""


class ImportStatus(StrEnum):
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Import:
    """One import. `total` files, None until they are counted; `elapsed_s` so far; `sentence` why it failed; `working`
    are the files that have no row yet."""

    status: ImportStatus = ImportStatus.RUNNING
    rows: tuple[ImportRow, ...] = ()
    total: int | None = None
    elapsed_s: float = 0.0
    sentence: str = ""
    working: tuple[ImportProgress, ...] = ()

    @property
    def runs(self) -> bool:
        return self.status in (ImportStatus.RUNNING, ImportStatus.STOPPING)

    @property
    def fraction(self) -> float | None:
        return len(self.rows) / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class FileShown:
    """One file of the panel. `place` is its number in the import, from 0; `link` opens its article."""

    place: int
    name: str
    sentence: str
    icon: str
    color: ColorToken
    mark: PillMark
    article_id: str = ""
    link: str = ""


def derive_files(shown: Import) -> tuple[FileShown, ...]:
    """The files in work, then refused ones, for something is to be done about them, then those to look at; then the
    newest first."""
    rows = shown.rows
    order = sorted(range(len(rows)), key=lambda place: (_rank(rows[place]), -place))
    done = [_file(place, rows[place]) for place in order[: SHOWN_WHILE_RUNNING if shown.runs else None]]
    working = [_in_work(len(rows) + n, progress) for n, progress in enumerate(shown.working)] if shown.runs else []
    return (*working, *done)


def without_name(name: str, sentence: str) -> str:
    """The sentence under a file's name, without that name and what the pill beside it says already."""
    for begins in ("was added: ", "was replaced: ", "is unchanged: ", "was not added. "):
        told = f"{name} {begins}"
        if sentence.startswith(told):
            rest = sentence.removeprefix(told)
            return rest[:1].upper() + rest[1:]
    return sentence


def derive_heading(running: Import) -> str:
    """`12 of 54 files, 3.1 a second` while it runs, then what it came to."""
    done = len(running.rows)
    rate = f"{done / running.elapsed_s:.1f} a second" if done and running.elapsed_s >= RATE_FROM_S else ""
    if running.runs:
        counted = "counting the files" if running.total is None else f"{done:,} of {_files(running.total)}"
        parts = [counted, rate, _time_left(running)]
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


def _rank(row: ImportRow) -> int:
    return 0 if row.verdict is Verdict.REFUSED else 1 if row.notes else 2


def _file(place: int, row: ImportRow) -> FileShown:
    word, kind, icon, color = LOOKS[row.verdict]
    if row.notes:
        icon, color = ("warning", "warn") if row.verdict is not Verdict.REFUSED else (icon, color)
    article_id = row.article_id or ""
    link = "Look at it" if article_id else ""
    said = without_name(row.source_name, _told(row))
    return FileShown(place, row.source_name, said, icon, color, PillMark(word, kind), article_id, link)


def _in_work(place: int, progress: ImportProgress) -> FileShown:
    done, total = progress.done_chunks, progress.total_chunks
    if not total:
        stage, said = "Reading", "It is read and cut into chunks."
    elif done < total:
        stage, said = "Embedding", f"{done:,} of {count_text(total, 'chunk')} embedded."
    else:
        stage, said = "Checking", f"{count_text(total, 'chunk')} embedded; what can be found of it is checked."
    return FileShown(place, progress.source_name, said, "clock", "info", PillMark(stage, "info"))


def _time_left(running: Import) -> str:
    done = len(running.rows)
    if not (done and running.total and running.elapsed_s >= LEFT_FROM_S):
        return ""
    seconds = (running.total - done) * running.elapsed_s / done
    return f"{seconds:.0f} s left" if seconds < SECONDS_UNTIL_S else f"{seconds / 60:.0f} min left"


def _told(row: ImportRow) -> str:
    """What happened, then how the file was read."""
    return " ".join((row.sentence, *row.notes))


def _files(number: int) -> str:
    return count_text(number, "file")
