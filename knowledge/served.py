"""Is a passage that was given once still what its article says, to those whom it is for?"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from knowledge.permission import permits
from knowledge.rows import article_of
from storage.errors import NoSuchRecord
from storage.queries.articles import get_article

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy.orm import Session

    from knowledge.article import Article, Asker, Passage
    from storage.database import Database


async def still_served(db: Database, passages: Sequence[Passage], asker: Asker) -> tuple[bool, ...]:
    """For each passage: its article answers this asker now, and has the passage's text word for word."""
    articles = await db.run(partial(_articles, {passage.article_id for passage in passages}))
    return tuple(_serves(articles.get(passage.article_id), passage, asker) for passage in passages)


def _articles(article_ids: set[str], session: Session) -> dict[str, Article]:
    found: dict[str, Article] = {}
    for article_id in article_ids:
        with suppress(NoSuchRecord):
            found[article_id] = article_of(get_article(session, article_id))
    return found


def _serves(article: Article | None, passage: Passage, asker: Asker) -> bool:
    return article is not None and permits(article, asker) and passage.text in article.text.body
