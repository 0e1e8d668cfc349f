"""What another process changes in the same database is seen by the next search here."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from knowledge.article import Asker, Audience
from knowledge.library import Library
from knowledge.publish_hands import Hands
from knowledge.writing import Writing
from storage.settings import Settings
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from storage.database import Database
    from storage.paths import Home
    from tests.fakes.embedder import WordEmbedder

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))


async def test_that_a_text_of_another_process_is_found_and_gone_at_once(
    db: Database, home: Home, embedder: WordEmbedder
) -> None:
    library = await Library.open(db, home, Settings(), ZoneInfo("Asia/Kolkata"), lambda: embedder)

    async def hands() -> Hands:
        return Hands(db, await library.index())

    other = Writing(db, hands, lambda: None)
    try:
        assert (await library.retrieve("refunds", ASKER, 5)).passages == ()
        row = await other.add(article_text())
        assert len((await library.retrieve("refunds", ASKER, 5)).passages) == 1
        await other.retire(row.article_id)
        assert (await library.retrieve("refunds", ASKER, 5)).searched == 0
        await other.publish(row.article_id)
        assert len((await library.retrieve("refunds", ASKER, 5)).passages) == 1
        await other.remove(row.article_id)
        assert (await library.retrieve("refunds", ASKER, 5)).searched == 0
    finally:
        await library.close()
