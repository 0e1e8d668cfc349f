"""A draft that is not wanted any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from knowledge.errors import ChangeRefused
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from knowledge.library import Library

OLD = article_text("Refunds take two days.")
NEW = article_text("Refunds take three days.")


async def test_that_a_discarded_draft_is_never_published(library: Library) -> None:
    article = await library.add_text(OLD)
    await library.save_draft(NEW, article.article_id)
    revision = library.revision
    await library.discard_draft(article.article_id)
    assert library.revision > revision
    assert await library.draft(article.article_id) is None
    assert (await library.publish(article.article_id)).text.body == OLD.body


async def test_that_what_is_only_a_draft_is_not_left_without_a_text(library: Library) -> None:
    draft = await library.save_draft(OLD)
    with pytest.raises(ChangeRefused, match="only a draft"):
        await library.discard_draft(draft.article_id)
    assert await library.draft(draft.article_id) is not None
