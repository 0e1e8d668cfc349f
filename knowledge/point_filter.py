"""What a search may find, as conditions on a point's facts: one rule, which each store of points translates. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, assert_never

from knowledge.article import ArticleStatus
from knowledge.permission import readable_audiences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from knowledge.article import Asker

EVERYBODY = "*"
KEYWORDS = ("article_id", "status", "tenants", "audience", "language")
NUMBERS = ("valid_from", "valid_to")

Facts: TypeAlias = "Mapping[str, object]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The fact is one of `values`, or has one of them."""

    key: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Number:
    """The fact is a number from `least` to `most`; None = no limit."""

    key: str
    least: int | None = None
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Unlike:
    """The fact is not this number."""

    key: str
    number: int


@dataclass(frozen=True, slots=True)
class IdIn:
    """The point is one of these."""

    point_ids: frozenset[str]


Condition: TypeAlias = AnyOf | Number | Unlike | IdIn
Conditions: TypeAlias = tuple[Condition, ...]
"""All must hold. A point that lacks a fact which AnyOf or Number names is never chosen."""


def findable(asker: Asker, languages: Sequence[str]) -> Conditions:
    """What this asker may find in these languages."""
    day = asker.on.toordinal()
    return (
        AnyOf("language", tuple(languages)),
        AnyOf("tenants", (EVERYBODY, asker.tenant_id)),
        AnyOf("audience", tuple(audience.value for audience in readable_audiences(asker.audience))),
        AnyOf("status", (ArticleStatus.PUBLISHED.value,)),
        Number("valid_from", most=day),
        Number("valid_to", least=day),
    )


def points_of(article_id: str, *, keep: int | None = None, only: int | None = None) -> Conditions:
    """An article's points: all, all but those of generation `keep`, or those of generation `only`."""
    return (
        AnyOf("article_id", (article_id,)),
        *(() if only is None else (Number("generation", least=only, most=only),)),
        *(() if keep is None else (Unlike("generation", keep),)),
    )


def holds(conditions: Conditions, facts: Facts, point_id: str = "") -> bool:
    """Whether a point with these facts is chosen."""
    return all(condition_holds(condition, facts, point_id) for condition in conditions)


def condition_holds(condition: Condition, facts: Facts, point_id: str = "") -> bool:
    match condition:
        case AnyOf(key=key, values=values):
            fact = facts.get(key)
            return any(value in fact for value in values) if isinstance(fact, list) else fact in values
        case Number(key=key, least=least, most=most):
            fact = facts.get(key)
            return isinstance(fact, int) and (least is None or least <= fact) and (most is None or fact <= most)
        case Unlike(key=key, number=number):
            return facts.get(key) != number
        case IdIn(point_ids=point_ids):
            return point_id in point_ids
        case _:
            assert_never(condition)
