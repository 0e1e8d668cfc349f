"""From hits and word matches to the order of the passages. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from knowledge.catalogue import Shelved
    from knowledge.point_store import Hit
    from knowledge.word_matches import WordMatch

# Measured, with what was tried beside them: docs/decisions/0009-ranking-and-answerability.md
WORDS_SHARE = 0.2
OWN_ARTICLE = 0.1
"""What an article for the asker's own tenant is worth beside one for all: the kitchen's own times beat the general."""


class Way(StrEnum):
    """How passages are found. Answers take HYBRID: words where the embedder does not know the language, else both.

    The others are one branch alone in every language, to measure what it is worth. The threshold belongs to HYBRID.
    """

    HYBRID = "hybrid"
    DENSE = "dense"
    WORDS = "words"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage in the running: ordered by its way of search, judged by `score` (see Passage)."""

    point_id: str
    article_id: str
    score: float


def by_meaning_and_words(
    hits: Sequence[Hit], coverage: Callable[[str], float], articles: Mapping[str, Shelved]
) -> list[Candidate]:
    """Hits of both branches, scored by their meaning and by how much of the question's words they have."""
    found = [
        Candidate(hit.point_id, hit.article_id, score_of(hit.whole, hit.nearest, coverage(hit.point_id)))
        for hit in hits
    ]
    return _own_first(found, articles)


def by_meaning(hits: Sequence[Hit], articles: Mapping[str, Shelved]) -> list[Candidate]:
    """Hits of the vector search, scored by their meaning alone."""
    return _own_first(
        [Candidate(hit.point_id, hit.article_id, _meaning(hit.whole, hit.nearest)) for hit in hits], articles
    )


def score_of(whole: float, nearest: float, coverage: float) -> float:
    """Four parts meaning (of the whole passage and of its nearest sentence alike), one part shared words."""
    return (1 - WORDS_SHARE) * _meaning(whole, nearest) + WORDS_SHARE * coverage


def _meaning(whole: float, nearest: float) -> float:
    return (whole + nearest) / 2


def _own_first(found: Sequence[Candidate], articles: Mapping[str, Shelved]) -> list[Candidate]:
    def place(one: Candidate) -> tuple[float, str]:
        own = one.article_id in articles and articles[one.article_id].own
        return -one.score - OWN_ARTICLE * own, one.point_id

    return sorted(found, key=place)


def by_words(matches: Sequence[WordMatch]) -> list[Candidate]:
    return [Candidate(match.ref, match.group, match.coverage) for match in matches]


def in_order(ways: Sequence[Sequence[Candidate]], threshold: float) -> list[Candidate]:
    """All candidates, those at or over the threshold first; ways in their order, the asker's own language first."""
    return sorted((candidate for way in ways for candidate in way), key=lambda candidate: candidate.score < threshold)
