"""Every way on which a search could tell a text: what it told an asker, as article and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge.article import Passage
from knowledge.ranking import Way
from knowledge.words import words_of
from storage.queries.shelf import chunks_at

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Mapping

    from console.bench.canaries.world import Told
    from knowledge.article import Asker
    from knowledge.finding import Finder
    from knowledge.library import Library
    from storage.database import Database

    Path = Callable[["Doors", str, Asker], Awaitable["list[Heard]"]]

MOST: Final = 20
LANGUAGES: Final = ("en", "hi", "mr")


@dataclass(frozen=True, slots=True)
class Heard:
    """A text that somebody was told; `article_id` None = it is not of one article."""

    article_id: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Doors:
    """A library, and what stands behind it. `quoted` are articles of which a conversation holds passages."""

    library: Library
    finder: Finder
    db: Database
    quoted: tuple[Told, ...]


async def by_meaning(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    return await _retrieved(doors, question, asker, Way.DENSE)


async def by_words(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    return await _retrieved(doors, question, asker, Way.WORDS)


async def by_both(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    return await _retrieved(doors, question, asker, Way.HYBRID)


async def explained(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    """Staff see every passage there; told to the asker are those that are not marked as not shown."""
    found = await doors.library.explain(question, asker, MOST)
    told = (one for one in found if one.place is not None or not one.verdict.value.startswith("not shown"))
    return [Heard(one.article_id, f"{one.title} {one.heading_path} {one.text}") for one in told]


async def by_exact_points(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    """The index alone, asked for every point that it holds: its own filter, without the rows' last word."""
    index = await doors.library.index()
    every = sorted(await index.point_ids())
    hits = await index.search(question, asker, LANGUAGES, MOST, also=every)
    rows = await doors.db.run(lambda session: chunks_at(session, {hit.point_id for hit in hits}))
    return [Heard(hit.article_id, rows[hit.point_id][1].text if hit.point_id in rows else "") for hit in hits]


async def still_served(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    """Passages of a conversation, held against what their articles say now to this asker."""
    passages = [_passage(one.article_id, text) for one in doors.quoted for text in (one.sentence, question)]
    served = await doors.library.still_served(passages, asker)
    return [Heard(one.article_id, one.text) for one, serves in zip(passages, served, strict=True) if serves]


async def in_catalogue(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    """The articles in which words are counted for this asker."""
    del question
    view = (await doors.finder.catalogue()).view(asker)
    return [Heard(article_id, "") for article_id in view.articles]


async def mended(doors: Doors, question: str, asker: Asker) -> list[Heard]:
    """The words towards which slips of the pen are mended."""
    catalogue = await doors.finder.catalogue()
    view = catalogue.view(asker)
    found = (catalogue.words(one).slips(words_of(question), view.written_in(one)) for one in LANGUAGES)
    return [Heard(None, word) for slips in found for word in slips.values()]


PATHS: Final[Mapping[str, Path]] = {
    "meaning": by_meaning,
    "words": by_words,
    "both": by_both,
    "explained": explained,
    "points": by_exact_points,
    "still_served": still_served,
    "catalogue": in_catalogue,
    "mended": mended,
}


async def _retrieved(doors: Doors, question: str, asker: Asker, way: Way) -> list[Heard]:
    found = await doors.library.retrieve(question, asker, MOST, way=way)
    return [Heard(one.article_id, f"{one.title} {one.heading_path} {one.text}") for one in found.passages]


def _passage(article_id: str, text: str) -> Passage:
    return Passage(article_id, "", (), text, 0, len(text), "en", 1.0, given=True)


def secrets_in(heard: Iterable[Heard], secrets: Iterable[str]) -> set[str]:
    """Which secret words stand in what was heard."""
    said = "\n".join(one.text for one in heard)
    return {secret for secret in secrets if secret in said}
