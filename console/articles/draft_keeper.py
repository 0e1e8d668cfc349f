"""Keeps what is being typed as a draft, also when the window is closed in the middle of a word. Holds no widgets."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knowledge.article import Article, ArticleText
    from knowledge.library import Library


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to be kept, of this article or ("") of a new one."""

    text: ArticleText
    article_id: str


class DraftKeeper:
    """`want` and `forget` are called in the GUI thread, `keep` and `publish` run in the loop."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._wanted: Wanted | None = None
        self._writing = asyncio.Lock()

    def want(self, text: ArticleText, article_id: str) -> None:
        self._wanted = Wanted(text, article_id)

    def forget(self) -> None:
        self._wanted = None

    async def keep(self) -> Article | None:
        """Keep the newest text as a draft; None when there is nothing to keep. What fails is wanted still."""
        async with self._writing:
            wanted = self._wanted
            if wanted is None:
                return None
            article = await self._library.save_draft(wanted.text, wanted.article_id or None)
            self._done(wanted)
            return article

    async def publish(self, text: ArticleText, article_id: str) -> Article:
        """Keep the text as a draft and let it answer; when it can't, the draft stays."""
        async with self._writing:
            wanted = self._wanted
            article = await self._library.save_draft(text, article_id or None)
            published = await self._library.publish(article.article_id)
            self._done(wanted)
            return published

    async def discard(self, article_id: str) -> None:
        """Forget the draft, after what is being written of it."""
        async with self._writing:
            await self._library.discard_draft(article_id)

    def _done(self, wanted: Wanted | None) -> None:
        if self._wanted is wanted:
            self._wanted = None
