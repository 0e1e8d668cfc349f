"""Articles with a secret word each, and who may hear it: said anew here, apart from the rule that is tested.

Of some articles nobody may hear the word: retired, out of date, not yet valid, an older text, a draft.
"""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from string import Template
from typing import TYPE_CHECKING, Any, Final

from knowledge.article import ArticleText, Asker, Audience
from knowledge.changes import ArticleChange

if TYPE_CHECKING:
    from collections.abc import Iterator

    from knowledge.library import Library

TODAY: Final = date(2026, 11, 30)
DAY: Final = timedelta(days=1)
DAYS: Final = (TODAY - DAY, TODAY, TODAY + DAY)
_SECRET_PARTS: Final = 5


@cache
def texts() -> dict[str, Any]:
    """assets/bench/canaries/texts.toml as it is."""
    path = files("assets").joinpath("bench/canaries/texts.toml")
    return tomllib.loads(path.read_text(encoding="utf-8"))


def tenants() -> tuple[str, ...]:
    return tuple(texts()["tenants"])


class Secrets:
    """Invented words, no two alike; the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)  # noqa: S311 - repeatable, guards nothing
        self._given: set[str] = set()

    def another(self) -> str:
        while True:
            word = "".join(self._draw.choices(texts()["secret_parts"], k=_SECRET_PARTS))
            if word not in self._given:
                self._given.add(word)
                return word


@dataclass(slots=True)
class Told:
    """An article that answers, the word that it says and who may hear it. No `tenants` = all of them.

    `draft` is the word of a draft and `dead` are words that it said once: nobody hears them. `served` = not retired.
    """

    name: str
    tenant: str
    secret: str
    text: ArticleText
    article_id: str = ""
    served: bool = True
    draft: str = ""
    dead: list[str] = field(default_factory=list[str])

    @property
    def sentence(self) -> str:
        return filled_in(texts()["sentence"][self.text.language], secret=self.secret)

    @property
    def silent(self) -> tuple[str, ...]:
        return (*self.dead, self.draft) if self.draft else tuple(self.dead)

    def may_hear(self, asker: Asker) -> bool:
        text = self.text
        return (
            self.served
            and (not text.tenants or asker.tenant_id in text.tenants)
            and (text.audience is Audience.CUSTOMERS or asker.audience is Audience.STAFF)
            and (text.valid_from is None or text.valid_from <= asker.on)
            and (text.valid_to is None or text.valid_to >= asker.on)
        )


def filled_in(template: str, **words: str) -> str:
    return Template(template).substitute(words)


class World:
    """The articles of one library, and every change that the bench makes to them."""

    def __init__(self, library: Library, seed: int) -> None:
        self.articles: list[Told] = []
        self._library = library
        self._secrets = Secrets(seed)
        self._for_all: set[str] = set()

    def by_secret(self) -> dict[str, Told | None]:
        """Every secret word; None for one that nobody may hear."""
        alive: dict[str, Told | None] = {one.secret: one for one in self.articles}
        return alive | {word: None for one in self.articles for word in one.silent}

    def may_read(self, article_id: str, asker: Asker) -> bool:
        if article_id in self._for_all:
            return True
        return any(one.article_id == article_id and one.may_hear(asker) for one in self.articles)

    async def fill(self) -> None:
        """Publish everything. Raises as `Library.add_text` does."""
        for language, body in texts()["for_all"].items():
            text = _text(f"all.{language}", "", language, body)
            self._for_all.add((await self._library.add_text(text)).article_id)
        for number, tenant in enumerate(tenants()):
            partner = tenants()[(number + 1) % len(tenants())]
            for name, text in _kinds(tenant, partner):
                await self._add(name, tenant, text)

    async def change_one(self, draw: random.Random) -> None:
        """Give an article to another tenant, retire it, let it answer again, or give it another word."""
        one = draw.choice(self.articles)
        match draw.choice(("tenants", "audience", "retire", "word")):
            case "tenants":
                chosen = tuple(draw.sample(tenants(), draw.choice((1, 2))))
                await self._library.change(one.article_id, ArticleChange(tenants=chosen))
                one.text = replace(one.text, tenants=chosen)
            case "audience":
                audience = draw.choice(list(Audience))
                await self._library.change(one.article_id, ArticleChange(audience=audience))
                one.text = replace(one.text, audience=audience)
            case "retire":
                await (self._retire if one.served else self._let_answer)(one)
            case _:
                await self._say_another(one)

    async def _add(self, name: str, tenant: str, text: ArticleText) -> None:
        one = Told(name, tenant, self._secrets.another(), text)
        await self._publish(one)
        self.articles.append(one)
        if name.startswith("replaced"):
            await self._say_another(one)
        elif name.startswith("retired"):
            await self._retire(one)
        elif name.startswith("drafted"):
            one.draft = self._secrets.another()
            await self._library.save_draft(replace(text, body=_body(text.language, one.draft)), one.article_id)

    async def _retire(self, one: Told) -> None:
        await self._library.retire(one.article_id)
        one.served = False

    async def _let_answer(self, one: Told) -> None:
        """With its draft, when there is one."""
        await self._library.publish(one.article_id)
        one.served = True
        if one.draft:
            one.dead.append(one.secret)
            one.secret, one.draft = one.draft, ""

    async def _say_another(self, one: Told) -> None:
        one.dead.append(one.secret)
        one.secret = self._secrets.another()
        await self._publish(one)
        one.served = True

    async def _publish(self, one: Told) -> None:
        one.text = replace(one.text, body=_body(one.text.language, one.secret), source_hash=one.secret)
        one.article_id = (await self._library.add_text(one.text)).article_id


def _kinds(tenant: str, partner: str) -> Iterator[tuple[str, ArticleText]]:
    """The articles of one tenant by their names."""
    for language in texts()["body"]:
        yield f"own.{language}", _text(f"own.{language}", tenant, language, "")
        yield f"staff.{language}", replace(_text(f"staff.{language}", tenant, language, ""), audience=Audience.STAFF)
        yield (
            f"shared.{language}",
            replace(_text(f"shared.{language}", tenant, language, ""), tenants=(tenant, partner)),
        )
    yield "past", replace(_text("past", tenant, "en", ""), valid_to=TODAY - DAY)
    yield "future", replace(_text("future", tenant, "en", ""), valid_from=TODAY + DAY)
    for name in ("retired", "replaced", "drafted"):
        yield name, _text(name, tenant, "en", "")


def _text(name: str, tenant: str, language: str, body: str) -> ArticleText:
    return ArticleText(
        source_name=f"{tenant or 'everybody'}.{name}.md",
        title=f"House rules of {tenant or 'everybody'}",
        owner="bench",
        audience=Audience.CUSTOMERS,
        tenants=(tenant,) if tenant else (),
        language=language,
        valid_from=None,
        valid_to=None,
        body=body,
        source_hash=name,
    )


def _body(language: str, secret: str) -> str:
    sentence = filled_in(texts()["sentence"][language], secret=secret)
    return filled_in(texts()["body"][language], secret=secret, sentence=sentence)
