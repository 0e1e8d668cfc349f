"""What the Articles page shows at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.articles.table_shown import ALL, Shelf

if TYPE_CHECKING:
    from console.articles.detail_calls import Detail
    from knowledge.article import Article, Chunk
    from knowledge.article_history import DeletionReceipt


@dataclass(frozen=True, slots=True)
class ArticlesState:
    """`shelf` None = not read yet. `detail` is that of the picked article, None while it is read.

    `doing` says what is being done to the picked article, "" = nothing. `receipt` is of the article that was just
    deleted, until another one is picked.
    """

    shelf: Shelf | None = None
    segment: str = ALL
    words: str = ""
    picked: str = ""
    detail: Detail | None = None
    doing: str = ""
    receipt: DeletionReceipt | None = None

    @property
    def article(self) -> Article | None:
        return self.shelf.article(self.picked) if self.shelf else None

    @property
    def chunks(self) -> tuple[Chunk, ...] | None:
        return self.detail.chunks if self.detail else None
