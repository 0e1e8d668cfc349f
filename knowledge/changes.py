"""What may change beside an article's text, and whether two texts need different vectors. Pure."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from enum import Enum
from typing import TYPE_CHECKING, Any

from knowledge.errors import ChangeRefused

if TYPE_CHECKING:
    from datetime import date

    from knowledge.article import ArticleText, Audience


class Keep(Enum):
    KEEP = "as it is"


KEEP = Keep.KEEP


@dataclass(frozen=True, slots=True)
class ArticleChange:
    """Who is responsible for an article, who may see it and when. What is KEEP stays as it is.

    None as a day = no limit; no tenants = all of them.
    """

    owner: str | Keep = KEEP
    audience: Audience | Keep = KEEP
    tenants: tuple[str, ...] | Keep = KEEP
    language: str | Keep = KEEP
    valid_from: date | Keep | None = KEEP
    valid_to: date | Keep | None = KEEP


def changed(text: ArticleText, change: ArticleChange) -> ArticleText:
    """The article after the change. Raises ChangeRefused when it could never be found then."""
    values: dict[str, Any] = {field.name: getattr(change, field.name) for field in fields(change)}
    after = replace(text, **{name: value for name, value in values.items() if value is not KEEP})
    if after.valid_from and after.valid_to and after.valid_from > after.valid_to:
        raise ChangeRefused(
            f"{text.title} was not changed: it would be valid from {after.valid_from} only until {after.valid_to}. "
            "Exchange or correct the two days."
        )
    if not after.language.strip():
        raise ChangeRefused(f"{text.title} was not changed: it needs a language. Name one, such as en, hi or mr.")
    return after


def reads_alike(one: ArticleText, other: ArticleText) -> bool:
    """Whether the embedder would read the same of both, so that their vectors are the same."""
    return (one.title, one.body) == (other.title, other.body)
