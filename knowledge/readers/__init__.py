"""Files into articles: one room a format, and `reading` that knows them all."""

from __future__ import annotations

from knowledge.readers.apart import Apart
from knowledge.readers.kinds import ARCHIVE_SUFFIX, READABLE, SUFFIXES, FileKind
from knowledge.readers.reading import article_from_bytes, read_article, read_file
from knowledge.readers.record import Note, ReadArticle

__all__ = (
    "ARCHIVE_SUFFIX",
    "READABLE",
    "SUFFIXES",
    "Apart",
    "FileKind",
    "Note",
    "ReadArticle",
    "article_from_bytes",
    "read_article",
    "read_file",
)
