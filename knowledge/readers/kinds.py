"""Which kind of file a file is: by its name, held against how its bytes begin. Pure."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from typing import Final

from knowledge.errors import ReadRefused

MIB: Final = 1024 * 1024


class FileKind(StrEnum):
    MARKDOWN = "Markdown"
    MDX = "MDX"
    HTML = "HTML"
    TEXT = "Plain text"
    PAIRS = "CSV"
    PDF = "PDF"
    WORD = "Word"


KIND_BY_SUFFIX: Final = {
    ".md": FileKind.MARKDOWN,
    ".markdown": FileKind.MARKDOWN,
    ".mdx": FileKind.MDX,
    ".html": FileKind.HTML,
    ".htm": FileKind.HTML,
    ".xhtml": FileKind.HTML,
    ".txt": FileKind.TEXT,
    ".text": FileKind.TEXT,
    ".csv": FileKind.PAIRS,
    ".tsv": FileKind.PAIRS,
    ".pdf": FileKind.PDF,
    ".docx": FileKind.WORD,
}
ARCHIVE_SUFFIX: Final = ".zip"
SUFFIXES: Final = frozenset(KIND_BY_SUFFIX)
"""Suffixes of the files that become articles; a folder and a zip are their files."""

LOCKED: Final = "It is encrypted: a password is needed to open it. Save it without a password."
READABLE: Final = "Markdown, MDX, HTML, plain text, CSV, PDF and Word (.docx)"
_LARGEST: Final = {FileKind.HTML: 5 * MIB, FileKind.PDF: 40 * MIB, FileKind.WORD: 40 * MIB}
_LARGEST_TEXT: Final = 2 * MIB

_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_BEGINNINGS: Final = (
    (b"%PDF-", "a PDF", ".pdf"),
    (_OLE, "an old Office file", ".doc"),
    (b"\x89PNG\r\n", "a PNG picture", ".png"),
    (b"\xff\xd8\xff", "a JPEG picture", ".jpg"),
    (b"GIF8", "a GIF picture", ".gif"),
    (b"{\\rtf", "an RTF file", ".rtf"),
    (b"\x1f\x8b", "a gzip file", ".gz"),
    (b"\x7fELF", "a program", ""),
    (b"PK\x03\x04", "a zip or an Office file", ".zip"),
)
_INSTEAD: Final = {
    ".doc": "Save it as .docx.",
    ".odt": "Save it as .docx.",
    ".rtf": "Save it as .docx.",
    ".pages": "Export it as .docx.",
    ".xls": "Save its questions and answers as .csv.",
    ".xlsx": "Save its questions and answers as .csv.",
    ".ods": "Save its questions and answers as .csv.",
    ".ppt": "Save its text as .docx or .md.",
    ".pptx": "Save its text as .docx or .md.",
    ".epub": "Save its text as .md.",
    ".rst": "Save it as .md.",
    ".json": "Save its texts as .md or .csv.",
    ".xml": "Save its texts as .md or .csv.",
}
_PICTURES: Final = frozenset((".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".tif", ".tiff", ".bmp", ".heic"))


def suffix_of(name: str) -> str:
    return PurePosixPath(name.replace("\\", "/")).suffix.lower()


def largest_bytes(kind: FileKind) -> int:
    """Files over this are refused; what they hold of text is bounded by `LARGEST_TEXT` besides."""
    return _LARGEST.get(kind, _LARGEST_TEXT)


def kind_of(name: str) -> FileKind:
    """The kind that a file's name tells. Raises ReadRefused for one that is not read, with what to do instead."""
    suffix = suffix_of(name)
    kind = KIND_BY_SUFFIX.get(suffix)
    if kind is not None:
        return kind
    what = "a picture" if suffix in _PICTURES else f"a {suffix} file" if suffix else "a file without a suffix"
    told = "Write its text into a .md file." if suffix in _PICTURES else _INSTEAD.get(suffix, "Save it as .md.")
    raise ReadRefused(f"It is {what}, and only {READABLE} are read. {told}")


def refuse_disguise(kind: FileKind, data: bytes) -> None:
    """Raises ReadRefused for bytes that are of another kind than the name says."""
    begins = data[:1024].lstrip()
    if kind is FileKind.PDF:
        _refuse_no_pdf(data)
    elif kind is FileKind.WORD:
        _refuse_no_word(data)
    else:
        for beginning, what, suffix in _BEGINNINGS:
            if begins.startswith(beginning):
                told = f"Name it {suffix}, or save" if suffix in KIND_BY_SUFFIX else "Save"
                raise ReadRefused(f"It is {what} under the name of {kind.value}. {told} its text as .md.")


def _refuse_no_pdf(data: bytes) -> None:
    if not data:
        raise ReadRefused("It is empty: 0 bytes. Export or download it again.")
    if b"%PDF-" not in data[:1024]:
        raise ReadRefused("It is not a PDF, whatever its name says. Export or download it again.")


def _refuse_no_word(data: bytes) -> None:
    if not data:
        raise ReadRefused("It is empty: 0 bytes. Save it again.")
    if data.startswith(_OLE):
        if b"E\0n\0c\0r\0y\0p\0t\0" in data:
            raise ReadRefused(LOCKED)
        raise ReadRefused("It is an old Word file under the name of a new one. Save it as .docx.")
    if not data.startswith(b"PK"):
        raise ReadRefused("It is not a Word file, whatever its name says. Save it again as .docx.")
