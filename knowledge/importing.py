"""What one import does: which files it takes and what is told about each."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from knowledge.errors import ReadRefused
from knowledge.readers.archive import members_of
from knowledge.readers.kinds import ARCHIVE_SUFFIX, READABLE, SUFFIXES
from storage.text import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from storage.records import ArticleRow


class Verdict(StrEnum):
    ADDED = "added"
    REPLACED = "replaced"
    UNCHANGED = "unchanged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class ImportRow:
    """What happened to one file, and why in `sentence`. `chunks` = pieces that answer questions from now on.

    `notes` are sentences about how it was read: what was left out, what asks for a look.
    """

    source_name: str
    verdict: Verdict
    sentence: str
    article_id: str | None = None
    chunks: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportProgress:
    """How far one file is: pieces that are embedded, of all its pieces; none of none = it is being read."""

    source_name: str
    done_chunks: int
    total_chunks: int


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to import under a name, or, with a `refusal`, a path that gives none. `member` = its name in a zip."""

    path: Path
    source_name: str
    refusal: str = ""
    member: str = ""


def files_below(paths: Sequence[Path]) -> tuple[FoundFile, ...]:
    """The files of an import in a steady order. A folder and a zip give all that is not hidden in them, named by the
    path inside.

    Two files with the same name would replace each other, so the second one is refused.
    """
    seen: set[str] = set()
    found: list[FoundFile] = []
    for file in (file for path in paths for file in _files_of(path)):
        twice = file.source_name in seen and not file.refusal
        found.append(_refused_as_second(file) if twice else file)
        seen.add(file.source_name)
    return tuple(found)


def row_of(name: str, verdict: Verdict, article_id: str, chunks: int, notes: tuple[str, ...]) -> ImportRow:
    """The row of a file whose article is in the library now."""
    if verdict is Verdict.UNCHANGED:
        sentence = f"{name} is unchanged: its article already answers questions."
    else:
        pieces = "1 piece answers" if chunks == 1 else f"{chunks} pieces answer"
        sentence = f"{name} was {verdict}: {pieces} questions from now on."
    return ImportRow(name, verdict, sentence, article_id, chunks, notes)


def told_of_twin(twin: ArticleRow | None) -> tuple[str, ...]:
    """What is told of another article that has the same text."""
    if twin is None:
        return ()
    return (f"The same text is in the library as {twin.source_name}. Remove one of them, or each question finds both.",)


def _refused_as_second(file: FoundFile) -> FoundFile:
    sentence = f"{file.source_name} was not added: this import has a file of that name already. Rename one of them."
    return FoundFile(file.path, file.source_name, sentence, file.member)


def _files_of(path: Path) -> Iterator[FoundFile]:
    if not path.is_dir():
        yield from _files_at(path, path.name)  # what is wrong with a file is for the reader to say
        return
    name = one_line(path.name)
    passed: list[FoundFile] = []
    paths = sorted(file for file in _all_below(path, passed) if not _is_hidden(file.relative_to(path)))
    home = path.resolve()
    files = [file for below in paths for file in _files_in(home, below, below.relative_to(path).as_posix())]
    yield from passed
    if not passed and not any(
        PurePosixPath(file.member or file.path.name).suffix.lower() in SUFFIXES for file in files
    ):
        sentence = f"The folder {name} has no articles: only {READABLE} are read. Choose another folder."
        yield FoundFile(path, name, sentence)
        return
    yield from files  # one that is no article is refused by the reader, so that no file goes by unsaid


def _files_in(folder: Path, path: Path, name: str) -> Iterator[FoundFile]:
    """As `_files_at` for a file below `folder`. A link may lead to another file of it, but not out of it: whoever may
    write into a shared folder could make an article of any file that this program can read."""
    if path.is_symlink() and not path.resolve().is_relative_to(folder):
        told = one_line(name)
        yield FoundFile(path, told, f"{told} was not added: it is a link out of its folder. Put the file itself there.")
        return
    yield from _files_at(path, name, in_folder=True)


def _files_at(path: Path, name: str, *, in_folder: bool = False) -> Iterator[FoundFile]:
    """The file itself, or the members of a zip; those of a zip in a folder are named below it."""
    if path.suffix.lower() != ARCHIVE_SUFFIX or not path.is_file():
        yield FoundFile(path, one_line(name))
        return
    try:
        members = members_of(path)
    except (ReadRefused, OSError) as error:
        told = str(error) if isinstance(error, ReadRefused) else f"It can't be opened: {error.strerror}. Check it."
        yield FoundFile(path, one_line(name), f"{one_line(name)} was not added. {told}")
        return
    if not members:
        yield FoundFile(path, one_line(name), f"{one_line(name)} has no files. Choose another zip.")
    for member in members:
        told = one_line(f"{name}/{member.name}" if in_folder else member.name)
        refusal = f"{told} was not added. {member.refusal}" if member.refusal else ""
        yield FoundFile(path, told, refusal, member.name)


def _all_below(folder: Path, passed: list[FoundFile]) -> Iterator[Path]:
    """The files below the folder; `passed` are the folders in it that are not looked into, and why."""

    def pass_by(path: Path, reason: str) -> None:
        inside = path.relative_to(folder)
        if not _is_hidden(inside):
            name = one_line(inside.as_posix() if inside.parts else folder.name)
            passed.append(FoundFile(path, name, f"The folder {name} was not added. {reason}"))

    def told(error: OSError) -> None:
        pass_by(Path(error.filename), f"It can't be opened: {error.strerror}. Check its permissions.")

    for place, folders, names in os.walk(folder, onerror=told):
        for name in sorted(folders):
            if Path(place, name).is_symlink():
                pass_by(Path(place, name), "It is a link to another folder, and links are not followed. Add that one.")
        yield from (Path(place, name) for name in names)


def _is_hidden(inside: Path) -> bool:
    return any(part.startswith(".") for part in inside.parts)
