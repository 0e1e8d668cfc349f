"""Reading bytes in tests, as a file of one kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from knowledge.errors import ReadRefused
from knowledge.readers import Apart, FileKind, article_from_bytes

if TYPE_CHECKING:
    from knowledge.readers import ReadArticle


def read(data: bytes | str, kind: FileKind, apart: Apart | None = None, name: str = "help.md") -> ReadArticle:
    return article_from_bytes(data.encode() if isinstance(data, str) else data, name, kind, apart or Apart())


def body(data: bytes | str, kind: FileKind, apart: Apart | None = None) -> str:
    return read(data, kind, apart).text.body


def notes(data: bytes | str, kind: FileKind, apart: Apart | None = None) -> str:
    return " ".join(read(data, kind, apart).sentences)


def refusal(data: bytes | str, kind: FileKind, apart: Apart | None = None) -> str:
    """The sentence with which it is refused; it always ends with a next step."""
    with pytest.raises(ReadRefused) as refused:
        read(data, kind, apart)
    sentence = str(refused.value)
    assert sentence.count(". ") >= 1, f"no next step: {sentence}"
    assert sentence.endswith(".")
    return sentence
