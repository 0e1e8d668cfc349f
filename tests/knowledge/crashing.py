"""Crashes on purpose: a fuse that blows at one call, and what must be true of a library afterwards."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from typing import TYPE_CHECKING, Any

from knowledge.article import ArticleStatus, Asker, Audience
from knowledge.changes import ArticleChange
from knowledge.errors import IndexUnavailable
from knowledge.publish import served_facts
from storage.errors import StorageError
from storage.queries.articles import all_chunks, list_articles
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from knowledge.library import Library
    from knowledge.publish_hands import Hands, Step

    Operation = Callable[[Library, str], Awaitable[object]]

DAY = date(2026, 11, 30)
STAFF = Asker("kamala", Audience.STAFF, "en", DAY)
CUSTOMER = Asker("kamala", Audience.CUSTOMERS, "en", DAY)
OLD = "Refunds take two days.\n\n# Cards\n\nCards take five days."
NEW = "Refunds take three days.\n\n# Cards\n\nCards take five days.\n\n# Cash\n\nCash takes a minute."
BYSTANDER = article_text("Steel boxes cost a deposit.", source_name="steel.md", title="Steel", source_hash="s" * 64)

DB_FULL = StorageError("The database can't be written: the disk is full. Make room on the disk.")
INDEX_FULL = IndexUnavailable("The article index can't be written: the disk is full. Make room on the disk.")


class PowerCut(BaseException):
    """The machine stops here: no handler may do anything any more."""


class Fuse:
    """Blows before or after the call number `at` of what it guards, counted from 0 through all guarded objects.

    `dies`: every later call fails too, as after a power cut. Otherwise that one call fails, as on a full disk.
    """

    def __init__(self, at: int, *, after: bool, dies: bool) -> None:
        self.at, self.after, self.dies = at, after, dies
        self.calls = 0
        self.blown = False

    def guard(self, thing: Any, error: Exception) -> Any:
        return _Guarded(thing, self, error)

    async def call(self, work: Callable[[], Awaitable[Any]], error: Exception) -> Any:
        if self.blown and self.dies:
            raise PowerCut
        number, self.calls = self.calls, self.calls + 1
        if number == self.at and not self.after:
            self._blow(error)
        result = await work()
        if number == self.at:
            self._blow(error)
        return result

    def _blow(self, error: Exception) -> None:
        self.blown = True
        raise PowerCut if self.dies else error


class _Guarded:
    def __init__(self, thing: Any, fuse: Fuse, error: Exception) -> None:
        self._thing, self._fuse, self._error = thing, fuse, error

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._thing, name)
        if name in {"languages"}:
            return found

        async def guarded(*args: Any, **kwargs: Any) -> Any:
            return await self._fuse.call(partial(found, *args, **kwargs), self._error)

        return guarded


def fused(library: Library, fuse: Fuse) -> Callable[[], Awaitable[Hands]]:
    """What to put into the place of the hands with which the library writes."""

    async def hands() -> Hands:
        real = await library._hands()
        return replace(real, db=fuse.guard(real.db, DB_FULL), index=fuse.guard(real.index, INDEX_FULL))

    return hands


def stopping(library: Library, wanted: Step, stop: Callable[[], None]) -> Callable[[], Awaitable[Hands]]:
    """Hands that stop when a step is reached."""

    def reached(step: Step) -> None:
        if step is wanted:
            stop()

    async def hands() -> Hands:
        return replace(await library._hands(), reached=reached)

    return hands


async def publish_first(library: Library, name: str) -> None:
    await library.add_text(article_text(OLD, source_name=name, title="Refunds", source_hash="1" * 64))


async def replace_text(library: Library, name: str) -> None:
    await library.add_text(article_text(NEW, source_name=name, title="Refunds", source_hash="2" * 64))


async def change_audience(library: Library, name: str) -> None:
    await library.change(await id_of(library, name), ArticleChange(audience=Audience.STAFF, valid_to=DAY))


async def retire(library: Library, name: str) -> None:
    await library.retire(await id_of(library, name))


async def embed_again(library: Library, name: str) -> None:
    await library.republish(await id_of(library, name))


async def delete(library: Library, name: str) -> None:
    await library.remove(await id_of(library, name))


async def publish_draft(library: Library, name: str) -> None:
    await library.publish(await id_of(library, name))


async def nothing(library: Library, name: str) -> None:
    """The article is not there yet."""


async def with_draft(library: Library, name: str) -> None:
    await publish_first(library, name)
    await library.save_draft(article_text(NEW, title="Refunds"), await id_of(library, name))


OPERATIONS: dict[str, tuple[Operation, Operation]] = {
    "publish": (nothing, publish_first),
    "replace": (publish_first, replace_text),
    "re-embed": (publish_first, embed_again),
    "metadata": (publish_first, change_audience),
    "retire": (publish_first, retire),
    "draft": (with_draft, publish_draft),
    "delete": (publish_first, delete),
}
"""What an operation needs before it, and the operation."""


async def id_of(library: Library, name: str) -> str:
    return next(one.article_id for one in await library.articles() if one.text.source_name == name)


async def state_of(library: Library, name: str) -> tuple[object, ...]:
    """All that people can see of an article: what it says, to whom, what is found by whom, its versions and draft."""
    articles = [one for one in await library.articles() if one.text.source_name == name]
    receipts = [one for one in await library.receipts() if one.source_name == name]
    found = [await texts_found(library, name, asker) for asker in (CUSTOMER, STAFF)]
    if not articles:
        return ("not there", len(receipts), *(one.proven for one in receipts), found)
    (article,) = articles
    versions = [(one.number, one.text.body, one.how) for one in await library.versions(article.article_id)]
    draft = await library.draft(article.article_id)
    text = article.text
    seen = (text.body, text.audience, text.valid_to, article.status, article.chunk_count)
    return (*seen, found, versions, draft and draft.text.body, len(receipts))


async def texts_found(library: Library, name: str, asker: Asker) -> list[str]:
    names = {one.article_id: one.text.source_name for one in await library.articles()}
    found = await library.retrieve("refunds cards cash take days minute", asker, 20)
    return sorted(passage.text for passage in found.passages if names[passage.article_id] == name)


async def assert_whole(library: Library) -> None:
    """Rows and points name each other exactly, and every point says what its row says."""
    index = await library.index()
    facts = await index.facts()
    rows = {row.article_id: row for row in await library._db.run(list_articles)}
    chunks = await library._db.run(all_chunks)
    assert {chunk.point_id for chunk in chunks} == set(facts), "orphan or lost points"
    for chunk in chunks:
        row = rows[chunk.article_id]
        assert facts[chunk.point_id] == {
            **served_facts(row),
            "text_hash": chunk.text_hash,
            "staged_at": facts[chunk.point_id]["staged_at"],
        }
        assert chunk.generation == row.generation
    for row in rows.values():
        if row.status == ArticleStatus.PUBLISHED:
            assert row.chunk_count == sum(chunk.article_id == row.article_id for chunk in chunks) > 0
