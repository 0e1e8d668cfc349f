"""Which articles answer whom, and on which day. Pure; the same rule as the index's filter, on the database's rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from knowledge.article import Article, ArticleStatus, ArticleText, Asker, Audience

if TYPE_CHECKING:
    from datetime import date

ArticleState = Literal["published", "not yet valid", "expired", "draft", "retired"]


def derive_state(article: Article, on: date) -> ArticleState:
    """What people see as an article's state on this day of the kitchen. Only `published` answers questions."""
    if article.status is ArticleStatus.DRAFT:
        return "draft"
    if article.status is ArticleStatus.RETIRED:
        return "retired"
    if article.text.valid_from and on < article.text.valid_from:
        return "not yet valid"
    if article.text.valid_to and on > article.text.valid_to:
        return "expired"
    return "published"


def readable_audiences(audience: Audience) -> tuple[Audience, ...]:
    """Staff may also read what is written for customers; customers never read what is written for staff."""
    return (Audience.STAFF, Audience.CUSTOMERS) if audience is Audience.STAFF else (Audience.CUSTOMERS,)


def permits(article: Article, asker: Asker) -> bool:
    """Whether this article may answer this asker."""
    return derive_state(article, asker.on) == "published" and _is_for(article.text, asker)


def _is_for(text: ArticleText, asker: Asker) -> bool:
    return text.audience in readable_audiences(asker.audience) and (not text.tenants or asker.tenant_id in text.tenants)
