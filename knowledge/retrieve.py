"""One question's search: by meaning where the embedder knows the language, by words where it does not.

The asker's language comes first. Others are searched only when nothing in it reaches the threshold.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from knowledge.article import Passage
from knowledge.catalogue import INDIC, without_text
from knowledge.language import base_language, guess_language, is_devanagari
from knowledge.permission import permits
from knowledge.ranking import Candidate, Way, by_meaning, by_meaning_and_words, by_words, in_order
from knowledge.wording import plain_english, with_words
from knowledge.words import keys_of_question, words_of
from storage.queries.shelf import chunks_at

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from knowledge.article import Asker
    from knowledge.catalogue import Catalogue, View
    from knowledge.index import PassageIndex
    from knowledge.lexical import WordIndex
    from knowledge.word_matches import Matches, WordMatch
    from storage.database import Database
    from storage.queries.shelf import ShelfArticle, ShelfChunk
    from storage.worker import Worker

_log = logging.getLogger(__name__)
# So many passages of each branch are scored by both: the nearest, and those that share the rarest words.
NEAREST = 24
SHARING = 12
# Found points may still be dropped: their generation is just being written, or their article was removed meanwhile.
SPARE = 12
ENGLISH = "en"


@dataclass(frozen=True, slots=True)
class Shelf:
    """What a search reads: rows, points, words, and the thread in which words are compared."""

    db: Database
    index: PassageIndex
    catalogue: Catalogue
    worker: Worker


@dataclass(frozen=True, slots=True)
class Search:
    """One search: who asks what, what may be found, and how many passages from which score on."""

    question: str
    asker: Asker
    view: View
    limit: int
    threshold: float
    way: Way = Way.HYBRID


async def find_passages(shelf: Shelf, search: Search) -> tuple[Passage, ...]:
    """At most `limit` passages that the asker may see, those at or over the threshold before the others."""
    own = own_language(search.question, search.asker)
    ways = [await in_language(shelf, search, own)]
    if not any(candidate.score >= search.threshold for candidate in ways[0]):
        others = languages_to_fall_back_to(own, search.view.languages, shelf.index.languages)
        ways += [await in_language(shelf, search, language) for language in others]
    return await fused(shelf, search, ways)


async def fused(shelf: Shelf, search: Search, ways: Sequence[Sequence[Candidate]]) -> tuple[Passage, ...]:
    """The passages of the candidates, as the database knows them now."""
    found = in_order(ways, search.threshold)[: search.limit + SPARE]
    points = {candidate.point_id for candidate in found}
    rows = await shelf.db.run(lambda session: chunks_at(session, points))
    passages = [passage for candidate in found if (passage := _passage(candidate, rows, search))]
    return tuple(passages[: search.limit])


def own_language(question: str, asker: Asker) -> str:
    """The language to search first: the asker's, unless the question is plainly written in another script."""
    asked = base_language(asker.language)
    return guess_language(question) if is_devanagari(question) and asked not in INDIC else asked


def languages_to_fall_back_to(own: str, present: AbstractSet[str], known: frozenset[str]) -> list[str]:
    """Where to look when nothing in the asker's own language answers: first where the embedder understands.

    From a language the embedder knows nobody is sent on to a search by words while anything is written in it: one or
    two shared words of another language are an accident.
    """
    others = sorted(present - {own})
    understood = [language for language in others if language in known]
    by_words_only = [language for language in others if language not in known]
    return understood if own in known and own in present else understood + by_words_only


@dataclass(frozen=True, slots=True)
class Held:
    """A question as it is searched in a language, and what its words find there: the best, and any by its point."""

    question: str
    matches: Matches
    best: Sequence[WordMatch]


async def held_against_words(shelf: Shelf, search: Search, language: str, best: int) -> Held:
    """Words are counted among what the asker may see in that language only; the `best` of what they find are listed.

    Slips of the pen are mended towards the words of what the asker may see. A word that the embedder knows is no slip,
    also when no article has it: `fever` is not `fewer`.
    """
    here = search.view.written_in(language)
    words = shelf.catalogue.words(language)
    if language != ENGLISH:
        return await shelf.worker.run(_held, words, search.question, here, best, language)
    plain = plain_english(search.question)
    slips = await shelf.worker.run(words.slips, words_of(plain), here)
    if slips:
        known = await shelf.index.known(slips.keys())
        plain = with_words(plain, {word: meant for word, meant in slips.items() if word not in known})
    return await shelf.worker.run(_held, words, plain, here, best, language)


def _held(words: WordIndex, question: str, here: AbstractSet[str], best: int, language: str) -> Held:
    matches = words.search(keys_of_question(question, indic=language in INDIC), here)
    return Held(question, matches, matches.best(best))


async def in_language(shelf: Shelf, search: Search, language: str) -> list[Candidate]:
    """Candidates in one language, best first."""
    most = search.limit + SPARE
    if search.way is Way.WORDS or (search.way is Way.HYBRID and language not in shelf.index.languages):
        return by_words((await held_against_words(shelf, search, language, most)).best)
    held = await held_against_words(shelf, search, language, SHARING)
    also = [] if search.way is Way.DENSE else [match.ref for match in held.best]
    hits = await shelf.index.search(held.question, search.asker, (language,), max(NEAREST, most), also=also)
    if search.way is Way.DENSE:
        return by_meaning(hits, search.view.articles)
    return by_meaning_and_words(hits, held.matches.coverage, search.view.articles)


def _passage(
    candidate: Candidate, rows: Mapping[str, tuple[ShelfArticle, ShelfChunk]], search: Search
) -> Passage | None:
    """The passage as the database knows it now; None when its row is gone or not for this asker."""
    row = rows.get(candidate.point_id)
    if row is None:
        _log.info("Dropped point %s: no row of a served article names it", candidate.point_id)
        return None
    article, chunk = without_text(row[0]), row[1]
    if not permits(article, search.asker):
        _log.warning("Dropped point %s: article %s is not for this asker", candidate.point_id, article.article_id)
        return None
    return Passage(
        article_id=article.article_id,
        title=article.text.title,
        heading_path=chunk.heading_path,
        text=chunk.text,
        start=chunk.start,
        end=chunk.end,
        language=article.text.language,
        score=candidate.score,
        given=candidate.score >= search.threshold,
    )
