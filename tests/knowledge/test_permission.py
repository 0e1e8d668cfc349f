from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest

from knowledge.article import Article, ArticleStatus, Asker, Audience
from knowledge.permission import derive_state, permits
from tests.knowledge.texts import article_text

TODAY = date(2026, 11, 30)


def article(status: ArticleStatus = ArticleStatus.PUBLISHED, **changes: Any) -> Article:
    return Article("a", article_text(**changes), status, 1, 1, datetime(2026, 1, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("one", "state"),
    [
        (article(), "published"),
        (article(ArticleStatus.DRAFT), "draft"),
        (article(ArticleStatus.RETIRED, valid_to=date(2020, 1, 1)), "retired"),
        (article(valid_from=TODAY), "published"),
        (article(valid_to=TODAY), "published"),
        (article(valid_from=date(2026, 12, 1)), "not yet valid"),
        (article(valid_to=date(2026, 11, 29)), "expired"),
    ],
)
def test_that_the_state_follows_from_status_and_day(one: Article, state: str) -> None:
    assert derive_state(one, TODAY) == state


@pytest.mark.parametrize(
    ("one", "audience", "tenant", "may"),
    [
        (article(), Audience.CUSTOMERS, "kamala", True),
        (article(tenants=("kamala",)), Audience.CUSTOMERS, "kamala", True),
        (article(tenants=("meridian",)), Audience.CUSTOMERS, "kamala", False),
        (article(audience=Audience.STAFF), Audience.CUSTOMERS, "kamala", False),
        (article(audience=Audience.STAFF), Audience.STAFF, "kamala", True),
        (article(audience=Audience.STAFF, tenants=("meridian",)), Audience.STAFF, "kamala", False),
        (article(), Audience.STAFF, "kamala", True),
        (article(valid_to=date(2026, 1, 1)), Audience.STAFF, "kamala", False),
    ],
)
def test_that_tenant_audience_and_day_decide_who_may_read(
    one: Article, audience: Audience, tenant: str, may: bool
) -> None:
    assert permits(one, Asker(tenant, audience, "en", TODAY)) is may
