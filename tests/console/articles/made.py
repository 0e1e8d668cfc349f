"""Records for tables of cases."""

from __future__ import annotations

from datetime import UTC, date, datetime

from knowledge.article import Article, ArticleStatus, ArticleText, Audience, Chunk, Passage, Retrieved
from knowledge.explain import Explained, Verdict

NOW = datetime(2026, 11, 30, 7, 11, tzinfo=UTC)
TODAY = date(2026, 11, 30)


def article(
    title: str = "Refunds", *, status: ArticleStatus = ArticleStatus.PUBLISHED, tenants: tuple[str, ...] = (),
    audience: Audience = Audience.CUSTOMERS, first: date | None = None, last: date | None = None,
    body: str = "Money comes back.", source: str = "", updated: datetime = NOW, chunks: int = 7,
) -> Article:  # fmt: skip
    source = source or f"{title.lower()}.en.md"
    text = ArticleText(source, title, "Leela", audience, tenants, "en", first, last, body, "7be4" + "0" * 56 + "10c2")
    return Article(title.lower(), text, status, 15, chunks, updated)


def chunk(ordinal: int, start: int, text: str, tokens: int = 80, heading: str = "Late") -> Chunk:
    return Chunk(ordinal, (heading,) if heading else (), text, start, start + len(text), tokens)


def retrieved(*scores: float, threshold: float = 0.43, searched: int = 214) -> Retrieved:
    passages = tuple(
        Passage(f"a{n}", f"Title {n}", ("Heading",), "Text.", 10 * n, 10 * n + 5, "en", score, score >= threshold)
        for n, score in enumerate(scores, start=1)
    )
    return Retrieved(passages, threshold, searched, 31.4)


def explained(key: str, score: float, verdict: Verdict = Verdict.GIVEN, place: int | None = None) -> Explained:
    return Explained(
        key, f"article {key}", f"Title {key}", ("Heading",), "Text.", 0, 5, "en", 0.6, 0.5, 3.2, score, verdict, place
    )  # fmt: skip
