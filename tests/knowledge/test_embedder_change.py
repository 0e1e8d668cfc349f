"""Another embedder is set: the old vectors answer until the new ones are all there, and never both at once."""

from __future__ import annotations

import asyncio
import json
import threading
from datetime import date
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest

from knowledge.article import Asker, Audience
from knowledge.embedder_change import ChangeProgress
from knowledge.embedding import cut_off
from knowledge.errors import IndexUnavailable, ModelMissing
from knowledge.library import Library
from storage.settings import KnowledgeSettings, Settings
from tests.fakes.embedder import WordEmbedder
from tests.knowledge.test_index import point

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from storage.database import Database
    from storage.paths import Home

    Write = Callable[..., Path]

ASKER = Asker("kamala", Audience.CUSTOMERS, "en", date(2026, 11, 30))
OLD, NEW = "bundled", "multilingual"
LATE = "A dabba more than 45 minutes late is free."


class Other(WordEmbedder):
    name = "other"
    dim = 64


class Short(Other):
    max_tokens = 20

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        for text in texts:
            cut_off(self.count_tokens(text), self.max_tokens)
        return super().embed(texts)


class Cellar:
    """The embedders that can be loaded, by what the settings say."""

    def __init__(self) -> None:
        self.made: dict[str, WordEmbedder] = {OLD: WordEmbedder(), NEW: Other()}
        self.gone: set[str] = set()

    def load_of(self, settings: KnowledgeSettings) -> Callable[[], WordEmbedder]:
        def load() -> WordEmbedder:
            if settings.embedder in self.gone:
                raise ModelMissing(f"{settings.embedder} is gone.")
            return self.made[settings.embedder]

        return load


@pytest.fixture
def cellar() -> Cellar:
    return Cellar()


def library_of(db: Database, home: Home, cellar: Cellar, embedder: str) -> Library:
    settings = Settings(knowledge=KnowledgeSettings(chunk_tokens=60, threshold=0.3, embedder=embedder))
    return Library(db, home, settings, ZoneInfo("Asia/Kolkata"), cellar.load_of)


def folders(home: Home) -> list[str]:
    return sorted(path.name for path in home.vectors.iterdir() if path.is_dir())


async def best(library: Library, question: str = "late dabba free") -> str:
    return (await library.retrieve(question, ASKER, 1)).passages[0].text


@pytest.fixture
async def with_old(db: Database, home: Home, cellar: Cellar, write: Write) -> None:
    library = library_of(db, home, cellar, OLD)
    await library.add_file(write("late.md", LATE))
    await library.add_file(write("steel.md", "Steel boxes cost 250 rupees.", tenants="kamala"))
    await library.close()


@pytest.mark.usefixtures("with_old")
async def test_that_the_old_vectors_answer_until_the_new_ones_are_made(
    db: Database, home: Home, cellar: Cellar
) -> None:
    library = library_of(db, home, cellar, NEW)
    index = await library.index()
    assert (index.model, await best(library)) == ("words", LATE)
    told: list[ChangeProgress] = []
    assert await library.change_embedder(told.append)
    assert (told[0], told[-1]) == (ChangeProgress("other", 0, 2), ChangeProgress("other", 2, 2))
    changed = await library.index()
    assert (changed.model, await best(library)) == ("other", LATE)
    assert await changed.facts() == await index.facts()
    assert not await library.change_embedder(told.append)
    await library.close()
    again = library_of(db, home, cellar, NEW)
    cellar.gone.add(OLD)
    assert ((await again.index()).model, await best(again)) == ("other", LATE)
    assert folders(home) == ["passages-and-sentences-other"]
    await again.close()


@pytest.mark.usefixtures("with_old")
async def test_that_what_is_published_meanwhile_is_in_the_new_index(
    db: Database, home: Home, cellar: Cellar, write: Write
) -> None:
    library = library_of(db, home, cellar, NEW)
    await library.index()
    loop, entered = asyncio.get_running_loop(), asyncio.Event()
    new = cellar.made[NEW]
    new.hold, new.on_enter = threading.Event(), lambda: loop.call_soon_threadsafe(entered.set)
    change = asyncio.create_task(library.change_embedder(lambda _: None))
    await entered.wait()
    await library.add_file(write("late.md", "A late dabba costs half."))
    await library.add_file(write("oil.md", "Groundnut oil is used."))
    new.hold.set()
    assert await change
    assert [await best(library), await best(library, "groundnut oil")] == [
        "A late dabba costs half.",
        "Groundnut oil is used.",
    ]
    assert len(await (await library.index()).point_ids()) == 3
    await library.close()


