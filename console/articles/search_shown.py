"""What the search test shows: the passages, which of them the model would get, and the footer. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.articles.words import LANGUAGES, count_text, language_text
from console.widgets.fields import Choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.article import Article, Passage, Retrieved
    from storage.records import Tenant

AUDIENCES: Final = (Choice("customers", "Customers"), Choice("staff", "Staff"))
SHOWN: Final = 5
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
    sentence: str = ""


@dataclass(frozen=True, slots=True)
class HitShown:
    """One passage. `given` = the model would get it; `why` says so in words."""

    rank: int
    article_id: str
    start: int
    title: str
    heading: str
    score: float
    given: bool
    why: str


def derive_hits(found: Retrieved, most: int) -> tuple[HitShown, ...]:
    """The passages, best first. The model gets those that reach the threshold, at most `most`."""
    return tuple(_hit(rank, passage, most) for rank, passage in enumerate(found.passages, start=1))


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


def _hit(rank: int, passage: Passage, most: int) -> HitShown:
    given = passage.given and rank <= most
    why = "given" if given else "not given"
    heading = " › ".join(passage.heading_path)
    return HitShown(
        rank, passage.article_id, passage.start, passage.title, heading, passage.score, given, why
    )  # fmt: skip


def _name(passage: Passage) -> str:
    return " › ".join((passage.title, *passage.heading_path))
