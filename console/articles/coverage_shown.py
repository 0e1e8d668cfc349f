"""Which questions of customers found nothing, and which articles nobody was ever told of. Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from console.articles.words import count_text, day_text, moment_text
from console.widgets.pill import PillMark
from knowledge.article import ArticleStatus

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import date, datetime, tzinfo

    from knowledge.article import Article
    from storage.queries.coverage import AskedTurn
    from storage.records import Tenant

NOTHING_ASKED: Final = "No customer asked anything in this time."
ALL_FOUND: Final = "Every help question found a passage."
ALL_QUOTED: Final = "Every published article was quoted."
KNOWN: Final = PillMark("Known", "ok")


@dataclass(frozen=True, slots=True)
class Seen:
    """What one turn tells. `found` None = no article was searched; `cited` are ids, `nearest` what came nearest."""

    turn_id: str
    tenant_id: str
    text: str
    language: str
    asked_at: datetime
    found: bool | None = None
    cited: frozenset[str] = frozenset()
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Unfound:
    """A question for which no passage was given. `turn_id` is its newest turn, `nearest` what came nearest."""

    text: str
    tenant_id: str
    language: str
    turn_id: str
    asked_at: datetime
    times: int = 1
    nearest: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What `turns` turns since `since` tell. `quoted` counts the turns in which an article was cited, by its id."""

    since: date
    turns: int = 0
    helped: int = 0
    unfound: tuple[Unfound, ...] = ()
    quoted: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class UnfoundShown:
    key: str
    text: str
    tenant: str
    series: int
    language: str
    times: int
    nearest: str
    asked: str
    asked_at: datetime
    mark: PillMark | None
    question: Unfound


@dataclass(frozen=True, slots=True)
class UnquotedShown:
    article_id: str
    title: str
    language: str
    updated: str
    updated_at: datetime


def seen_of(turn: AskedTurn) -> Seen:
    seen = Seen(turn.turn_id, turn.tenant_id, turn.question, turn.language, turn.asked_at)
    event = next((event for event in turn.events if event.get("event") == "PassagesFound"), None)
    if event is None:
        return seen
    passages: Sequence[Mapping[str, Any]] = event.get("passages", ())
    given = [passage for passage in passages if passage.get("given")]
    nearest = max(passages, key=lambda passage: passage.get("score", 0.0), default=None)
    named = " › ".join((nearest["title"], *nearest["heading_path"])) if nearest else ""
    return replace(seen, found=bool(given), cited=_cited(turn.events, given), nearest=named)


def derive_coverage(turns: Iterable[Seen], since: date) -> Coverage:
    """`turns` newest first. A question that was asked again counts once, with how often."""
    unfound: dict[tuple[str, str], Unfound] = {}
    quoted: Counter[str] = Counter()
    seen = helped = 0
    for turn in turns:
        seen += 1
        helped += turn.found is not None
        quoted.update(turn.cited)
        if turn.found is False:
            key = (turn.tenant_id, " ".join(turn.text.casefold().split()))
            newest = unfound.get(key) or _unfound(turn)
            unfound[key] = replace(newest, times=newest.times + 1)
    often = sorted(unfound.values(), key=lambda one: (-one.times, -one.asked_at.timestamp()))
    return Coverage(since, seen, helped, tuple(often), dict(quoted))


def derive_unfound(
    coverage: Coverage, tenants: Sequence[Tenant], known: Collection[tuple[str, str]], now: datetime, zone: tzinfo
) -> tuple[UnfoundShown, ...]:
    """`known` are tenant and text of the known questions."""
    names = {tenant.tenant_id: tenant for tenant in tenants}
    return tuple(
        UnfoundShown(
            key=one.turn_id,
            text=one.text,
            tenant=names[one.tenant_id].name if one.tenant_id in names else one.tenant_id,
            series=names[one.tenant_id].colour if one.tenant_id in names else 0,
            language=one.language,
            times=one.times,
            nearest=one.nearest,
            asked=moment_text(one.asked_at, now, zone),
            asked_at=one.asked_at,
            mark=KNOWN if (one.tenant_id, one.text) in known else None,
            question=one,
        )
        for one in coverage.unfound
    )


def derive_unquoted(
    coverage: Coverage, articles: Sequence[Article], now: datetime, zone: tzinfo
) -> tuple[UnquotedShown, ...]:
    """Published articles that no answer cited, those first that have been there the longest."""
    rows = [
        UnquotedShown(
            article.article_id,
            article.text.title,
            article.text.language,
            moment_text(article.updated_at, now, zone),
            article.updated_at,
        )
        for article in articles
        if article.status is ArticleStatus.PUBLISHED and article.article_id not in coverage.quoted
    ]
    return tuple(sorted(rows, key=lambda row: row.updated_at))


def derive_coverage_line(coverage: Coverage, today: date) -> str:
    """The line of truth beside the title."""
    if not coverage.turns:
        return NOTHING_ASKED
    asked = f"{count_text(coverage.turns, 'turn')} since {day_text(coverage.since, today)}"
    nothing = sum(one.times for one in coverage.unfound)
    return f"{asked}: {coverage.helped:,} searched the articles, {nothing:,} found nothing"


def _unfound(turn: Seen) -> Unfound:
    return Unfound(turn.text, turn.tenant_id, turn.language, turn.turn_id, turn.asked_at, 0, turn.nearest)


def _cited(events: Sequence[Mapping[str, Any]], given: Sequence[Mapping[str, Any]]) -> frozenset[str]:
    """The articles that the released text names as its sources; citations are numbers into what was given, from 1."""
    numbers = {number for event in events for number in _numbers(event)}
    return frozenset(str(given[number - 1]["article_id"]) for number in numbers if 0 < number <= len(given))


def _numbers(event: Mapping[str, Any]) -> Sequence[int]:
    if event.get("event") == "Text":
        return event.get("citations", ())
    return (event.get("citation", 0),) if event.get("event") == "Quoted" else ()
