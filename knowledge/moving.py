"""All points of an index to another place: copied, counted, and asked the same questions there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, cast

from knowledge.article import Asker, Audience
from knowledge.errors import MoveFailed
from knowledge.point_filter import EVERYBODY
from knowledge.point_store import PAGE
from storage.queries.shelf import chunks_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from knowledge.index import PassageIndex
    from knowledge.point_filter import Facts
    from knowledge.point_store import Hit
    from storage.database import Database

SAMPLES = 25
"""So many passages are asked for in both places, spread over all of them."""
AMONG = 10
SAME = 1e-4
"""Cosines that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Moved:
    """What was found equal in both places."""

    points: int
    articles: int
    questions: int


async def copy_and_check(
    db: Database, here: PassageIndex, there: PassageIndex, progress: Callable[[int, int], None]
) -> Moved:
    """Copy every point of `here` to `there` and hold both against each other. `here` is not changed.

    `progress` gets (points copied, points in all). May be stopped and run again. Raises MoveFailed, IndexUnavailable.
    """
    facts = await here.facts()
    await _no_strangers(facts, there)
    await _copy(facts, here, there, progress)
    await _counted(facts, there)
    questions = await _asked(db, facts, here, there)
    return Moved(len(facts), len({str(one["article_id"]) for one in facts.values()}), questions)


async def _no_strangers(facts: Mapping[str, Facts], there: PassageIndex) -> None:
    ours = {str(one["article_id"]) for one in facts.values()}
    theirs = await there.facts()
    strangers = {str(one.get("article_id")) for one in theirs.values()} - ours
    if strangers:
        raise MoveFailed(
            f"The server has passages of {len(strangers)} articles that this library does not have: another library "
            "uses it. Choose another server."
        )
    stale = sorted(theirs.keys() - facts.keys())
    if stale:  # of an earlier try
        await there.delete_points(stale)


async def _copy(
    facts: Mapping[str, Facts], here: PassageIndex, there: PassageIndex, progress: Callable[[int, int], None]
) -> None:
    kept = await there.facts()
    missing = sorted(name for name, one in facts.items() if kept.get(name) != one)
    for start in range(0, len(missing), PAGE):
        progress(len(facts) - len(missing) + start, len(facts))
        await there.store(await here.read(missing[start : start + PAGE]))
    progress(len(facts), len(facts))


async def _counted(facts: Mapping[str, Facts], there: PassageIndex) -> None:
    copied = await there.facts()
    if copied != facts:
        wrong = sum(copied.get(name) != one for name, one in facts.items()) + len(copied.keys() - facts.keys())
        raise MoveFailed(f"The server has {wrong} of {len(facts)} passages not as they are here. Run the move again.")


async def _asked(db: Database, facts: Mapping[str, Facts], here: PassageIndex, there: PassageIndex) -> int:
    """Raises MoveFailed when one question finds other passages in one place than in the other."""
    names = sorted(facts)
    chosen = names[:: max(1, len(names) // SAMPLES)][:SAMPLES]
    rows = await db.run(lambda session: chunks_at(session, chosen))
    for name, (article, chunk) in rows.items():
        asker = asker_of(facts[name])
        languages = (str(facts[name]["language"]),)
        question = f"{article.title} {chunk.text}"
        found = [await index.search(question, asker, languages, AMONG) for index in (here, there)]
        if not answer_alike(*found):
            raise MoveFailed(
                f"The server answers otherwise than the index here, for a passage of {article.title}. "
                "Nothing was switched. Check that the server is Qdrant 1.10 or newer, then run the move again."
            )
    return len(rows)


def asker_of(facts: Facts) -> Asker:
    """Somebody who may see a point with these facts, as far as its status and days allow."""
    tenant = cast("list[str]", facts["tenants"])
    days = sorted((cast("int", facts["valid_from"]), date(2026, 1, 1).toordinal(), cast("int", facts["valid_to"])))
    return Asker(
        (tenant or [EVERYBODY])[0], Audience(str(facts["audience"])), str(facts["language"]), date.fromordinal(days[1])
    )


def answer_alike(these: Sequence[Hit], those: Sequence[Hit]) -> bool:
    """Whether both give the same passages; of equals at the very end each may give another one."""
    if len(these) != len(those):
        return False
    last = min((hit.whole for hit in these), default=0.0) + SAME
    scores = [{hit.point_id: hit.whole for hit in hits} for hits in (these, those)]
    certain = {name for found in scores for name, score in found.items() if score > last}
    return all(abs(scores[0].get(name, 9.0) - scores[1].get(name, -9.0)) < SAME for name in certain)
