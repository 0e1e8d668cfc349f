"""Files into article texts: Markdown and plain text, in UTF-8 or UTF-16 with a byte order mark."""

from __future__ import annotations

import codecs
import hashlib
import re
import stat
import unicodedata
from typing import TYPE_CHECKING

from knowledge.article import ArticleText
from knowledge.errors import ReadRefused
from knowledge.front_matter import parse_front_matter, split_front_matter
from knowledge.language import guess_language
from storage.text import one_line

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = frozenset({".md", ".markdown", ".txt"})
LARGEST_BYTES = 2 * 1024 * 1024
_FIRST_HEADING = re.compile(r"^#\s+(.+?)\s*#*\s*$", re.MULTILINE)


def is_article_file(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".")


def read_article(path: Path, source_name: str | None = None) -> ArticleText:
    """The article in a file. `source_name` is the name under which it is kept; the file's own name when None.

    Raises ReadRefused with a sentence when the file can't become an article. A file without front matter is for
    customers of all tenants, always valid, in the language its letters suggest.
    """
    name = one_line(path.name)
    if path.suffix.lower() not in SUFFIXES:
        raise ReadRefused(f"{name} is of a kind that is not read: only Markdown and plain text are. Save it as .md.")
    try:
        data = _bytes_of(path, name)
    except OSError as error:
        raise ReadRefused(f"{name} can't be opened: {error.strerror}. Check the file and its permissions.") from error
    try:
        return article_from_bytes(data, one_line(source_name or path.name))
    except ReadRefused as refused:
        raise ReadRefused(f"{name} was not added. {refused}") from refused


def _bytes_of(path: Path, name: str) -> bytes:
    """The whole file. A pipe or a device may never end, whatever size it tells, so it is not opened."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        raise ReadRefused(f"{name} can't be read: it is not an ordinary file. Choose a Markdown or text file.")
    with path.open("rb") as file:
        data = file.read(LARGEST_BYTES + 1)
    if len(data) > LARGEST_BYTES:
        size = max(len(data), status.st_size)
        raise ReadRefused(f"{name} is too large: {size:,} of {LARGEST_BYTES:,} bytes. Split it by topic.")
    return data


def article_from_bytes(data: bytes, source_name: str) -> ArticleText:
    """The article in the bytes of a file. Pure; raises ReadRefused."""
    block, rest = split_front_matter(_decode(data))
    matter = parse_front_matter(block)
    body = rest.strip("\n")
    if not any(character.isalnum() for character in body):
        raise ReadRefused("It has no text. Write the article below the front matter.")
    return ArticleText(
        source_name=source_name,
        title=matter.title or _title_of(body, source_name),
        owner=matter.owner,
        audience=matter.audience,
        tenants=matter.tenants,
        language=matter.language or guess_language(body),
        valid_from=matter.valid_from,
        valid_to=matter.valid_to,
        body=body,
        source_hash=hashlib.sha256(data).hexdigest(),
    )


def _decode(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data:
        raise ReadRefused("It is not text: it holds zero bytes. Save it as plain text or Markdown.")
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        raise ReadRefused(f"Byte {error.start:,} is not {encoding[:6].upper()}. Save the file as UTF-8.") from error
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))


def _title_of(body: str, source_name: str) -> str:
    heading = _FIRST_HEADING.search(body)
    if heading:
        return heading[1][:160]
    stem = source_name.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return stem.replace("-", " ").replace("_", " ").strip().capitalize() or source_name
