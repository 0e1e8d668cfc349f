"""What the page says of the watched folder: one line, a row a file, and the sums. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.articles.import_shown import LOOKS, FileShown, without_name
from console.articles.words import count_text, moment_text
from console.widgets.pill import PillMark
from knowledge.importing import Verdict
from knowledge.watching_state import WatchStatus

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime, tzinfo

    from console.theme.tokens import ColorToken
    from console.widgets.pill import PillKind
    from knowledge.watching_state import WatchRow, WatchState

GONE: Final[tuple[str, PillKind, str, ColorToken]] = ("Gone", "warn", "warning", "warn")
TAKEN: Final = (Verdict.ADDED, Verdict.REPLACED)


@dataclass(frozen=True, slots=True)
class WatchLineShown:
    text: str
    icon: str
    color: ColorToken


def derive_watch_line(state: WatchState, now: datetime, zone: tzinfo) -> WatchLineShown | None:
    """`Watching ~/help: 54 files. 3 taken in at 12:40, 1 refused.`; None when no folder is watched."""
    if state.folder is None:
        return None
    name = folder_text(state.folder)
    if state.trouble:
        return WatchLineShown(state.trouble, "error", "error")
    if state.status is WatchStatus.OFF:
        return WatchLineShown(f"Looking at {name}…", "clock", "info")
    if state.status is WatchStatus.TAKING_IN:
        taken = f"{state.done:,} of {count_text(state.total, 'file')} taken in"
        return WatchLineShown(f"Watching {name}: {taken}…", "import", "info")
    parts = [_newest(state, now, zone), *_troubles(state)]
    said = f" {', '.join(part for part in parts if part)}." if any(parts) else ""
    color: ColorToken = "warn" if state.refused or state.gone else "text-2"
    return WatchLineShown(f"Watching {name}: {count_text(state.files, 'file')}.{said}", "folder", color)


def derive_watch_files(state: WatchState, known: Collection[str]) -> tuple[FileShown, ...]:
    """What asks for something to be done first, then the newest. `known` are the articles that there are."""
    rows = sorted(state.rows, key=lambda row: row.verdict not in (Verdict.REFUSED, None))
    return tuple(_file(place, row, known) for place, row in enumerate(rows))


def derive_watch_tally(state: WatchState) -> str:
    """`52 added, 1 refused, 1 gone; 12 of other kinds left alone`."""
    verdicts = [row.verdict for row in state.rows]
    parts = [f"{verdicts.count(verdict):,} {verdict.value}" for verdict in Verdict if verdict in verdicts]
    parts += [f"{state.gone:,} gone"] if state.gone else []
    others = [f"{state.others:,} of other kinds left alone"] if state.others else []
    return "; ".join([", ".join(parts) or "No file yet", *others])


def folder_text(folder: Path) -> str:
    """The path as a person writes it, with ~ for their own folder."""
    home = Path.home()
    return f"~/{folder.relative_to(home).as_posix()}" if folder.is_relative_to(home) else str(folder)


def _newest(state: WatchState, now: datetime, zone: tzinfo) -> str:
    taken = [row.at for row in state.rows if row.verdict in TAKEN]
    if not taken:
        return ""
    newest = max(taken)
    when = moment_text(newest, now, zone)
    return f"{taken.count(newest):,} taken in {'at' if ':' in when else 'on'} {when}"


def _troubles(state: WatchState) -> list[str]:
    counts = ((state.refused, "refused"), (state.gone, "gone"))
    return [f"{count:,} {word}" for count, word in counts if count]


def _file(place: int, row: WatchRow, known: Collection[str]) -> FileShown:
    word, kind, icon, color = GONE if row.verdict is None else LOOKS[row.verdict]
    article_id = row.article_id if row.article_id in known else None
    link = "Look at it" if article_id else ""
    said = without_name(row.source_name, row.sentence)
    return FileShown(place, row.source_name, said, icon, color, PillMark(word, kind), article_id or "", link)
