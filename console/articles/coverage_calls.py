"""Reads what the coverage view shows, as coroutines that hold no widgets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final

from console.articles.coverage_shown import Coverage, Seen, derive_coverage, seen_of
from knowledge.evaluate.book import QuestionBook
from storage.queries.coverage import asked_turns

if TYPE_CHECKING:
    from datetime import date, tzinfo

    from sqlalchemy.orm import Session

    from console.house import House

DAYS: Final = 30
MOST_TURNS: Final = 5000
PAGE: Final = 100
"""Turns that are read in one transaction: others wait for it no longer than a moment."""


@dataclass(frozen=True, slots=True)
class Covered:
    """`known` are tenant and text of the known questions."""

    coverage: Coverage
    known: frozenset[tuple[str, str]]


async def read_coverage(house: House, zone: tzinfo) -> Covered:
    """The newest turns of DAYS days, at most MOST_TURNS."""
    since = datetime.now(UTC) - timedelta(days=DAYS)
    first_day: date = since.astimezone(zone).date()
    turns: list[Seen] = []
    last: tuple[datetime, str] | None = None
    while len(turns) < MOST_TURNS:
        page = await house.database.run(partial(_page, since, last))
        turns += page
        if len(page) < PAGE:
            break
        last = (page[-1].asked_at, page[-1].turn_id)
    if len(turns) >= MOST_TURNS:
        first_day = turns[-1].asked_at.astimezone(zone).date()
    questions = await QuestionBook(house.database).questions()
    known = frozenset((question.tenant_id, question.text) for question in questions)
    return Covered(derive_coverage(turns, first_day), known)


def _page(since: datetime, before: tuple[datetime, str] | None, session: Session) -> list[Seen]:
    """Read in the database's thread, so that the texts of a month are never held all at once."""
    return [seen_of(turn) for turn in asked_turns(session, since, before, PAGE)]
