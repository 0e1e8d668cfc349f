"""What the editor asks of the library, as coroutines that hold no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.errors import TextTooLong

if TYPE_CHECKING:
    from knowledge.article import Article, ArticleText, Chunk
    from knowledge.library import Library


@dataclass(frozen=True, slots=True)
class ToEdit:
    """An article and the text to edit: its draft's, or what it says. `from_draft` tells which."""

    article: Article
    text: ArticleText
    from_draft: bool


@dataclass(frozen=True, slots=True)
class Cut:
    """The pieces into which a text would be cut, or why it can't be."""

    chunks: tuple[Chunk, ...] = ()
    fault: str = ""


async def read_draft(library: Library, article: Article) -> ToEdit:
    draft = await library.draft(article.article_id)
    return ToEdit(article, draft.text if draft else article.text, draft is not None)


async def cut_text(library: Library, text: ArticleText) -> Cut:
    """As publishing would cut it. Raises IndexInUse, IndexUnavailable, ModelMissing."""
    index = await library.index()
    try:
        return Cut(tuple(piece for _, piece in await index.chunk(text)))
    except TextTooLong as error:
        return Cut(fault=str(error))
