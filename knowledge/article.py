"""Help articles and the passages that are found in them: the records of this floor."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum

ALL_TENANTS: tuple[str, ...] = ()


class ArticleStatus(StrEnum):
    DRAFT = "draft"
    PUBLISHED = "published"
    RETIRED = "retired"


class Audience(StrEnum):
    CUSTOMERS = "customers"
    STAFF = "staff"


@dataclass(frozen=True, slots=True)
class ArticleText:
    """An article as a reader gives it: front matter apart from the body. `tenants` empty = all tenants.

    `valid_from` and `valid_to` are calendar days in the kitchen's time zone, both inclusive; None = no limit.
    `source_hash` is the sha256 of the file's bytes.
    """

    source_name: str
    title: str
    owner: str
    audience: Audience
    tenants: tuple[str, ...]
    language: str
    valid_from: date | None
    valid_to: date | None
    body: str
    source_hash: str


@dataclass(frozen=True, slots=True)
class Article:
    """An article in the library. `generation` is the index generation in which its chunks are served."""

    article_id: str
    text: ArticleText
    status: ArticleStatus
    generation: int
    chunk_count: int
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of an article's body: `body[start:end]`, never longer than the embedder reads.

    `tokens` counts what the embedder reads: title, heading path and text together.
    """

    ordinal: int
    heading_path: tuple[str, ...]
    text: str
    start: int
    end: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks: what may be found depends on it. Filters default to nothing: every field must be given."""

    tenant_id: str
    audience: Audience
    language: str
    on: date


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk that was found; `given` = its `score` is at or over the threshold.

    `score` says how likely the passage is to answer, about 0 to 1. Where the embedder knows the passage's language it
    is four parts meaning (the mean of two cosine similarities to the question: of the passage, and of its nearest
    sentence) and one part shared words. Where it does not, the search goes by words, and `score` is theirs alone.
    Shared words count 0 to 1: the cosine between the question's content words, weighted by how rare they are, and
    those of them that the passage has; 1 = all are there.
    """

    article_id: str
    title: str
    heading_path: tuple[str, ...]
    text: str
    start: int
    end: int
    language: str
    score: float
    given: bool


@dataclass(frozen=True, slots=True)
class Retrieved:
    """The answer of one search, best first, with what was searched: `searched` chunks were allowed for the asker."""

    passages: tuple[Passage, ...]
    threshold: float
    searched: int
    elapsed_ms: float
