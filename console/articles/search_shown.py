"""What the search test shows: each passage with its scores, what became of it and why, and the footer. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from console.articles.words import LANGUAGES, count_text, language_text
from console.widgets.fields import Choice
from knowledge.explain import Verdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.theme.tokens import ColorToken
    from knowledge.article import Article, Passage, Retrieved
    from knowledge.explain import Explained
    from storage.records import Tenant

AUDIENCES: Final = (Choice("customers", "Customers"), Choice("staff", "Staff"))
SHOWN: Final = 5
ROWS: Final = 12
_SEEN: Final = frozenset((Verdict.GIVEN, Verdict.UNDER_THRESHOLD, Verdict.BEHIND))
_OF_TIME: Final = frozenset((Verdict.EXPIRED.value, Verdict.NOT_YET_VALID.value))
_WHY: Final = {
    Verdict.GIVEN: "over the threshold, behind those that are given",
    Verdict.BEHIND: "over the threshold, behind those that are given",
    Verdict.UNDER_THRESHOLD: "not given, under the threshold",
}
NO_TENANT: Final = "No tenants yet. A search is always for one tenant: run the set-up, which adds the sample kitchen."
ASK: Final = "Type a question as a customer would. You see what the bot would get."


@dataclass(frozen=True, slots=True)
class Probe:
    """A search to be tried: the question and who asks it."""

    text: str = ""
    tenant_id: str = ""
    audience: str = "customers"
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a probe: what was retrieved, or the `sentence` why nothing could be."""

    probe: Probe
    retrieved: Retrieved | None = None
    explained: tuple[Explained, ...] = ()
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class HitShown:
    """One passage. `place` is its number among what the asker may see, "" for a hidden one; `given` = the model would
    get it; `why` says so in words. `words` is the score of the search by words (BM25), `fused` what counts."""

    key: str
    place: str
    article_id: str
    start: int
    text: str
    title: str
    heading: str
    dense: float
    words: float
    fused: float
    given: bool
    hidden: bool
    why: str

    @property
    def mark(self) -> tuple[str, ColorToken] | None:
        """The icon where a number would stand."""
        if not self.hidden:
            return None
        return ("clock" if self.why in _OF_TIME else "lock"), "text-3"


def derive_hits(explained: Sequence[Explained], most: int, threshold: float) -> tuple[HitShown, ...]:
    """What the model gets, best first: what reaches the threshold, at most `most`. Then what it would get if this
    asker might see it; then the others."""
    hits = [_hit(one, most) for one in explained]
    seen = [hit for hit in hits if not hit.hidden]
    numbers = {hit.key: str(place) for place, hit in enumerate(seen, start=1)}
    order = sorted(hits, key=lambda hit: (not hit.given, not (hit.hidden and hit.fused >= threshold), hit.hidden))
    return tuple(replace(hit, place=numbers.get(hit.key, "")) for hit in order[:ROWS])


def derive_why(hit: HitShown) -> str:
    """What became of one passage, in a sentence for the footer."""
    name = " › ".join(part for part in (hit.title, hit.heading) if part)
    return f"{name.rstrip(':')}: {hit.why}."


def derive_footer(found: Retrieved, most: int) -> str:
    if not found.searched:
        return "No chunk is open to this asker today: nothing was searched."
    threshold = f"the threshold of {found.threshold:.2f}"
    passing = sum(passage.given for passage in found.passages)
    if passing > most:
        return f"{passing} pass {threshold}; the first {most} are given to the model."
    if passing:
        return f"{passing} {'passes' if passing == 1 else 'pass'} {threshold}."
    if not found.passages:
        return f"Nothing reaches {threshold}. No passage has a word in common with the question."
    nearest = max(found.passages, key=lambda passage: passage.score)
    return f"Nothing reaches {threshold}. The nearest is {_name(nearest)} with {nearest.score:.2f}."


def derive_measure(found: Retrieved) -> str:
    """The line beside the panel's title."""
    return f"what the bot would get, {found.elapsed_ms:,.0f} ms, {count_text(found.searched, 'chunk')} searched"


def tenant_choices(tenants: Sequence[Tenant]) -> tuple[Choice, ...]:
    return tuple(Choice(tenant.tenant_id, tenant.name, series=tenant.colour) for tenant in tenants)


def language_choices(articles: Sequence[Article]) -> tuple[Choice, ...]:
    """The languages of the bot's customers, and whatever else an article is written in."""
    others = sorted({article.text.language for article in articles} - set(LANGUAGES))
    return tuple(Choice(code, language_text(code)) for code in (*LANGUAGES, *others))


def _hit(one: Explained, most: int) -> HitShown:
    given = one.verdict is Verdict.GIVEN and one.place is not None and one.place <= most
    why = "given to the model" if given else _WHY.get(one.verdict, one.verdict.value)
    return HitShown(
        key=one.point_id,
        place="",
        article_id=one.article_id,
        start=one.start,
        text=one.text,
        title=one.title,
        heading=" › ".join(one.heading_path),
        dense=one.dense,
        words=one.bm25,
        fused=one.score,
        given=given,
        hidden=one.verdict not in _SEEN,
        why=why,
    )


def _name(passage: Passage) -> str:
    return " › ".join((passage.title, *passage.heading_path))
