"""What reading a file gives: the text of an article, how it was read, and what the admin should know of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from knowledge.front_matter import FrontMatter

if TYPE_CHECKING:
    from knowledge.article import ArticleText


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence for the admin about a file that was read. A `flag` asks for a look before the article is trusted."""

    sentence: str
    flag: bool = False


@dataclass(frozen=True, slots=True)
class Extract:
    """What the reader of one format took out of a file, as Markdown. "" = the format does not say."""

    body: str
    encoding: str = ""
    title: str = ""
    language: str = ""
    notes: tuple[Note, ...] = ()
    matter: FrontMatter = field(default_factory=FrontMatter)


@dataclass(frozen=True, slots=True)
class ReadArticle:
    """An article with how it was read: `kind` and `encoding` in words ("PDF", "UTF-16 LE")."""

    text: ArticleText
    kind: str
    encoding: str
    notes: tuple[Note, ...]

    @property
    def sentences(self) -> tuple[str, ...]:
        """The notes as sentences, those that ask for a look first."""
        return tuple(note.sentence for note in sorted(self.notes, key=lambda note: not note.flag))
