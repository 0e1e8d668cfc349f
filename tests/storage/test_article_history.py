"""Drafts, versions and receipts, as the article library keeps them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from storage.article_records import DraftRow, ReceiptRow, TextRow
from storage.errors import NoSuchRecord
from storage.queries.article_history import (
    add_version,
    draft_of,
    drafted,
    drop_draft,
    keep_draft,
    version,
    versions_of,
)
from storage.queries.articles import (
    article_stamps,
    delete_article,
    keep_article,
    twin_of,
    upsert_article,
)
from storage.queries.receipts import all_receipts, keep_receipt, open_receipts
from tests.storage.kitchen import NOON
from tests.storage.test_queries import ARTICLE, CHUNKS

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from storage.database import Database

TEXT = TextRow(
    source_name="refunds.en.md",
    title="Refunds",
    owner="Office",
    audience="customers",
    tenants=("kamala",),
    language="en",
    valid_from=date(2026, 1, 1),
    valid_to=None,
    body="Within 5 working days.",
    source_hash="s1",
)
RECEIPT = ReceiptRow("r1", "a1", "Refunds", "refunds.en.md", 2, None, ({"asked": "its title"},), NOON, "leela")


@pytest.fixture(autouse=True)
async def kept(db: Database) -> None:
    await db.run(lambda s: upsert_article(s, ARTICLE, CHUNKS))


async def test_that_a_draft_replaces_the_one_before_and_is_dropped_once(db: Database) -> None:
    await db.run(lambda s: keep_draft(s, DraftRow("a1", TEXT, NOON, "leela")))
    second = DraftRow("a1", replace(TEXT, body="Within 3."), NOON, "asha")
    await db.run(lambda s: keep_draft(s, second))
    assert await db.run(lambda s: draft_of(s, "a1")) == second
    assert await db.run(drafted) == {"a1"}
    assert [await db.run(lambda s: drop_draft(s, "a1")) for _ in range(2)] == [True, False]


async def test_that_only_the_newest_versions_stay_and_keep_their_numbers(db: Database) -> None:
    def add(session: Session) -> None:
        for day in range(1, 6):
            add_version(session, "a1", replace(TEXT, body=f"Within {day}."), "imported", NOON, "leela", keep=3)

    await db.run(add)
    versions = await db.run(lambda s: versions_of(s, "a1"))
    assert [(one.number, one.text.body) for one in versions] == [(5, "Within 5."), (4, "Within 4."), (3, "Within 3.")]
    assert await db.run(lambda s: version(s, "a1", 4)) == versions[1]
    with pytest.raises(NoSuchRecord, match="has no version 2"):
        await db.run(lambda s: version(s, "a1", 2))


async def test_that_a_deleted_article_leaves_its_receipt_and_nothing_else(db: Database) -> None:
    await db.run(lambda s: keep_draft(s, DraftRow("a1", TEXT, NOON, "leela")))
    await db.run(lambda s: add_version(s, "a1", TEXT, "imported", NOON, "leela", keep=3))

    def delete(session: Session) -> None:
        delete_article(session, "a1")
        keep_receipt(session, RECEIPT)

    await db.run(delete)
    assert await db.run(lambda s: (draft_of(s, "a1"), versions_of(s, "a1"))) == (None, ())
    assert await db.run(open_receipts) == (RECEIPT,)
    proven = replace(RECEIPT, points_after=0)
    await db.run(lambda s: keep_receipt(s, proven))
    assert (await db.run(open_receipts), await db.run(all_receipts)) == ((), (proven,))


async def test_that_one_query_tells_what_an_import_compares(db: Database) -> None:
    (stamp,) = (await db.run(article_stamps)).values()
    assert (stamp.article_id, stamp.source_hash, stamp.status, stamp.chunk_count) == ("a1", "s1", "published", 2)


async def test_that_the_same_text_of_another_file_is_a_twin(db: Database) -> None:
    await db.run(lambda s: keep_article(s, replace(ARTICLE, text_hash="t1")))
    assert await db.run(lambda s: twin_of(s, "t1", "refunds.en.md")) is None
    twin = await db.run(lambda s: twin_of(s, "t1", "copy.md"))
    assert twin
    assert twin.article_id == "a1"
