"""Who writes to the library, one change after the other: publish, retire, change, restore, delete, drafts."""

from __future__ import annotations

import asyncio
import getpass
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

from knowledge.article import ArticleStatus
from knowledge.article_history import How
from knowledge.changes import changed, reads_alike
from knowledge.errors import ArticleMoved, ArticleUnknown, ChangeRefused
from knowledge.publish import prepare, publish
from knowledge.publish_delete import withdraw
from knowledge.publish_facts import are_all_there, set_facts
from knowledge.publish_hands import nothing
from knowledge.rows import article_row, meta_hash, text_of, text_row
from storage.article_records import DraftRow
from storage.errors import NoSuchRecord
from storage.queries.article_history import draft_of, drop_draft, keep_draft, version
from storage.queries.articles import article_by_source, get_article, keep_article

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from sqlalchemy.orm import Session

    from knowledge.article import ArticleText
    from knowledge.article_history import DeletionReceipt
    from knowledge.changes import ArticleChange
    from knowledge.publish import Prepared
    from knowledge.publish_hands import Hands
    from storage.database import Database
    from storage.records import ArticleRow

    Progress = Callable[[int, int], None]
    Also = Callable[[Session], object]


@dataclass(frozen=True, slots=True)
class Planned:
    """A text ready to be put into service in the place of `previous`; `prepared` None = its vectors are there."""

    text: ArticleText
    previous: ArticleRow | None
    prepared: Prepared | None


