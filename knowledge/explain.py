"""Why a question finds what it finds: every passage near it with the score of each branch, also those not shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from knowledge.catalogue import without_text
from knowledge.chunking import PATH_MARK
from knowledge.language import base_language
from knowledge.permission import derive_state, permits, readable_audiences
from knowledge.ranking import score_of
from knowledge.retrieve import find_passages, held_against_words, languages_to_fall_back_to, own_language
from storage.queries.shelf import chunks_at

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from knowledge.article import Article, Asker, Passage
    from knowledge.point_store import Hit
    from knowledge.retrieve import Search, Shelf
    from knowledge.word_matches import Matches
    from storage.queries.shelf import ShelfArticle, ShelfChunk


class Verdict(StrEnum):
    """What became of a passage, and the first reason why it was not shown."""

    GIVEN = "given"
    UNDER_THRESHOLD = "under the threshold"
    BEHIND = "over the threshold, behind those that were shown"
    RETIRED = "not shown: retired"
    DRAFT = "not shown: draft"
    OTHER_TENANT = "not shown: other tenant"
    OTHER_AUDIENCE = "not shown: other audience"
    NOT_YET_VALID = "not shown: not yet valid"
    EXPIRED = "not shown: expired"
    OTHER_LANGUAGE = "not shown: other language"


_OF_STATE: Mapping[str, Verdict] = {
    "retired": Verdict.RETIRED,
    "draft": Verdict.DRAFT,
    "not yet valid": Verdict.NOT_YET_VALID,
    "expired": Verdict.EXPIRED,
}


@dataclass(frozen=True, slots=True)
class Explained:
    """A passage with its scores, all about 0 to 1 but `bm25`.

    `dense` is the likeness of its meaning (mean of the whole passage's and of its nearest sentence's), `words` the
    share of the question's words that it has, `bm25` what the search by words orders by, 0 for what it does not search.
    `score` is the fused one that is held against the threshold. `place` is 1 for the first of those that were shown.
    """

    point_id: str
    article_id: str
    title: str
    heading_path: tuple[str, ...]
    text: str
    start: int
    end: int
    language: str
    dense: float
    words: float
    bm25: float
    score: float
    verdict: Verdict
    place: int | None


async def explain(shelf: Shelf, search: Search) -> tuple[Explained, ...]:
    """The passages of both branches among all that there are, best first, those that were shown before the others.

    For staff only: it tells of passages that the asker may not see.
    """
    shown = await find_passages(shelf, search)
    own = own_language(search.question, search.asker)
    asked_in = _asked_in(own, shown, search, shelf.index.languages)
    held = await held_against_words(shelf, search, own, search.limit)
    also = [match.ref for match in held.best]
    everywhere = await shelf.index.nearest_of_all(held.question, search.limit)
    here = await shelf.index.search(held.question, search.asker, asked_in, 2 * search.limit, also=also)
    hits = {hit.point_id: hit for hit in (*everywhere, *here)}
    rows = await shelf.db.run(lambda session: chunks_at(session, hits.keys()))
    judge = _Judge(search, held.matches, asked_in, shelf.index.languages, {_where(one): one for one in shown})
    explained = [judge.explained(hits[name], *row, places=list(map(_where, shown))) for name, row in rows.items()]
    return tuple(sorted(explained, key=lambda one: (one.place or len(explained) + 1, -one.score, one.point_id)))


def _asked_in(own: str, shown: Sequence[Passage], search: Search, known: frozenset[str]) -> tuple[str, ...]:
    """The languages that were searched: others only when nothing in the own one reached the threshold."""
    if any(one.given and base_language(one.language) == own for one in shown):
        return (own,)
    return (own, *languages_to_fall_back_to(own, search.view.languages, known))


_Where = tuple[str, int, int]


def _where(passage: Passage) -> _Where:
    return passage.article_id, passage.start, passage.end


@dataclass(frozen=True, slots=True)
class _Judge:
    search: Search
    matches: Matches
    asked_in: tuple[str, ...]
    known: Collection[str]
    shown: Mapping[_Where, Passage]

    def explained(self, hit: Hit, row: ShelfArticle, chunk: ShelfChunk, places: Sequence[_Where]) -> Explained:
        article = without_text(row)
        where = (article.article_id, chunk.start, chunk.end)
        words = self.matches.coverage_of(f"{PATH_MARK.join((article.text.title, *chunk.heading_path))}\n{chunk.text}")
        fused = score_of(hit.whole, hit.nearest, words) if base_language(article.text.language) in self.known else words
        shown = self.shown.get(where)
        score = shown.score if shown else fused
        return Explained(
            point_id=hit.point_id,
            article_id=article.article_id,
            title=article.text.title,
            heading_path=chunk.heading_path,
            text=chunk.text,
            start=chunk.start,
            end=chunk.end,
            language=article.text.language,
            dense=(hit.whole + hit.nearest) / 2,
            words=words,
            bm25=self.matches.rank(hit.point_id),
            score=score,
            verdict=self._verdict(article, score, shown),
            place=places.index(where) + 1 if shown else None,
        )

    def _verdict(self, article: Article, score: float, shown: Passage | None) -> Verdict:
        hidden = hidden_because(article, self.search.asker, self.asked_in)
        if hidden:
            return hidden
        if score < self.search.threshold:
            return Verdict.UNDER_THRESHOLD
        return Verdict.GIVEN if shown else Verdict.BEHIND


def hidden_because(article: Article, asker: Asker, languages: Collection[str]) -> Verdict | None:
    """Why a search in these languages never finds this article for this asker; None just where it may."""
    if not permits(article, asker):
        if article.text.tenants and asker.tenant_id not in article.text.tenants:
            return Verdict.OTHER_TENANT
        if article.text.audience not in readable_audiences(asker.audience):
            return Verdict.OTHER_AUDIENCE
        return _OF_STATE[derive_state(article, asker.on)]
    return None if base_language(article.text.language) in languages else Verdict.OTHER_LANGUAGE
