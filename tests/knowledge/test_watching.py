"""The watched folder: what becomes an article by itself, when, and what is told of files that don't."""

from __future__ import annotations

import asyncio
import os
import shutil
import zipfile
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Asker, Audience
from knowledge.importing import Verdict
from knowledge.watching import FolderWatch
from knowledge.watching_state import WatchStatus

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from knowledge.library import Library
    from knowledge.watching_state import WatchRow
    from storage.paths import Home
    from tests.fakes.embedder import WordEmbedder

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "shared" / "help"
    made.mkdir(parents=True)
    return made


@pytest.fixture
async def watch(library: Library, home: Home, folder: Path) -> AsyncIterator[FolderWatch]:
    made = FolderWatch(library, home, folder)
    yield made
    await made.close()


def write(folder: Path, name: str, body: str) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# {name}\n\n{body}\n", encoding="utf-8")
    return path


def move(path: Path, to: Path) -> None:
    path.rename(to)


async def looked(watch: FolderWatch) -> dict[str, WatchRow]:
    """Two looks: a file that nobody writes to is taken in at the second."""
    await watch.look()
    await watch.look()
    return {row.source_name: row for row in watch.state.rows}


async def texts_found(library: Library, question: str) -> list[str]:
    return [passage.text for passage in (await library.retrieve(question, ASKER, 3)).passages]


async def names_in(library: Library) -> set[str]:
    return {article.text.source_name for article in await library.articles()}


async def test_that_a_file_becomes_an_article_under_its_name_in_the_folder(
    watch: FolderWatch, library: Library, folder: Path
) -> None:
    write(folder, "money/refunds.en.md", "Refunds take two days.")
    await watch.look()
    assert not watch.state.rows
    await watch.look()

    assert [(row.source_name, row.verdict) for row in watch.state.rows] == [("money/refunds.en.md", Verdict.ADDED)]
    assert (watch.state.status, watch.state.files, watch.state.trouble) == (WatchStatus.WATCHING, 1, "")
    assert any("two days" in text for text in await texts_found(library, "refunds two days"))


async def test_that_a_file_which_is_still_being_written_waits(watch: FolderWatch, folder: Path) -> None:
    path = write(folder, "long.md", "A first half")
    for number in range(3):
        await watch.look()
        with path.open("a", encoding="utf-8") as growing:
            growing.write(f"and part {number}\n")
    assert not watch.state.rows
    assert (await looked(watch))["long.md"].verdict is Verdict.ADDED


async def test_that_a_changed_file_replaces_its_article(watch: FolderWatch, library: Library, folder: Path) -> None:
    write(folder, "late.md", "A late box is free.")
    await looked(watch)
    write(folder, "late.md", "A late box costs half of its price.")
    assert (await looked(watch))["late.md"].verdict is Verdict.REPLACED
    assert await names_in(library) == {"late.md"}


async def test_that_the_same_bytes_with_another_time_are_not_read_again(
    watch: FolderWatch, folder: Path, embedder: WordEmbedder
) -> None:
    path = write(folder, "late.md", "A late box is free.")
    before = (await looked(watch))["late.md"]
    embedded = len(embedder.texts)
    os.utime(path, (1, 1))
    assert (await looked(watch))["late.md"] == before
    assert len(embedder.texts) == embedded


async def test_that_a_refused_file_has_its_reason_until_it_is_mended(watch: FolderWatch, folder: Path) -> None:
    path = folder / "scan.pdf"
    path.write_bytes(b"no PDF at all")
    row = (await looked(watch))["scan.pdf"]
    assert (row.verdict, watch.state.refused) == (Verdict.REFUSED, 1)
    assert "It is not a PDF" in row.sentence
    path.unlink()
    write(folder, "scan.md", "Typed by hand.")
    assert set(await looked(watch)) == {"scan.md"}


async def test_that_a_refused_file_is_read_again_when_asked(
    watch: FolderWatch, folder: Path, embedder: WordEmbedder
) -> None:
    write(folder, "late.md", "A late box is free.")
    embedder.fail_on = "late"
    assert (await looked(watch))["late.md"].verdict is Verdict.REFUSED
    embedder.fail_on = None
    assert (await looked(watch))["late.md"].verdict is Verdict.REFUSED
    await watch.try_again()
    assert (await looked(watch))["late.md"].verdict is Verdict.ADDED


async def test_that_other_kinds_and_files_of_editors_are_left_alone_and_counted(
    watch: FolderWatch, folder: Path
) -> None:
    for name in ("map.png", "~$open.docx", "late.md.part", ".hidden.md", ".git/readme.md"):
        write(folder, name, "Nothing for customers.")
    assert await looked(watch) == {}
    assert watch.state.others == 3


async def test_that_a_removed_file_is_told_and_its_article_answers_until_it_is_retired(
    watch: FolderWatch, library: Library, folder: Path
) -> None:
    write(folder, "kept.md", "Boxes are steel.")
    path = write(folder, "late.md", "A late box is free.")
    await looked(watch)
    path.unlink()

    row = (await looked(watch))["late.md"]
    assert (row.verdict, watch.state.gone, watch.state.files) == (None, 1, 1)
    assert row.sentence.startswith("late.md is gone from the folder. Its article still answers")
    assert any("late box is free" in text for text in await texts_found(library, "late box free"))

    await library.retire(row.article_id or "")
    assert set(await looked(watch)) == {"kept.md"}


