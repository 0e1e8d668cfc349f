from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Asker, Audience
from knowledge.errors import ArticleUnknown, IndexUnavailable
from knowledge.importing import ImportProgress, ImportRow, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from knowledge.library import Library
    from tests.fakes.embedder import WordEmbedder
    from tests.knowledge.conftest import OpenLibrary

    Write = Callable[..., Path]

TODAY = date(2026, 11, 30)
LATE = "A dabba more than 45 minutes late is free."


def asker(tenant: str = "kamala", audience: Audience = Audience.CUSTOMERS, language: str = "en") -> Asker:
    return Asker(tenant, audience, language, TODAY)


async def texts(library: Library, question: str, who: Asker | None = None, limit: int = 5) -> list[str]:
    return [passage.text for passage in (await library.retrieve(question, who or asker(), limit)).passages]


async def test_that_an_added_article_answers_with_its_exact_place(library: Library, write: Write) -> None:
    row = await library.add_file(write("late.md", f"# Late\n\n{LATE}\n\n# Other\n\nBoxes are of steel."))
    assert row == ImportRow("late.md", Verdict.ADDED, row.sentence, row.article_id, 2)
    found = await library.retrieve("is a late dabba free", asker(), 1)
    (passage,) = found.passages
    article = await library.article(passage.article_id)
    assert article.text.body[passage.start : passage.end] == passage.text == LATE
    assert (passage.heading_path, passage.title, passage.given) == ((), "Late", True)
    assert (found.searched, found.threshold) == (2, 0.3)


async def test_that_an_empty_library_finds_nothing(library: Library) -> None:
    found = await library.retrieve("anything", asker(), 4)
    assert (found.passages, found.searched) == ((), 0)
    assert await library.articles() == ()


async def test_that_title_and_headings_are_embedded_with_every_piece(
    library: Library, write: Write, embedder: WordEmbedder
) -> None:
    await library.add_file(write("steel.md", "## Deposit\n\nIt is Rs 250.", title="Steel boxes"))
    assert embedder.texts == ["Deposit\nIt is Rs 250.", "Steel boxes › Deposit\nIt is Rs 250."]
    assert (await library.chunks((await library.articles())[0].article_id))[0].tokens == 10


async def test_that_the_same_bytes_again_embed_nothing(library: Library, write: Write, embedder: WordEmbedder) -> None:
    path = write("late.md", LATE)
    await library.add_file(path)
    seen = len(embedder.texts)
    row = await library.add_file(path)
    assert row.verdict is Verdict.UNCHANGED
    assert len(embedder.texts) == seen


async def test_that_a_file_of_the_same_name_replaces_its_article(library: Library, write: Write) -> None:
    first = await library.add_file(write("late.md", LATE))
    second = await library.add_file(write("late.md", "A dabba more than 30 minutes late is free."))
    assert (second.verdict, second.article_id) == (Verdict.REPLACED, first.article_id)
    assert await texts(library, "dabba late free") == ["A dabba more than 30 minutes late is free."]
    assert [article.generation for article in await library.articles()] == [2]


async def test_that_a_change_of_the_front_matter_alone_counts(library: Library, write: Write) -> None:
    await library.add_file(write("late.md", LATE, tenants="kamala"))
    row = await library.add_file(write("late.md", LATE, tenants="meridian"))
    assert row.verdict is Verdict.REPLACED
    assert await texts(library, "late", asker("kamala")) == []
    assert await texts(library, "late", asker("meridian")) == [LATE]


async def test_that_nobody_finds_what_is_not_for_them(library: Library, write: Write) -> None:
    await library.add_file(write("all.md", "late rule for all"))
    await library.add_file(write("theirs.md", "late rule of meridian", tenants="meridian"))
    await library.add_file(write("staff.md", "late rule for staff", audience="staff"))
    await library.add_file(write("old.md", "late rule of old", valid_to="2026-11-29"))
    await library.add_file(write("new.md", "late rule to come", valid_from="2026-12-01"))
    await library.add_file(write("today.md", "late rule of today", valid_from="2026-11-30", valid_to="2026-11-30"))
    assert sorted(await texts(library, "late rule")) == ["late rule for all", "late rule of today"]
    staff = asker(audience=Audience.STAFF)
    assert "late rule for staff" in await texts(library, "late rule", staff)
    assert "late rule for all" in await texts(library, "late rule", staff)
    assert (await library.retrieve("late rule", asker(), 5)).searched == 2