@pytest.mark.usefixtures("with_old")
async def test_that_a_stopped_change_goes_on_where_it_was(db: Database, home: Home, cellar: Cellar) -> None:
    library = library_of(db, home, cellar, NEW)
    new = cellar.made[NEW]
    await library.index()
    new.fail_on = "nothing of the kind"

    def stop(_: ChangeProgress) -> None:
        raise IndexUnavailable("The disk is full.")

    with pytest.raises(IndexUnavailable):
        await library.change_embedder(stop)
    await library.close()
    library = library_of(db, home, cellar, NEW)
    assert (await library.index()).model == "words"
    assert folders(home) == ["passages-and-sentences-other", "passages-and-sentences-words"]
    assert await library.change_embedder(lambda _: None)
    seen = len(new.texts)
    await library.close()
    library = library_of(db, home, cellar, NEW)
    await library.index()
    assert len(new.texts) == seen
    assert folders(home) == ["passages-and-sentences-other"]
    await library.close()


@pytest.mark.usefixtures("with_old")
async def test_that_a_change_back_before_the_end_leaves_nothing(db: Database, home: Home, cellar: Cellar) -> None:
    library = library_of(db, home, cellar, NEW)
    cellar.made[NEW].fail_on = "steel"
    await library.index()
    await library.warm()
    await asyncio.sleep(0)
    await library.close()
    library = library_of(db, home, cellar, OLD)
    assert ((await library.index()).model, await best(library)) == ("words", LATE)
    assert not await library.change_embedder(lambda _: None)
    await library.close()
    assert json.loads((home.vectors / "serving.json").read_text())["embedder"] == OLD


@pytest.mark.usefixtures("with_old")
async def test_that_pieces_too_long_for_the_new_embedder_are_cut_anew(
    db: Database, home: Home, cellar: Cellar, write: Write
) -> None:
    old = library_of(db, home, cellar, OLD)
    await old.add_file(write("long.md", "Boxes are made of steel and glass. " * 7))
    await old.close()
    cellar.made[NEW] = Short()
    library = library_of(db, home, cellar, NEW)
    assert await library.change_embedder(lambda _: None)
    assert await best(library, "boxes glass") != ""
    chunks = [one for article in await library.articles() for one in await library.chunks(article.article_id)]
    assert max(one.tokens for one in chunks) <= 20
    assert len(await (await library.index()).point_ids()) == len(chunks) > 3
    await library.close()


@pytest.mark.usefixtures("with_old")
async def test_that_an_index_whose_embedder_is_gone_is_made_anew_at_once(
    db: Database, home: Home, cellar: Cellar
) -> None:
    cellar.gone.add(OLD)
    library = library_of(db, home, cellar, NEW)
    assert ((await library.index()).model, await best(library)) == ("other", LATE)
    await library.close()
    assert folders(home) == ["passages-and-sentences-other"]


@pytest.mark.usefixtures("with_old")
async def test_that_what_the_old_embedder_made_is_never_written_to_the_new_index(
    db: Database, home: Home, cellar: Cellar
) -> None:
    library = library_of(db, home, cellar, NEW)
    old = await library.index()
    made = await old.embed([point(1)])
    await library.change_embedder(lambda _: None)
    with pytest.raises(IndexUnavailable, match="another embedder took over"):
        await (await library.index()).store(made)
    await library.close()


@pytest.mark.usefixtures("with_old")
async def test_that_a_warm_library_changes_by_itself_and_tells_how_far_it_is(
    db: Database, home: Home, cellar: Cellar
) -> None:
    library = library_of(db, home, cellar, NEW)
    assert library.embedder_change is None
    await library.warm()
    assert library._room._change
    await library._room._change
    assert (await library.index()).model == "other"
    assert await best(library) == LATE
    await library.close()


@pytest.mark.usefixtures("with_old")
async def test_that_a_change_that_can_not_be_made_is_told_and_the_old_embedder_answers(
    db: Database, home: Home, cellar: Cellar
) -> None:
    cellar.gone.add(NEW)
    library = library_of(db, home, cellar, NEW)
    await library.warm()
    assert library._room._change
    await library._room._change
    assert library.embedder_change is not None
    assert library.embedder_change.trouble
    assert await best(library) == LATE
    await library.close()
