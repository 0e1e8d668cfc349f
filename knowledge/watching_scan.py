"""What lies in a watched folder: the files that may become articles, by name, size and time of the last change."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Final

from knowledge.importing import files_below
from knowledge.readers.kinds import ARCHIVE_SUFFIX, SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from knowledge.importing import FoundFile

_TAKEN: Final = SUFFIXES | {ARCHIVE_SUFFIX}
_OFFICE_LOCK: Final = "~$"
"""Begins the name of the file that Word keeps beside one that is open in it."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """What tells that a file changed, without reading it."""

    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True)
class Scan:
    """`files` and their `paths` by what they are called inside the folder. `others` counts the files of kinds that
    never become articles: pictures, what an editor or a download keeps for a while."""

    files: Mapping[str, Stamp]
    paths: Mapping[str, Path]
    others: int = 0


def scan(folder: Path) -> Scan:
    """Everything below the folder that is not hidden. Raises OSError when the folder can't be read."""

    def told(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError) or error.filename == str(folder):
            raise error  # else os.walk goes by what it can't read, and its files would seem to be gone

    files: dict[str, Stamp] = {}
    paths: dict[str, Path] = {}
    others = 0
    for place, folders, names in os.walk(folder, onerror=told):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(place, name)
            if _is_article(name):
                if stamp := _stamp_of(path):
                    files[_called(path, folder)], paths[_called(path, folder)] = stamp, path
            elif not name.startswith("."):
                others += 1
    return Scan(files, paths, others)


def settled(now: Mapping[str, Stamp], before: Mapping[str, Stamp]) -> frozenset[str]:
    """The files that did not change between two looks: nobody is writing them."""
    return frozenset(name for name, stamp in now.items() if before.get(name) == stamp)


def found_in(folder: Path, names: Collection[str]) -> Mapping[str, Sequence[FoundFile]]:
    """What an import of the whole folder makes of these files: one each, of a zip all that is in it."""
    found: dict[str, list[FoundFile]] = {name: [] for name in names}
    for file in files_below([folder]) if names else ():
        if file.path != folder and (below := _called(file.path, folder)) in found:
            found[below].append(file)
    return found


def digest_of(path: Path) -> str:
    """The sha256 of a file; "" when it can't be read."""
    try:
        with path.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError:
        return ""


def _called(path: Path, folder: Path) -> str:
    """The path inside the folder, as text that can be kept: a name may hold bytes that are no UTF-8."""
    return path.relative_to(folder).as_posix().encode("utf-8", "backslashreplace").decode()


def _is_article(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in _TAKEN and not name.startswith((".", _OFFICE_LOCK))


def _stamp_of(path: Path) -> Stamp | None:
    """None for one that was removed meanwhile, or is no file."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_size, found.st_mtime_ns) if path.is_file() else None
