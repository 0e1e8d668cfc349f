"""Article texts for the tests of this floor."""

from __future__ import annotations

from dataclasses import replace

from knowledge.article import ArticleText, Audience
from knowledge.readers import Apart, FileKind, article_from_bytes


def article_text(body: str = "Refunds take two days.", **changes: object) -> ArticleText:
    text = ArticleText(
        source_name="refunds.md",
        title="Refunds",
        owner="Leela",
        audience=Audience.CUSTOMERS,
        tenants=(),
        language="en",
        valid_from=None,
        valid_to=None,
        body=body,
        source_hash="0" * 64,
    )
    return replace(text, **changes)  # pyright: ignore[reportArgumentType]


def read(text: str, name: str = "refunds.md") -> ArticleText:
    return article_from_bytes(text.encode(), name, FileKind.MARKDOWN, Apart()).text
