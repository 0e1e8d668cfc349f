"""The log as it is shown: bounded, only appended to, filtered by level, searched, folded to the width. No Qt."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from operator import attrgetter
from textwrap import shorten
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from console.engine.log_lines import as_written, read_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from console.engine.log_lines import Clock, LogEntry

Filter = Literal["all", "warn", "error"]
LIMIT: Final = 100_000
TRIM: Final = 1_000
"""So many of the oldest entries leave at once when the limit is passed."""
INDENT: Final = 2
"""Characters by which a folded line is set in."""
MOST_ROWS: Final = 6
NEAR: Final = 200
LINE: Final = 110
"""Among so many newest entries an error counts as one of the end; so many characters of it are told."""
_NUMBER: Final = attrgetter("number")
_SHOWN: Final[dict[Filter, frozenset[str]]] = {
    "all": frozenset(("", "INFO", "WARN", "ERROR")),
    "warn": frozenset(("WARN",)),
    "error": frozenset(("ERROR",)),
}


class LogRow(NamedTuple):
    """A row of the screen: characters `begin` to `end` of the entry with this number."""

    number: int
    begin: int
    end: int


class Hit(NamedTuple):
    number: int
    begin: int
    end: int


@dataclass(slots=True)
class _Kept:
    """An entry with what filter and search need, so that neither reads every line anew."""

    entry: LogEntry
    lowered: str
    folds: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Change:
    """So many rows left at the top, then so many came at the end."""

    removed: int
    added: int


class LogBook:
    """Entries are numbered from 0 for as long as the book lives; `rows` and `hits` hold those that are shown."""

    def __init__(self, columns: int = 80, limit: int = LIMIT, clock: Clock = as_written) -> None:
        self.rows: list[LogRow] = []
        self.hits: list[Hit] = []
        self.counts: dict[Filter, int] = {"all": 0, "warn": 0, "error": 0}
        self._kept: list[_Kept] = []
        self._first = 0
        self._columns = columns
        self._limit = limit
        self._clock = clock
        self._filter: Filter = "all"
        self._search = ""

    @property
    def entries(self) -> tuple[LogEntry, ...]:
        return tuple(kept.entry for kept in self._kept)

    def last_told(self, count: int) -> tuple[str, ...]:
        """The last errors among the newest entries, each on one line; the last lines when there is none."""
        near = [kept.entry for kept in self._kept[-NEAR:]]
        errors = [entry for entry in near if entry.level == "ERROR" and not entry.text.startswith((" ", "Traceback"))]
        return tuple(shorten(entry.text, LINE, placeholder=" …") for entry in (errors or near)[-count:])

    @property
    def filter(self) -> Filter:
        return self._filter

    def entry(self, number: int) -> LogEntry:
        return self._kept[number - self._first].entry

    def add(self, lines: Iterable[str]) -> Change:
        before = len(self.rows)
        for line in lines:
            entry = read_line(line, self._clock)
            if entry is not None:
                kept = _Kept(entry, entry.text.casefold(), fold(entry.text, self._columns))
                self._kept.append(kept)
                self._count(entry, 1)
                self._show(self._first + len(self._kept) - 1, kept)
        added = len(self.rows) - before
        return Change(self._trim(), added)

    def clear(self) -> None:
        self._first += len(self._kept)
        self._kept.clear()
        self.rows, self.hits = [], []
        self.counts = {"all": 0, "warn": 0, "error": 0}

    def set_columns(self, columns: int) -> bool:
        """Fold at another width; whether that changes anything."""
        columns = max(columns, 10)
        if columns == self._columns:
            return False
        self._columns = columns
        for kept in self._kept:
            kept.folds = fold(kept.entry.text, columns)
        self._show_all()
        return True

    def set_filter(self, chosen: Filter) -> None:
        self._filter = chosen
        self._show_all()

    def set_search(self, words: str) -> None:
        self._search = words.casefold()
        self.hits = []
        for offset, kept in enumerate(self._kept):
            if kept.entry.level in _SHOWN[self._filter]:
                self._find(self._first + offset, kept)

    def hits_of(self, number: int) -> tuple[Hit, ...]:
        """The hits in one entry; only asked for rows on the screen."""
        text = self._kept[number - self._first].lowered if self._search else ""
        return tuple(Hit(number, at, at + len(self._search)) for at in _places(text, self._search))

    def row_of(self, hit: Hit) -> int:
        """The row that shows the hit; the last one of its entry when the entry was cut."""
        first = bisect_left(self.rows, hit.number, key=_NUMBER)
        after = bisect_left(self.rows, hit.number + 1, key=_NUMBER)
        return next((place for place in range(first, after) if self.rows[place].end > hit.begin), after - 1)

    def _show_all(self) -> None:
        self.rows, self.hits = [], []
        for offset, kept in enumerate(self._kept):
            self._show(self._first + offset, kept)

    def _show(self, number: int, kept: _Kept) -> None:
        if kept.entry.level in _SHOWN[self._filter]:
            self.rows += [LogRow(number, begin, end) for begin, end in kept.folds]
            self._find(number, kept)

    def _find(self, number: int, kept: _Kept) -> None:
        if self._search:
            places = _places(kept.lowered, self._search)
            self.hits += [Hit(number, at, at + len(self._search)) for at in places]

    def _count(self, entry: LogEntry, by: int) -> None:
        self.counts["all"] += by
        if entry.level == "WARN":
            self.counts["warn"] += by
        elif entry.level == "ERROR":
            self.counts["error"] += by

    def _trim(self) -> int:
        """Let the oldest entries go when there are too many; how many rows left with them."""
        over = len(self._kept) - self._limit
        if over <= 0:
            return 0
        gone = min(max(over, TRIM), len(self._kept))
        for kept in self._kept[:gone]:
            self._count(kept.entry, -1)
        del self._kept[:gone]
        self._first += gone
        rows = bisect_left(self.rows, self._first, key=_NUMBER)
        del self.rows[:rows]
        del self.hits[: bisect_left(self.hits, self._first, key=_NUMBER)]
        return rows


def fold(text: str, columns: int) -> tuple[tuple[int, int], ...]:
    """(begin, end) of each row: broken at spaces where there are some, at most MOST_ROWS of them."""
    if len(text) <= columns:
        return ((0, len(text)),)
    pieces: list[tuple[int, int]] = []
    begin, room = 0, columns
    while len(text) - begin > room and len(pieces) < MOST_ROWS - 1:
        space = text.rfind(" ", begin + room // 2, begin + room + 1)
        end = space if space > begin else begin + room
        pieces.append((begin, end))
        begin = end + (1 if space > begin else 0)
        room = columns - INDENT
    return (*pieces, (begin, len(text)))


def _places(text: str, words: str) -> list[int]:
    places: list[int] = []
    at = text.find(words) if words else -1
    while at >= 0:
        places.append(at)
        at = text.find(words, at + len(words))
    return places
