"""What one import does: which files it takes and what is told about each."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.readers import is_article_file
from storage.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Verdict(StrEnum):
    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What happened to one file, and why in `sentence`. `chunks` = pieces that answer questions from now on."""

    source_name: str
    verdict: Verdict
    sentence: str
    article_id: str | None = None
    chunks: int = 0


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far one file is: pieces that are embedded and written, of all its pieces."""

    source_name: str
    done_chunks: int
    total_chunks: int


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to import under a name, or, with a `refusal`, a path that gives none."""

    path: Path
    source_name: str
    refusal: str = ""


def files_below(paths: Sequence[Path]) -> tuple[FoundFile, ...]:
    """The files of an import in a steady order. A folder gives all that is not hidden, named by its path inside it.

    Two files with the same name would replace each other, so the second one is refused.
    """
    seen: set[str] = set()
    found: list[FoundFile] = []
    for file in (file for path in paths for file in _files_of(path)):
        twice = file.source_name in seen and not file.refusal
        found.append(_refused_as_second(file) if twice else file)
        seen.add(file.source_name)
    return tuple(found)


def _refused_as_second(file: FoundFile) -> FoundFile:
    sentence = f"{file.source_name} was not added: this import has a file of that name already. Rename one of them."
    return FoundFile(file.path, file.source_name, sentence)


def _files_of(path: Path) -> Iterator[FoundFile]:
    if not path.is_dir():
        yield FoundFile(path, one_line(path.name))  # what is wrong with a file is for the reader to say
        return
    files = sorted(file for file in _all_below(path) if not _is_hidden(file.relative_to(path)))
    if not any(map(is_article_file, files)):
        name = one_line(path.name)
        sentence = f"The folder {name} has no articles: only .md and .txt files are read. Choose another folder."
        yield FoundFile(path, name, sentence)
        return
    for file in files:  # one that is no article is refused by the reader, so that no file goes by unsaid
        yield FoundFile(file, one_line(file.relative_to(path).as_posix()))


def _all_below(folder: Path) -> Iterator[Path]:
    return (Path(place) / name for place, _, names in os.walk(folder) for name in names)


def _is_hidden(inside: Path) -> bool:
    return any(part.startswith(".") for part in inside.parts)
