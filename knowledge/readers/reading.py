"""A file into an article: what kind it is, the reader of that kind, and what is looked at in every text."""

from __future__ import annotations

import hashlib
import logging
import stat
from typing import TYPE_CHECKING, Final

from knowledge.article import ArticleText
from knowledge.errors import ReaderFailed, ReadRefused
from knowledge.language import guess_language, is_devanagari
from knowledge.readers.apart import Apart
from knowledge.readers.archive import member_bytes
from knowledge.readers.encodings import decode
from knowledge.readers.hidden_note import hidden_notes, shortened
from knowledge.readers.instructions import instruction_in
from knowledge.readers.invisible import without_invisible
from knowledge.readers.kinds import FileKind, kind_of, largest_bytes, refuse_disguise, suffix_of
from knowledge.readers.legacy_fonts import garbage_in
from knowledge.readers.markdown import extract_markdown
from knowledge.readers.pairs import extract_pairs
from knowledge.readers.record import Extract, Note, ReadArticle
from storage.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)
LARGEST_TEXT: Final = 2_000_000
_LONGEST_TITLE: Final = 160
_APART: Final = {FileKind.HTML: "html", FileKind.PDF: "pdf", FileKind.WORD: "docx"}
_EMPTY: Final = {
    FileKind.MARKDOWN: "Write the article below the front matter.",
    FileKind.TEXT: "Write the article into it.",
}


def read_article(path: Path, source_name: str | None = None) -> ArticleText:
    """The article in a file, as `read_file` reads it."""
    with Apart() as apart:
        return read_file(path, source_name, apart=apart).text


def read_file(path: Path, source_name: str | None = None, *, apart: Apart, member: str = "") -> ReadArticle:
    """The article in a file, or in a member of a zip, with how it was read.

    `source_name` is the name under which it is kept; the file's own name when None. PDF, Word and HTML are parsed in
    the process of `apart`. Blocks. Raises ReadRefused with a sentence when the file can't become an article. A file
    without front matter is for customers of all tenants, always valid, in the language its letters suggest.
    """
    name = one_line(member or path.name)
    try:
        kind = kind_of(member or path.name)
        data = _bytes_of(path, member, kind)
        return article_from_bytes(data, one_line(source_name or member or path.name), kind, apart)
    except OSError as error:
        raise ReadRefused(f"{name} can't be opened: {error.strerror}. Check the file and its permissions.") from error
    except ReadRefused as refused:
        raise ReadRefused(f"{name} was not added. {refused}") from refused
    except Exception as error:  # what a reader trips over is one file's, and the others of the import go on
        _log.exception("A reader failed on %s", name)
        raise ReaderFailed(
            f"{name} was not added. Its reader failed on it, and the log says where. Save its text as a new .md file."
        ) from error


def article_from_bytes(data: bytes, source_name: str, kind: FileKind, apart: Apart) -> ReadArticle:
    """The article in the bytes of a file of this kind. Raises ReadRefused."""
    refuse_disguise(kind, data)
    found = apart.parse(_APART[kind], data) if kind in _APART else _extracted(data, kind)
    body, unseen = without_invisible(found.body.strip("\n"))
    _refuse_unreadable(body, kind)
    text = ArticleText(
        source_name=source_name,
        title=_shown(found.matter.title or "") or _title_of(body, _shown(found.title), source_name),
        owner=_shown(found.matter.owner),
        audience=found.matter.audience,
        tenants=tuple(map(_shown, found.matter.tenants)),
        language=found.matter.language or _language_of(body, found.language),
        valid_from=found.matter.valid_from,
        valid_to=found.matter.valid_to,
        body=body,
        source_hash=hashlib.sha256(data).hexdigest(),
    )
    notes = (*found.notes, *hidden_notes(unseen), *_instruction_notes(f"{text.title}\n{body}"))
    return ReadArticle(text, kind.value, found.encoding, notes)


def _bytes_of(path: Path, member: str, kind: FileKind) -> bytes:
    """The whole file. A pipe or a device may never end, whatever size it tells, so it is not opened."""
    most = largest_bytes(kind)
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ReadRefused("It is not an ordinary file. Choose a file with text.")
    if member:
        data, size = member_bytes(path, member, most), 0
    else:
        with path.open("rb") as file:
            data, size = file.read(most + 1), status.st_size
    if len(data) > most:
        raise ReadRefused(f"It is too large: {max(len(data), size):,} of {most:,} bytes. Split it by topic.")
    return data


def _extracted(data: bytes, kind: FileKind) -> Extract:
    decoded = decode(data)
    match kind:
        case FileKind.MARKDOWN | FileKind.MDX:
            return extract_markdown(decoded, mdx=kind is FileKind.MDX)
        case FileKind.PAIRS:
            return extract_pairs(decoded)
        case _:
            return extract_markdown(decoded, plain=True)


def _refuse_unreadable(body: str, kind: FileKind) -> None:
    if not any(map(str.isalnum, body)):
        raise ReadRefused(f"It has no text. {_EMPTY.get(kind, 'Check that it is the right file.')}")
    if len(body) > LARGEST_TEXT:
        raise ReadRefused(f"It has {len(body):,} of at most {LARGEST_TEXT:,} characters. Split it by topic.")
    garbage = garbage_in(body, from_pdf=kind is FileKind.PDF)
    if garbage:
        raise ReadRefused(f"{garbage}. Convert its text to Unicode, or type it anew, and save it as .docx or .md.")


def _shown(text: str) -> str:
    """A line of front matter as a reader sees it: an escape in YAML makes characters that no one sees, or half ones."""
    return one_line(without_invisible(text)[0])


def _instruction_notes(text: str) -> tuple[Note, ...]:
    found = instruction_in(text)
    if not found:
        return ()
    sentence = f"It reads like an instruction to a model: “{shortened(found)}”. To the bot it is only text; look at it."
    return (Note(sentence, flag=True),)


def _language_of(body: str, told: str) -> str:
    guessed = guess_language(body)
    return guessed if is_devanagari(body) or not told else told


def _title_of(body: str, told: str, source_name: str) -> str:
    title = _first_heading(body) or told
    if title:
        return one_line(title)[:_LONGEST_TITLE].rstrip()
    stem = source_name.rsplit("/", 1)[-1]
    stem = stem[: -len(suffix_of(stem)) or None].replace("-", " ").replace("_", " ").strip()
    return (stem[:1].upper() + stem[1:])[:_LONGEST_TITLE] or source_name


def _first_heading(body: str) -> str:
    """The first heading of the first level; a comment in code is none."""
    fence = ""
    for line in body.split("\n"):
        start = line.lstrip()[:3]
        if start in ("```", "~~~"):
            fence = "" if fence == start else fence or start
        elif not fence and line.startswith("# ") and any(map(str.isalnum, line)):
            return line[2:].strip().rstrip("#").rstrip()
    return ""