async def test_that_a_removed_article_answers_nothing_from_the_next_search_on(library: Library, write: Write) -> None:
    row = await library.add_file(write("late.md", LATE))
    assert row.article_id
    assert await texts(library, "late") == [LATE]
    await library.remove(row.article_id)
    assert await texts(library, "late") == []
    with pytest.raises(ArticleUnknown, match=r"There is no article .*: it was removed"):
        await library.article(row.article_id)
    with pytest.raises(ArticleUnknown):
        await library.remove(row.article_id)


async def test_that_a_retired_article_is_kept_but_answers_only_when_it_is_published_again(
    library: Library, write: Write
) -> None:
    path = write("late.md", LATE)
    row = await library.add_file(path)
    assert row.article_id
    await library.retire(row.article_id)
    assert await texts(library, "late") == []
    assert (await library.article(row.article_id)).status == "retired"
    await library.republish(row.article_id)
    assert await texts(library, "late") == [LATE]


async def test_that_a_hindi_question_finds_its_hindi_article_in_both_scripts(library: Library, write: Write) -> None:
    late = "डब्बा 45 मिनट से ज़्यादा देर से आए तो वह मुफ़्त होता है।"
    await library.add_file(write("late.hi.md", late, language="hi"))
    await library.add_file(write("jain.hi.md", "जैन डब्बे में प्याज़ नहीं होता।", language="hi"))
    await library.add_file(write("late.en.md", LATE, language="en"))
    for question, language in (("डब्बा देर से आए तो?", "hi"), ("dabba 45 minute late hai", "hi-Latn")):
        found = await library.retrieve(question, asker(language=language), 1)
        assert found.passages[0].text == late
        assert 0 < found.passages[0].score <= 1
    assert (await texts(library, "डब्बा देर", limit=1)) == [late]


async def test_that_another_language_answers_when_the_own_one_has_nothing(library: Library, write: Write) -> None:
    await library.add_file(write("late.en.md", LATE, language="en"))
    await library.add_file(write("jain.hi.md", "जैन डब्बे में प्याज़ नहीं होता।", language="hi"))
    found = await library.retrieve("late dabba free minutes", asker(language="hi"), 2)
    assert (found.passages[0].text, found.passages[0].given) == (LATE, True)


async def test_that_a_refused_file_is_a_row_and_changes_nothing(
    library: Library, write: Write, embedder: WordEmbedder
) -> None:
    row = await library.add_file(write("empty.md", ""))
    assert (row.verdict, row.article_id) == (Verdict.REFUSED, None)
    assert row.sentence == "empty.md was not added. It has no text. Write the article below the front matter."
    await library.add_file(write("late.md", LATE))
    embedder.fail_on = "steel"
    row = await library.add_file(write("late.md", "Late boxes.\n\n# Next\n\nA steel box."))
    assert row.verdict is Verdict.REFUSED
    embedder.fail_on = None
    assert await texts(library, "late dabba free") == [LATE]


async def test_that_a_folder_is_imported_with_a_row_for_each_file(
    library: Library, write: Write, tmp_path: Path
) -> None:
    write("a/late.md", LATE)
    write("b/late.md", "Late at the sister kitchen.")
    write("empty.txt", "")
    write("picture.png", "no article")
    rows: list[ImportRow] = []
    folder = tmp_path / "articles"
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    single = tmp_path / "a" / "late.md"
    found: list[int] = []
    returned = await library.add_paths([folder, folder / "a", nothing, single], rows.append, found.append)
    assert list(returned) == rows
    assert found == [7]
    assert [(row.source_name, row.verdict) for row in rows] == [
        ("a/late.md", Verdict.ADDED),
        ("b/late.md", Verdict.ADDED),
        ("empty.txt", Verdict.REFUSED),
        ("picture.png", Verdict.REFUSED),
        ("late.md", Verdict.ADDED),
        ("nothing", Verdict.REFUSED),
        ("late.md", Verdict.REFUSED),
    ]
    assert "has no articles" in rows[5].sentence
    assert "has a file of that name already" in rows[6].sentence