async def test_that_a_file_which_comes_back_is_gone_no_more(watch: FolderWatch, folder: Path, tmp_path: Path) -> None:
    write(folder, "kept.md", "Boxes are steel.")
    path = write(folder, "late.md", "A late box is free.")
    before = await looked(watch)
    move(path, tmp_path / "late.md")
    assert (await looked(watch))["late.md"].verdict is None
    move(tmp_path / "late.md", path)
    assert await looked(watch) == before


async def test_that_a_folder_which_vanishes_is_told_and_taken_up_again_when_it_is_back(
    watch: FolderWatch, library: Library, folder: Path
) -> None:
    write(folder, "late.md", "A late box is free.")
    rows = await looked(watch)
    move(folder, folder.with_name("away"))
    assert await looked(watch) == rows
    assert watch.state.status is WatchStatus.STUCK
    assert "can't be read: No such file or directory" in watch.state.trouble
    write(folder, ".hidden", "")
    await watch.look()
    assert "is empty, and 1 article came from it. They answer as before" in watch.state.trouble
    shutil.rmtree(folder)
    move(folder.with_name("away"), folder)
    write(folder, "new.md", "Boxes are steel.")
    assert set(await looked(watch)) == {"late.md", "new.md"}
    assert (watch.state.status, watch.state.trouble) == (WatchStatus.WATCHING, "")
    assert await names_in(library) == {"late.md", "new.md"}


async def test_that_what_was_corrected_or_deleted_here_does_not_come_back_from_its_file_at_the_next_start(
    watch: FolderWatch, library: Library, home: Home, folder: Path
) -> None:
    write(folder, "late.md", "A late box is free.")
    write(folder, "old.md", "There are no boxes.")
    rows = await looked(watch)
    article = await library.article(rows["late.md"].article_id or "")
    await library.add_text(replace(article.text, body="A late box costs half."))
    await library.remove(rows["old.md"].article_id or "")
    await watch.close()

    again = FolderWatch(library, home, folder)
    await looked(again)
    await again.close()
    assert [one.text.body for one in await library.articles()] == ["A late box costs half."]


async def test_that_a_damaged_memory_costs_a_comparison_and_no_article(
    watch: FolderWatch, library: Library, home: Home, folder: Path
) -> None:
    write(folder, "late.md", "A late box is free.")
    await looked(watch)
    await watch.close()
    (home.root / "watched-folder.json").write_text("{", encoding="utf-8")
    again = FolderWatch(library, home, folder)
    assert (await looked(again))["late.md"].verdict is Verdict.UNCHANGED
    await again.close()


async def test_that_a_name_in_another_encoding_is_taken_in_and_remembered(
    watch: FolderWatch, library: Library, home: Home, folder: Path, embedder: WordEmbedder
) -> None:
    move(write(folder, "coffee.md", "Coffee is served at ten."), folder / os.fsdecode(b"caf\xe9.md"))
    await looked(watch)
    assert [row.verdict for row in watch.state.rows] == [Verdict.ADDED]
    await watch.close()
    embedded = len(embedder.texts)
    again = FolderWatch(library, home, folder)
    await looked(again)
    await again.close()
    assert (again.state.files, again.state.gone, len(embedder.texts)) == (1, 0, embedded)


async def test_that_every_file_of_a_zip_has_its_row(watch: FolderWatch, folder: Path) -> None:
    with zipfile.ZipFile(folder / "help.zip", "w") as archive:
        archive.writestr("late.md", "# Late\n\nA late box is free.\n")
        archive.writestr("map.png", b"\x89PNG\r\n")
    rows = await looked(watch)
    assert {name: row.verdict for name, row in rows.items()} == {
        "help.zip/late.md": Verdict.ADDED,
        "help.zip/map.png": Verdict.REFUSED,
    }


async def test_that_another_folder_is_followed_from_then_on(
    watch: FolderWatch, library: Library, folder: Path, tmp_path: Path
) -> None:
    write(folder, "late.md", "A late box is free.")
    await looked(watch)
    other = tmp_path / "other"
    write(other, "steel.md", "Boxes are steel.")
    await watch.follow(other)
    assert set(await looked(watch)) == {"steel.md"}
    await watch.follow(None)
    await watch.look()
    assert watch.state.status is WatchStatus.OFF
    assert await names_in(library) == {"late.md", "steel.md"}


async def test_that_a_stop_in_the_middle_keeps_what_has_its_row_and_the_next_start_does_the_rest(
    watch: FolderWatch, library: Library, home: Home, folder: Path
) -> None:
    for number in range(40):
        write(folder, f"part-{number:02}.md", f"Part {number} of the rules.")
    began = asyncio.Event()
    watch.watch(lambda: began.set() if watch.state.done >= 3 else None)
    await watch.look()
    task = asyncio.create_task(watch.look())
    await began.wait()
    task.cancel()
    await asyncio.wait({task})
    await watch.close()

    again = FolderWatch(library, home, folder)
    rows = await looked(again)
    await again.close()
    assert len(rows) == len(await names_in(library)) == 40


async def test_that_a_running_watch_looks_by_itself_and_ends_when_it_is_closed(
    watch: FolderWatch, folder: Path
) -> None:
    write(folder, "late.md", "A late box is free.")
    taken = asyncio.Event()
    unwatch = watch.watch(lambda: taken.set() if watch.state.rows else None)
    watch.start()
    watch.start()
    await asyncio.wait_for(taken.wait(), 60)
    unwatch()
    await watch.close()
    await watch.close()
    watch.start()
    assert [task.get_name() for task in asyncio.all_tasks() if task.get_name() == "folder-watch"] == []
