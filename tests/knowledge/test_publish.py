"""A new generation is written, checked, switched to; the old one is deleted. What is refused on the way, and healed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Asker, Audience
from knowledge.changes import ArticleChange
from knowledge.errors import ArticleMoved, ChangeRefused, IndexUnavailable
from knowledge.publish_repair import repair
from storage.queries.articles import chunks_of, get_article, keep_article, upsert_article
from tests.knowledge.crashing import assert_whole
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from knowledge.library import Library
    from knowledge.point_store import VectorPoint
    from storage.database import Database
    from tests.fakes.embedder import WordEmbedder
    from tests.knowledge.conftest import OpenLibrary

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))
FIRST = article_text("Refunds take two days.\n\n# Cards\n\nCards take five days.", source_hash="1" * 64)
SECOND = article_text("Refunds take three days.\n\n# Cards\n\nCards take five days.", source_hash="2" * 64)


async def texts(library: Library, question: str = "refunds cards days") -> list[str]:
    return sorted(passage.text for passage in (await library.retrieve(question, ASKER, 10)).passages)


async def test_that_only_the_new_generation_is_left_after_a_publication(library: Library) -> None:
    first = await library.add_text(FIRST)
    second = await library.add_text(SECOND)
    assert (first.generation, second.generation, second.article_id) == (1, 2, first.article_id)
    index = await library.index()
    assert await index.count(first.article_id) == await index.count(first.article_id, 2) == 2
    await assert_whole(library)


async def test_that_pieces_which_stay_the_same_are_not_embedded_again(library: Library, embedder: WordEmbedder) -> None:
    await library.add_text(FIRST)
    embedder.texts.clear()
    await library.add_text(SECOND)
    assert embedder.texts == ["Refunds\nRefunds take three days."]
    assert await texts(library) == ["Cards take five days.", "Refunds take three days."]


async def test_that_a_piece_below_another_heading_is_embedded_again(library: Library, embedder: WordEmbedder) -> None:
    await library.add_text(FIRST)
    embedder.texts.clear()
    await library.add_text(replace(FIRST, title="Money back"))
    assert "Money back › Cards\nCards take five days." in embedder.texts


async def damaged(points: list[VectorPoint], how: str) -> list[VectorPoint]:
    if how == "lost":
        return points[1:]
    if how == "other text":
        return [replace(point, facts={**point.facts, "text_hash": "another"}) for point in points]
    if how == "other vector":
        return [replace(point, whole=-point.whole) for point in points]
    return [replace(point, facts={**point.facts, "tenants": ["somebody"]}) for point in points]


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("lost", "kept 1 of 2 pieces"),
        ("other text", "piece 1 came back from the index changed"),
        ("other vector", "piece 1 came back from the index changed"),
        ("other tenant", "only 0 of 2 pieces can be found by those whom it is for"),
    ],
)
async def test_that_a_generation_which_is_not_whole_never_answers(
    library: Library, monkeypatch: pytest.MonkeyPatch, how: str, told: str
) -> None:
    await library.add_text(FIRST)
    index = await library.index()
    store = index.store

    async def badly(points: list[VectorPoint]) -> None:
        await store(await damaged(list(points), how))

    with monkeypatch.context() as patched:
        patched.setattr(index, "store", badly)
        with pytest.raises(IndexUnavailable, match=told):
            await library.add_text(SECOND)
    assert await texts(library) == ["Cards take five days.", "Refunds take two days."]
    await assert_whole(library)


async def test_that_a_text_which_its_own_first_sentence_does_not_find_is_not_published(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = await library.index()

    async def blind(*_: object, **__: object) -> list[object]:
        return []

    with monkeypatch.context() as patched:
        patched.setattr(index, "search_near", blind)
        with pytest.raises(IndexUnavailable, match="its own first sentence does not find it"):
            await library.add_text(FIRST)
    assert await library.articles() == ()
    assert await index.point_ids() == frozenset()


async def test_that_an_article_without_a_piece_is_refused(library: Library) -> None:
    with pytest.raises(ChangeRefused, match="has no text that could be found"):
        await library.add_text(article_text("\n"))


async def test_that_an_article_for_later_is_published_and_checked_on_its_day(library: Library) -> None:
    await library.add_text(replace(FIRST, valid_from=date(2031, 1, 1), tenants=("kamala",)))
    assert await texts(library) == []
    later = await library.retrieve("refunds", replace(ASKER, on=date(2031, 1, 1)), 5)
    assert later.passages


async def test_that_what_somebody_else_changed_meanwhile_is_not_overwritten(library: Library, db: Database) -> None:
    article = await library.add_text(FIRST)
    row = await db.run(lambda session: get_article(session, article.article_id))
    planned = await library._writing.plan(SECOND, row)
    await library.change(article.article_id, ArticleChange(owner="Asha"))
    with pytest.raises(ArticleMoved, match="somebody else changed it meanwhile"):
        await library._writing.carry_out(planned, None)
    assert await texts(library) == ["Cards take five days.", "Refunds take two days."]
    await assert_whole(library)
    kept = await library._writing.put(planned, None)
    assert kept.body == SECOND.body


async def test_that_stray_points_never_answer_and_are_deleted_when_the_index_opens(
    open_library: OpenLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_library() as library:
        kept = await library.add_text(FIRST)
        gone = await library.add_text(article_text("Refunds of steel.", source_name="steel.md", source_hash="3" * 64))
        index = await library.index()

        async def crashed(*_: object, **__: object) -> None:
            raise IndexUnavailable("The article index can't be written: power was lost. Start again.")

        with monkeypatch.context() as patched:
            patched.setattr(index, "delete_article", crashed)
            with pytest.raises(IndexUnavailable, match="answers nothing any more, but its 1 pieces still lie unread"):
                await library.remove(gone.article_id)
        found = await library.retrieve("refunds of steel", ASKER, 5)
        assert {passage.article_id for passage in found.passages} == {kept.article_id}
        assert len(await index.point_ids()) == 3
        assert [receipt.proven for receipt in await library.receipts()] == [False]
    async with open_library() as library:
        await library.warm()
        await assert_whole(library)
        assert [receipt.proven for receipt in await library.receipts()] == [True]


async def test_that_the_row_has_the_last_word_over_what_the_index_says(library: Library, db: Database) -> None:
    article = await library.add_text(FIRST)
    assert await texts(library)
    row = await db.run(lambda session: get_article(session, article.article_id))
    chunks = await db.run(lambda session: chunks_of(session, article.article_id))
    await db.run(lambda session: upsert_article(session, replace(row, audience="staff"), chunks))
    assert await texts(library) == []


async def test_that_an_article_whose_points_are_lost_is_written_again(library: Library) -> None:
    await library.add_text(FIRST)
    index = await library.index()
    await index.delete_points(sorted(await index.point_ids())[:1])
    assert await repair(await library._hands()) == 1
    await assert_whole(library)
    assert [article.generation for article in await library.articles()] == [2]


async def test_that_points_which_say_something_else_than_their_row_are_told_again(
    library: Library, db: Database
) -> None:
    article = await library.add_text(FIRST)
    row = await db.run(lambda session: get_article(session, article.article_id))
    await db.run(lambda session: keep_article(session, replace(row, tenants=("meridian",))))
    assert await repair(await library._hands()) == 1
    await assert_whole(library)


async def test_that_young_points_of_others_are_left_alone_on_a_server(library: Library) -> None:
    await library.add_text(FIRST)
    index, hands = await library.index(), await library._hands()
    (point,) = (await index.read(sorted(await index.point_ids())[:1]))[:1]
    await index.store([replace(point, point_id="00000000-0000-4000-8000-000000000000")])
    assert await repair(hands, stray_after_s=3600) == 0
    assert len(await index.point_ids()) == 3
    assert await repair(hands) == 1


async def test_that_nothing_is_found_of_any_deleted_article(library: Library) -> None:
    """`dabba bench canaries` deletes a thousand."""
    stays = await library.add_text(FIRST)
    hits = 0
    for number in range(60):
        secret = f"canary{number}"
        text = article_text(f"Refunds say {secret}.", source_name=f"{number}.md", title=f"Refunds {number}")
        article = await library.add_text(text)
        receipt = await library.remove(article.article_id)
        assert receipt.proven
        assert (receipt.points_before, receipt.probes[-1].found_before) == (1, 1)
        found = await library.retrieve(f"refunds {secret}", ASKER, 5)
        hits += sum(passage.article_id != stays.article_id or secret in passage.text for passage in found.passages)
    assert hits == 0
    await assert_whole(library)
