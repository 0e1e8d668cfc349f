"""`dabba articles check`: what each file would become as an article, or why it would not. Changes nothing."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from console.commands.output import fail, print_json, print_table, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from knowledge.errors import ReaderFailed
    from knowledge.importing import FoundFile
    from knowledge.readers import Apart

TEXT: Final = "text"
REFUSED: Final = "refused"
FAILED: Final = "failed"


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """`verdict` is text, refused or failed; `sentence` says why it is no text, `notes` how it was read."""

    source_name: str
    verdict: str
    kind: str = ""
    encoding: str = ""
    characters: int = 0
    language: str = ""
    title: str = ""
    sentence: str = ""
    notes: tuple[str, ...] = ()
    seconds: float = 0.0


def check(
    paths: Annotated[list[Path], typer.Argument(help="Files, folders and zip files.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what each file would become, or why it would be refused. Exit 0 unless a reader failed; changes nothing."""
    with sentences():
        files = list(checked_files(paths))
    if as_json:
        print_json([asdict(file) for file in files])
    else:
        _print(files)
    failed = sum(file.verdict == FAILED for file in files)
    if failed or not files:
        fail(f"The readers failed at {failed} of {len(files)} files." if files else "No file was found there.")


def checked_files(paths: Sequence[Path]) -> Iterator[CheckedFile]:
    """One record a file, in the order of an import; a text that an earlier file has too is told."""
    from knowledge.importing import files_below
    from knowledge.readers import Apart

    seen: dict[str, str] = {}
    with Apart() as apart:
        for file in files_below(paths):
            began = time.monotonic()
            checked, body = _checked(file, apart)
            twin = seen.setdefault(body, file.source_name) if body else file.source_name
            if twin != file.source_name:
                checked = replace(checked, notes=(f"The same text is in {twin}. Leave one out.", *checked.notes))
            yield replace(checked, seconds=round(time.monotonic() - began, 3))


def _checked(file: FoundFile, apart: Apart) -> tuple[CheckedFile, str]:
    """The record and the text of one file."""
    from knowledge.errors import ReaderFailed, ReadRefused
    from knowledge.readers import read_file

    name = file.source_name
    if file.refusal:
        return CheckedFile(name, REFUSED, sentence=file.refusal), ""
    try:
        read = read_file(file.path, name, apart=apart, member=file.member)
    except ReaderFailed as failure:
        return CheckedFile(name, FAILED, sentence=_told(failure)), ""
    except ReadRefused as refused:
        return CheckedFile(name, REFUSED, sentence=str(refused)), ""
    text = read.text
    verdict = TEXT if any(map(str.isalnum, text.body)) else FAILED
    facts = (read.kind, read.encoding, len(text.body), text.language, text.title)
    return CheckedFile(name, verdict, *facts, notes=read.sentences), text.body


def _told(refused: ReaderFailed) -> str:
    """With what the reader tripped over, for whoever mends it."""
    why = refused.__cause__
    return f"{refused} ({type(why).__name__}: {why})"


def _print(files: Sequence[CheckedFile]) -> None:
    rows = [
        (
            file.source_name,
            file.verdict,
            file.kind,
            file.encoding,
            f"{file.characters:,}" if file.characters else "",
            " ".join(filter(None, (file.sentence, *file.notes))),
        )
        for file in files
    ]
    print_table(("file", "verdict", "kind", "encoding", "characters", "what"), rows, frozenset({4}))
    texts = sum(file.verdict == TEXT for file in files)
    refused = sum(file.verdict == REFUSED for file in files)
    print(f"{len(files)} files: {texts} give a text, {refused} are refused with a reason.")