class Writing:
    """Every change of an article goes through here. `hands` opens the index when it is not open yet.

    Raises ArticleUnknown, ArticleMoved, ChangeRefused, TextTooLong, IndexInUse, IndexUnavailable, StorageError; the
    article is then as it was.
    """

    def __init__(self, db: Database, hands: Callable[[], Awaitable[Hands]], changed: Callable[[], None]) -> None:
        self.lock = asyncio.Lock()
        self._db = db
        self._hands = hands
        self._changed = changed

    async def plan(
        self, text: ArticleText, previous: ArticleRow | None, progress: Progress = nothing, *, anew: bool = False
    ) -> Planned:
        """Cut and embed a text, where that is needed; nothing is written. May run while something else is written."""
        hands = await self._hands()
        alike = previous and previous.generation and reads_alike(text_of(previous), text) and not anew
        if previous and alike and await are_all_there(hands, previous):
            return Planned(text, previous, None)
        return Planned(text, previous, await prepare(hands, text, previous, progress, anew=anew))

    async def carry_out(self, planned: Planned, how: How | None, also: Also = nothing) -> ArticleRow:
        """Put a planned text into service. The caller holds `lock`."""
        hands = await self._hands()
        if planned.prepared:
            return await publish(hands, planned.prepared, how, also)
        if planned.previous is None:
            raise ValueError("a text without vectors needs an article that has them")
        return await set_facts(hands, planned.previous, planned.text, ArticleStatus.PUBLISHED, how, also)

    async def put(self, planned: Planned, how: How | None, also: Also = nothing) -> ArticleRow:
        """As `carry_out`, taking the lock. Planned again when the article was changed meanwhile."""
        async with self.lock:
            try:
                return await self.carry_out(planned, how, also)
            except ArticleMoved:
                name = planned.previous.source_name if planned.previous else planned.text.source_name
                now = await self._db.run(lambda session: article_by_source(session, name))
                return await self.carry_out(await self.plan(planned.text, now), how, also)

    async def publish(self, article_id: str) -> ArticleRow:
        """Let the article answer: its draft when it has one, else the text that it had."""
        row, draft = await self._row_and_draft(article_id)
        if draft is None and row.status == ArticleStatus.PUBLISHED:
            return row
        text = text_of(draft.text) if draft else text_of(row)
        how = How.EDITED if draft else None
        return await self.put(await self.plan(text, row), how, partial(_drop_draft, article_id))

    async def republish(self, article_id: str) -> ArticleRow:
        """Cut and embed the article's text anew, and let it answer."""
        row = await self.row(article_id)
        return await self.put(await self.plan(text_of(row), row, anew=True), None)

    async def add(self, text: ArticleText) -> ArticleRow:
        """Publish a text in the place of the one from the same source, or as a new article."""
        row = await self._row_for(text, None)
        return await self.put(await self.plan(text, row), How.IMPORTED)

    async def retire(self, article_id: str) -> ArticleRow:
        """Keep the article but let it answer nothing."""
        async with self.lock:
            row = await self.row(article_id)
            if row.status == ArticleStatus.DRAFT:
                raise ChangeRefused(
                    f"{row.title} was not retired: as a draft it answers nothing. Publish or delete it."
                )
            if row.status == ArticleStatus.RETIRED:
                return row
            return await set_facts(await self._hands(), row, text_of(row), ArticleStatus.RETIRED, None)

    async def change(self, article_id: str, change: ArticleChange) -> ArticleRow:
        """Change who may see the article and when, of its draft too. Nothing is embedded; in effect at once."""
        async with self.lock:
            row, draft = await self._row_and_draft(article_id)
            text = changed(text_of(row), change)
            also = partial(_change_draft, draft, change) if draft else nothing
            if row.status == ArticleStatus.DRAFT:
                return await self._keep(article_row(text, article_id, ArticleStatus.DRAFT, 0, 0, _now()), also)
            if meta_hash(text) == meta_hash(text_of(row)):
                return row
            how = How.CHANGED if row.status == ArticleStatus.PUBLISHED else None
            return await set_facts(await self._hands(), row, text, ArticleStatus(row.status), how, also)

    async def save_draft(self, text: ArticleText, article_id: str | None) -> ArticleRow:
        """Keep a text that answers nothing yet, beside the published one or as a new article."""
        async with self.lock:
            row = await self._row_for(text, article_id)
            new = row is None or row.status == ArticleStatus.DRAFT
            key = row.article_id if row else str(uuid.uuid4())
            if row:  # a file's name and bytes stay the article's: the next import compares with them
                text = replace(text, source_name=row.source_name, source_hash=row.source_hash)
            draft = DraftRow(key, text_row(text), _now(), this_user())
            kept = article_row(text, key, ArticleStatus.DRAFT, 0, 0, draft.saved_at) if new or row is None else row
            return await self._keep(kept, partial(_keep_draft, draft))

    async def discard_draft(self, article_id: str) -> None:
        """Forget the draft that is kept beside what the article says."""
        async with self.lock:
            row = await self.row(article_id)
            if row.status == ArticleStatus.DRAFT:
                raise ChangeRefused(f"{row.title} was not changed: it is only a draft. Delete the article instead.")
            await self._db.run(partial(_drop_draft, article_id))
        self._changed()

    async def restore(self, article_id: str, number: int) -> ArticleRow:
        """Publish the text of a version again, with all that was kept beside it."""
        row = await self.row(article_id)
        try:
            old = await self._db.run(lambda session: version(session, article_id, number))
        except NoSuchRecord as error:
            raise ArticleUnknown(str(error)) from error
        text = replace(text_of(old.text), source_name=row.source_name, source_hash=row.source_hash)
        return await self.put(await self.plan(text, row), How.RESTORED)

    async def remove(self, article_id: str) -> DeletionReceipt:
        """Delete the article with its draft and its versions; it answers nothing from the next search on."""
        async with self.lock:
            await self.row(article_id)
            return await withdraw(await self._hands(), article_id)

    async def row(self, article_id: str) -> ArticleRow:
        return (await self._row_and_draft(article_id))[0]

    async def _row_and_draft(self, article_id: str) -> tuple[ArticleRow, DraftRow | None]:
        try:
            return await self._db.run(lambda session: (get_article(session, article_id), draft_of(session, article_id)))
        except NoSuchRecord as error:
            raise ArticleUnknown(
                f"There is no article {article_id}: it was removed meanwhile, or never was. Reload the list."
            ) from error

    async def _row_for(self, text: ArticleText, article_id: str | None) -> ArticleRow | None:
        if article_id:
            return await self.row(article_id)
        return await self._db.run(lambda session: article_by_source(session, text.source_name))

    async def _keep(self, row: ArticleRow, also: Also) -> ArticleRow:
        """Keep a row that concerns no point."""

        def write(session: Session) -> ArticleRow:
            kept = keep_article(session, row)
            also(session)
            return kept

        kept = await self._db.run(write)
        self._changed()
        return kept


def this_user() -> str:
    """Who is at this computer, as its operating system says."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # no name for the number, as in some containers
        return ""


def _drop_draft(article_id: str, session: Session) -> None:
    drop_draft(session, article_id)


def _keep_draft(draft: DraftRow, session: Session) -> None:
    keep_draft(session, draft)


def _change_draft(draft: DraftRow, change: ArticleChange, session: Session) -> None:
    keep_draft(session, replace(draft, text=text_row(changed(text_of(draft.text), change))))


def _now() -> datetime:
    return datetime.now(UTC)