async def test_that_progress_is_told_in_pieces(library: Library, write: Write) -> None:
    told: list[ImportProgress] = []
    body = "\n\n".join(f"# Part {n}\n\nSome text." for n in range(20))
    await library.add_file(write("long.md", body), told.append)
    assert told[:2] == [ImportProgress("long.md", 0, 0), ImportProgress("long.md", 0, 20)]
    assert told[-1] == ImportProgress("long.md", 20, 20)
    assert len(told) == 5


async def test_that_a_cancelled_import_leaves_the_file_in_work_as_it_was(
    library: Library, write: Write, embedder: WordEmbedder, tmp_path: Path
) -> None:
    await library.add_file(write("b.md", LATE))
    write("a.md", "An apple.")
    write("b.md", "Late is fine.")
    rows: list[ImportRow] = []
    loop, entered, told = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    embedder.hold, embedder.hold_on = threading.Event(), "fine"
    embedder.on_enter = lambda: loop.call_soon_threadsafe(entered.set)

    def a_is_done(row: ImportRow) -> None:
        rows.append(row)
        told.set()

    task = asyncio.create_task(library.add_paths([tmp_path / "articles"], a_is_done))
    await asyncio.gather(entered.wait(), told.wait())
    task.cancel()
    embedder.hold.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert [row.source_name for row in rows] == ["a.md"]
    assert await texts(library, "late", limit=1) == [LATE]
    assert await texts(library, "apple", limit=1) == ["An apple."]


async def test_that_watchers_hear_of_each_change_until_they_stop(library: Library, write: Write) -> None:
    heard: list[int] = []
    stop = library.watch(lambda: heard.append(library.revision))
    row = await library.add_file(write("late.md", LATE))
    await library.add_file(write("late.md", LATE))
    assert row.article_id
    await library.remove(row.article_id)
    stop()
    await library.add_file(write("late.md", LATE))
    assert heard == [1, 2]


async def test_that_everything_is_still_there_after_closing(open_library: OpenLibrary, write: Write) -> None:
    async with open_library() as first:
        await first.add_file(write("late.md", LATE))
    async with open_library() as second:
        assert await texts(second, "late") == [LATE]
    with pytest.raises(IndexUnavailable, match="is closed"):
        await second.retrieve("late", asker(), 1)
    await second.close()


async def test_that_all_embedding_is_in_one_thread(library: Library, write: Write, embedder: WordEmbedder) -> None:
    await asyncio.gather(*(library.add_file(write(f"{n}.md", f"Text {n}.")) for n in range(4)))
    await asyncio.gather(*(library.retrieve(f"Text {n}", asker(), 1) for n in range(4)))
    assert len(embedder.threads) == 1
    assert len(await library.articles()) == 4


def test_that_opening_a_library_imports_nothing_heavy() -> None:
    program = (
        "import sys; import knowledge.library, knowledge.evaluate; "
        "print([m for m in ('llama_index', 'qdrant_client', 'fastembed', 'onnxruntime') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"


async def test_that_a_file_of_another_kind_in_a_folder_is_told_and_a_hidden_one_is_not(
    library: Library, tmp_path: Path
) -> None:
    folder = tmp_path / "articles"
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "notes.md").write_text("Hidden.", encoding="utf-8")
    (folder / ".hidden.md").write_text("Hidden.", encoding="utf-8")
    (folder / "late.md").write_text(LATE, encoding="utf-8")
    (folder / "prices.xlsx").write_bytes(b"%PDF-1.7")
    rows = await library.add_paths([folder], lambda _row: None)
    assert [(row.source_name, row.verdict) for row in rows] == [
        ("late.md", Verdict.ADDED),
        ("prices.xlsx", Verdict.REFUSED),
    ]
    assert "only Markdown, MDX, HTML" in rows[1].sentence
