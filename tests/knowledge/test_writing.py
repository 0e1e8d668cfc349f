"""Drafts, changes that take effect at once, versions that come back, receipts: what an admin does to an article."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Article, ArticleStatus, Asker, Audience
from knowledge.article_history import How, diff
from knowledge.changes import ArticleChange
from knowledge.errors import ArticleUnknown, ChangeRefused, IndexUnavailable
from knowledge.importing import Verdict
from storage.settings import KnowledgeSettings
from tests.knowledge.crashing import assert_whole
from tests.knowledge.texts import article_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library
    from tests.fakes.embedder import WordEmbedder
    from tests.knowledge.conftest import OpenLibrary

    Write = Callable[..., Path]

DAY = date(2026, 11, 30)
CUSTOMER = Asker("kamala", Audience.CUSTOMERS, "en", DAY)
STAFF = replace(CUSTOMER, audience=Audience.STAFF)
OTHER = replace(CUSTOMER, tenant_id="meridian")
OLD = article_text("Refunds take two days.")
NEW = article_text("Refunds take three days.")


@pytest.fixture
async def article(library: Library) -> Article:
    return await library.add_text(OLD)


async def texts(library: Library, asker: Asker = CUSTOMER) -> list[str]:
    return [passage.text for passage in (await library.retrieve("refunds take days", asker, 5)).passages]


async def test_that_a_draft_answers_nothing_until_it_is_published(library: Library, article: Article) -> None:
    await library.save_draft(NEW, article.article_id)
    assert await texts(library) == [OLD.body]
    assert await library.drafted() == {article.article_id}
    published = await library.publish(article.article_id)
    assert await texts(library) == [published.text.body] == [NEW.body]
    assert await library.draft(article.article_id) is None


async def test_that_a_new_draft_is_an_article_that_answers_nothing(library: Library) -> None:
    first = await library.save_draft(OLD)
    second = await library.save_draft(NEW)
    assert (first.status, second.article_id) == (ArticleStatus.DRAFT, first.article_id)
    assert second.text.body == NEW.body
    assert await texts(library) == []
    with pytest.raises(ChangeRefused, match="as a draft it answers nothing"):
        await library.retire(first.article_id)
    await library.change(first.article_id, ArticleChange(audience=Audience.STAFF))
    await library.publish(first.article_id)
    assert (await texts(library), await texts(library, STAFF)) == ([], [NEW.body])
    await assert_whole(library)


async def test_that_a_change_of_who_may_see_it_is_in_effect_at_once_and_embeds_nothing(
    library: Library, article: Article, embedder: WordEmbedder
) -> None:
    embedder.texts.clear()
    seen: list[tuple[bool, bool, bool]] = []
    for change in (
        ArticleChange(audience=Audience.STAFF),
        ArticleChange(audience=Audience.CUSTOMERS, tenants=("meridian",)),
        ArticleChange(tenants=()),
        ArticleChange(valid_to=date(2026, 11, 29)),
        ArticleChange(valid_from=DAY, valid_to=None),
        ArticleChange(language="fr"),
        ArticleChange(language="en", valid_from=None),
    ):
        await library.change(article.article_id, change)
        seen.append((bool(await texts(library)), bool(await texts(library, STAFF)), bool(await texts(library, OTHER))))
    everybody, nobody = (True, True, True), (False, False, False)
    assert seen == [(False, True, False), (False, False, True), everybody, nobody, everybody, everybody, everybody]
    assert embedder.texts == []
    await assert_whole(library)


async def test_that_a_change_counts_for_the_draft_too(library: Library, article: Article) -> None:
    await library.save_draft(NEW, article.article_id)
    await library.change(article.article_id, ArticleChange(audience=Audience.STAFF))
    await library.publish(article.article_id)
    assert (await texts(library), await texts(library, STAFF)) == ([], [NEW.body])


async def test_that_an_impossible_validity_is_refused(library: Library, article: Article) -> None:
    with pytest.raises(ChangeRefused, match="valid from 2026-12-02 only until 2026-12-01"):
        await library.change(
            article.article_id, ArticleChange(valid_from=date(2026, 12, 2), valid_to=date(2026, 12, 1))
        )


async def test_that_a_retired_article_comes_back_without_embedding(
    library: Library, article: Article, embedder: WordEmbedder
) -> None:
    embedder.texts.clear()
    await library.retire(article.article_id)
    await library.retire(article.article_id)
    assert await texts(library) == []
    await library.publish(article.article_id)
    assert await texts(library) == [OLD.body]
    assert embedder.texts == []


async def test_that_a_retired_article_whose_points_are_gone_is_embedded_when_it_comes_back(
    library: Library, article: Article
) -> None:
    await library.retire(article.article_id)
    index = await library.index()
    await index.delete_article(article.article_id)
    await library.publish(article.article_id)
    assert await texts(library) == [OLD.body]
    await assert_whole(library)


async def test_that_every_published_text_is_kept_and_can_come_back(library: Library, article: Article) -> None:
    await library.add_text(replace(NEW, audience=Audience.STAFF))
    await library.change(article.article_id, ArticleChange(owner="Asha"))
    versions = await library.versions(article.article_id)
    assert [(one.number, one.how) for one in versions] == [(3, How.CHANGED), (2, How.IMPORTED), (1, How.IMPORTED)]
    assert all(one.made_by for one in versions)
    await library.restore(article.article_id, 1)
    assert await texts(library) == [OLD.body]
    newest = (await library.versions(article.article_id))[0]
    assert (newest.number, newest.how, newest.text) == (4, How.RESTORED, OLD)
    with pytest.raises(ArticleUnknown, match="has no version 9"):
        await library.restore(article.article_id, 9)


async def test_that_embedding_again_makes_no_version(library: Library, article: Article) -> None:
    await library.republish(article.article_id)
    assert len(await library.versions(article.article_id)) == 1


async def test_that_so_many_versions_are_kept_as_the_settings_say(library: Library, article: Article) -> None:
    library._settings = KnowledgeSettings(versions_kept=2)
    for number in range(4):
        await library.add_text(article_text(f"Refunds take {number} hours."))
    assert [one.number for one in await library.versions(article.article_id)] == [5, 4]


def test_that_a_diff_shows_what_is_kept_beside_the_text_and_every_line() -> None:
    old = article_text("One.\n\nTwo.\n\nThree.")
    new = replace(old, body="One.\n\n2.\n\nThree.", tenants=("kamala",))
    changed = [(line.mark, line.text) for line in diff(old, new) if line.mark != " "]
    assert changed == [("-", "tenants: all"), ("+", "tenants: kamala"), ("-", "Two."), ("+", "2.")]
    assert [line.text for line in diff(old, new) if line.mark != "+"][-5:] == ["One.", "", "Two.", "", "Three."]


async def test_that_a_deletion_leaves_a_receipt_and_no_text(open_library: OpenLibrary) -> None:
    async with open_library() as library:
        article = await library.add_text(OLD)
        await library.save_draft(NEW, article.article_id)
        receipt = await library.remove(article.article_id)
        assert receipt.proven
        assert (receipt.title, receipt.points_before, receipt.points_after) == ("Refunds", 1, 0)
        asked = ["its title", "the beginning of piece 1 of 1"]
        assert [(probe.asked, probe.found_before, probe.found_after) for probe in receipt.probes] == [
            (question, 1, 0) for question in asked
        ]
        assert receipt.deleted_by
        assert "two days" not in str(receipt)
    async with open_library() as again:
        assert await again.receipts() == (receipt,)
        assert await again.versions(article.article_id) == ()
        assert await again.draft(article.article_id) is None
        with pytest.raises(ArticleUnknown):
            await again.remove(article.article_id)


async def test_that_a_full_disk_is_told_and_what_was_published_still_answers(
    library: Library, article: Article, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = await library.index()

    async def full(*_: object) -> None:
        raise IndexUnavailable("The article index can't be written: no space left on device. Make room on the disk.")

    with monkeypatch.context() as patched:
        patched.setattr(index, "store", full)
        patched.setattr(index, "set_facts", full)
        with pytest.raises(IndexUnavailable, match="Make room on the disk"):
            await library.add_text(NEW)
        with pytest.raises(IndexUnavailable, match=r"refunds\.md was not changed\. .* Make room on the disk"):
            await library.retire(article.article_id)
    assert await texts(library) == [OLD.body]
    assert (await library.article(article.article_id)).status is ArticleStatus.PUBLISHED
    await assert_whole(library)


async def test_that_an_unchanged_file_leaves_alone_what_was_changed_here(library: Library, write: Write) -> None:
    path = write("late.md", "Refunds take two days.")
    row = await library.add_file(path)
    assert row.article_id
    await library.change(row.article_id, ArticleChange(audience=Audience.STAFF))
    assert (await library.add_file(path)).verdict is Verdict.UNCHANGED
    assert await texts(library) == []
    await library.retire(row.article_id)
    again = await library.add_file(path)
    assert again.verdict is Verdict.UNCHANGED
    assert again.sentence == "late.md is unchanged, and its article is retired. Publish it, and it answers again."
    assert (await library.article(row.article_id)).status is ArticleStatus.RETIRED


async def test_that_a_file_with_other_bytes_and_the_same_text_embeds_nothing(
    library: Library, write: Write, embedder: WordEmbedder
) -> None:
    row = await library.add_file(write("late.md", "Refunds take two days."))
    embedder.texts.clear()
    same = await library.add_file(write("late.md", "Refunds take two days.\n\n"))
    other = await library.add_file(write("late.md", "Refunds take two days.", owner="Asha"))
    assert (same.verdict, other.verdict) == (Verdict.UNCHANGED, Verdict.REPLACED)
    assert embedder.texts == []
    assert row.article_id
    assert [one.how for one in await library.versions(row.article_id)] == [How.IMPORTED, How.IMPORTED]


async def test_that_a_twin_is_told(library: Library, write: Write) -> None:
    await library.add_file(write("late.md", "Refunds take two days."))
    row = await library.add_file(write("copy.md", "Refunds take two days."))
    assert row.notes == (
        "The same text is in the library as late.md. Remove one of them, or each question finds both.",
    )


async def test_that_a_folder_read_again_reads_and_embeds_nothing(
    library: Library, write: Write, embedder: WordEmbedder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(60):
        write(f"{number:02}.md", f"Text number {number}.")
    await library.add_paths([tmp_path / "articles"], lambda _row: None)
    embedder.texts.clear()
    monkeypatch.setattr("knowledge.importing_run.read_file", lambda *_args, **_kwargs: pytest.fail("a file was read"))
    rows = await library.add_paths([tmp_path / "articles"], lambda _row: None)
    assert {row.verdict for row in rows} == {Verdict.UNCHANGED}
    assert embedder.texts == []


async def test_that_a_passage_of_an_earlier_answer_is_served_only_while_its_article_says_so(
    library: Library, article: Article
) -> None:
    (passage,) = (await library.retrieve("refunds", CUSTOMER, 1)).passages
    assert await library.still_served([passage], CUSTOMER) == (True,)
    assert await library.still_served([passage], replace(CUSTOMER, on=date(2026, 12, 24))) == (True,)
    await library.change(article.article_id, ArticleChange(tenants=("meridian",)))
    assert await library.still_served([passage], CUSTOMER) == (False,)
    assert await library.still_served([passage], OTHER) == (True,)
    await library.add_text(replace(NEW, source_name=OLD.source_name))
    assert await library.still_served([passage, replace(passage, text=NEW.body)], CUSTOMER) == (False, True)
    await library.remove(article.article_id)
    assert await library.still_served([passage], OTHER) == (False,)
