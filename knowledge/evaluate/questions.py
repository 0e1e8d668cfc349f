"""A question and the passages that are known to answer it. Pure."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class QuestionSource(StrEnum):
    """Where a question came from: the sample kitchen, a person's own writing, or a customer's turn."""

    SAMPLE = "sample"
    EDITED = "edited"
    CONVERSATION = "conversation"


@dataclass(frozen=True, slots=True)
class Support:
    """A text that answers: `passage` stands in `article`, a source name with or without folder and ending.

    A sentence is best: what is marked should stand in one passage however articles are cut.
    """

    article: str
    passage: str


@dataclass(frozen=True, slots=True)
class KnownQuestion:
    """`supports` empty = no article answers it, and nothing should be given. `also` are articles that say the same.

    `language` is a BCP 47 tag. `turn_id` is the turn that a question from a conversation was made of.
    """

    question_id: str
    text: str
    language: str
    tenant_id: str
    supports: tuple[Support, ...] = ()
    also: tuple[str, ...] = ()
    source: QuestionSource = QuestionSource.EDITED
    turn_id: str | None = None

    @property
    def articles(self) -> frozenset[str]:
        """Every article that answers it; none for a question that none does."""
        return frozenset((*(support.article for support in self.supports), *self.also))


def question_id_of(text: str, language: str, tenant_id: str) -> str:
    """The id of a question that brings none: the same question gets the same."""
    return hashlib.sha256(f"{tenant_id}\n{language}\n{text}".encode()).hexdigest()[:12]


def names_of(source_name: str) -> frozenset[str]:
    """What a question may call an article: its source name, with or without folder and ending."""
    file = source_name.rsplit("/", 1)[-1]
    return frozenset((source_name, file, file.rsplit(".", 1)[0]))
