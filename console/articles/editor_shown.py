"""What the editor holds and says: an article's fields as typed, what is wrong with them, where chunks begin. Pure."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, replace
from datetime import date
from typing import TYPE_CHECKING, Final

from console.articles.editor_calls import Cut
from knowledge.article import ALL_TENANTS, ArticleStatus, ArticleText, Audience

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime, tzinfo

    from knowledge.article import Article, Chunk

NOT_CUT: Final = Cut()
BUSY: Final = "Wait a moment: it is being kept or published"
UNCHANGED: Final = "Nothing has changed since it was kept"
UNTITLED: Final = "Untitled article"
SERIES: Final = 8
_BETWEEN_WORDS: Final = re.compile(r"[^\w]+", re.UNICODE)
_NAME_LETTERS: Final = 60


@dataclass(frozen=True, slots=True)
class Typed:
    """The fields as they stand on the screen; days as they were typed, "" = no limit."""

    title: str = ""
    owner: str = ""
    audience: str = Audience.CUSTOMERS.value
    tenants: tuple[str, ...] = ALL_TENANTS
    language: str = "en"
    valid_from: str = ""
    valid_to: str = ""
    body: str = ""

    @property
    def is_blank(self) -> bool:
        """Whether nothing would be lost with it."""
        return not (self.title.strip() or self.body.strip())


def typed_of(text: ArticleText) -> Typed:
    return Typed(
        title="" if text.title == UNTITLED else text.title,
        owner=text.owner,
        audience=text.audience.value,
        tenants=text.tenants,
        language=text.language,
        valid_from=text.valid_from.isoformat() if text.valid_from else "",
        valid_to=text.valid_to.isoformat() if text.valid_to else "",
        body=text.body,
    )


def text_of(typed: Typed, base: ArticleText) -> ArticleText:
    """The article that was typed; a day that is none yet is kept as it was in `base`."""
    return replace(
        base,
        title=typed.title.strip() or UNTITLED,
        owner=typed.owner.strip(),
        audience=Audience(typed.audience),
        tenants=typed.tenants,
        language=typed.language,
        valid_from=_day_or(typed.valid_from, base.valid_from),
        valid_to=_day_or(typed.valid_to, base.valid_to),
        body=typed.body,
        source_hash=hashlib.sha256(typed.body.encode()).hexdigest(),
    )


def blank_text(source_name: str) -> ArticleText:
    """What a new article begins as."""
    return ArticleText(source_name, UNTITLED, "", Audience.CUSTOMERS, ALL_TENANTS, "en", None, None, "", "")


def new_source_name(typed: Typed, taken: Collection[str]) -> str:
    """A name for an article that no file holds: its title in small letters, its language, and a number when taken."""
    stem = _BETWEEN_WORDS.sub("-", typed.title.casefold()).strip("-")[:_NAME_LETTERS].strip("-") or "untitled"
    names = (f"{stem}{f'-{number}' if number > 1 else ''}.{typed.language}.md" for number in range(1, len(taken) + 2))
    return next(name for name in names if name not in taken)


def derive_hindrance(state: Editing) -> str:
    """Why the text can't be published now; "" when it can."""
    if state.doing:
        return BUSY
    if not state.can_publish:
        return "Correct what is marked first" if not state.typed.is_blank else "Write a title and a text first"
    return "" if state.has_news else "It is published as it stands here"


def derive_faults(typed: Typed) -> dict[str, str]:
    """What keeps the article from being published: the field's name and a sentence."""
    faults: dict[str, str] = {}
    if not typed.title.strip():
        faults["title"] = "It needs a title: answers name it as their source."
    for field in ("valid_from", "valid_to"):
        if _day(getattr(typed, field)) is None and getattr(typed, field).strip():
            faults[field] = "Write the day as 2026-12-20."
    first, last = _day(typed.valid_from), _day(typed.valid_to)
    if first and last and first > last:
        faults["valid_to"] = "It would end before it begins."
    if not typed.body.strip():
        faults["body"] = "It has no text yet, and an article without text answers nothing."
    return faults


@dataclass(frozen=True, slots=True)
class Editing:
    """`article` as it was opened, None = a new one. `kept` is what would be there after a crash, `base` what the
    fields began as. `fault` says why the draft could not be kept or published."""

    article: Article | None
    base: ArticleText
    typed: Typed
    kept: Typed
    article_id: str = ""
    from_draft: bool = False
    keeping: bool = False
    kept_at: datetime | None = None
    doing: str = ""
    fault: str = ""
    cut: Cut = NOT_CUT

    @property
    def is_kept(self) -> bool:
        return self.typed == self.kept or (not self.article_id and self.typed.is_blank)

    @property
    def has_draft(self) -> bool:
        return self.from_draft or self.kept_at is not None

    @property
    def can_discard(self) -> bool:
        """A draft beside something; what is only a draft is deleted instead."""
        return self.has_draft and self.article is not None and self.article.status is not ArticleStatus.DRAFT

    @property
    def has_news(self) -> bool:
        """Whether publishing would change anything."""
        article = self.article
        return article is None or article.status is not ArticleStatus.PUBLISHED or self.typed != typed_of(article.text)

    @property
    def can_publish(self) -> bool:
        return not self.doing and not derive_faults(self.typed)


def derive_state_line(*, article: Article | None, from_draft: bool) -> str:
    """What is being edited, beside the title."""
    if article is None:
        return "new, answers nothing until it is published"
    if article.status is ArticleStatus.PUBLISHED:
        also = "your draft; " if from_draft else ""
        return f"{also}what is published answers until you publish again"
    return f"{article.status.value}, answers nothing until it is published"


def derive_kept(state: Editing, zone: tzinfo) -> str:
    """Whether what was typed would be there after a crash."""
    if state.keeping:
        return "Keeping the draft…"
    if not state.is_kept:
        return "Draft not kept yet"
    return f"Draft kept at {state.kept_at.astimezone(zone):%H:%M:%S}" if state.kept_at else ""


def line_series(body: str, chunks: Sequence[Chunk]) -> tuple[int, ...]:
    """For each line of the body the colour of the chunk that it goes to, of two the later one; 0 for none."""
    series: list[int] = []
    start, number = 0, -1
    for line in body.split("\n"):
        end = start + len(line)
        while number + 1 < len(chunks) and chunks[number + 1].start < end:
            number += 1
        inside = number >= 0 and chunks[number].start < end and start < chunks[number].end
        series.append(number % SERIES + 1 if inside else 0)
        start = end + 1
    return tuple(series)


def _day(typed: str) -> date | None:
    try:
        return date.fromisoformat(typed.strip())
    except ValueError:
        return None


def _day_or(typed: str, before: date | None) -> date | None:
    return (_day(typed) or before) if typed.strip() else None
