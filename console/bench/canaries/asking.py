"""Questions for secret words, asked by all kinds of people on every path, and what was told that should not be."""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from console.bench.canaries.paths import PATHS, Doors, secrets_in
from console.bench.canaries.world import DAYS, TODAY, filled_in, tenants, texts
from knowledge.article import Asker, Audience
from knowledge.retrieve import own_language

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Sequence

    from console.bench.canaries.paths import Heard
    from console.bench.canaries.world import Told, World
    from knowledge.finding import Finder
    from knowledge.library import Library
    from storage.database import Database

AT_ONCE: Final = 20
"""Questions asked side by side; then an article changes hands: what was allowed before must not be remembered."""
TOLD_EVERY: Final = 500
QUOTED: Final = 4
LANGUAGES: Final = ("en", "hi", "mr", "hi-Latn")


@dataclass(frozen=True, slots=True)
class Question:
    """`about` is the article whose word is asked for; `spoken` = the word itself is in the question."""

    text: str
    about: Told
    spoken: bool


@dataclass(slots=True)
class Count:
    """`leaks` by path. Of `allowed` questions, which spoke a word that the asker may hear, in the language that is
    searched for them, `answered` found it."""

    questions: int = 0
    leaks: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PATHS, 0))
    heard: dict[str, int] = field(default_factory=lambda: dict.fromkeys(PATHS, 0))
    allowed: int = 0
    answered: int = 0
    first_leak: str = ""


async def ask_all(
    library: Library,
    finder: Finder,
    db: Database,
    world: World,
    questions: int,
    seed: int,
    tell: Callable[[str], None],
) -> Count:
    """Ask each question on every path, while articles change. Raises as the library does."""
    draw = random.Random(seed)  # noqa: S311 - repeatable, guards nothing
    count = Count()
    for start in range(0, questions, AT_ONCE):
        asked: list[Coroutine[None, None, None]] = []
        for _ in range(min(AT_ONCE, questions - start)):
            doors = Doors(library, finder, db, tuple(draw.sample(world.articles, QUOTED)))
            question = a_question(draw, world.articles)
            asked.append(_ask(doors, world, question, an_asker(draw, question.about), count))
        silent = not count.first_leak
        await asyncio.gather(*asked)
        if silent and count.first_leak:
            tell(f"The first leak. {count.first_leak}")
        await world.change_one(draw)
        if count.questions % TOLD_EVERY == 0:
            leaks = sum(count.leaks.values())
            tell(f"{count.questions:,} of {questions:,} questions on {len(PATHS)} paths: {leaks} leaks")
    return count


def a_question(draw: random.Random, articles: Sequence[Told]) -> Question:
    about = draw.choice(articles)
    secret = draw.choice([about.secret, about.secret, *about.silent])
    spoken = draw.random() < 2 / 3
    template = draw.choice(texts()["questions"]["spoken" if spoken else "hinted"])
    sentence = filled_in(texts()["sentence"][about.text.language], secret=secret)
    left_out = draw.randrange(1, len(secret))
    slip = secret[:left_out] + secret[left_out + 1 :]
    text = filled_in(template, secret=secret, sentence=sentence, slip=slip, tenant=about.tenant)
    return Question(text, about, spoken and secret == about.secret)


def an_asker(draw: random.Random, about: Told) -> Asker:
    """Half of them are of a tenant whose article it is."""
    own = about.text.tenants
    of = draw.choice((own, own, tenants(), texts()["strangers"]))
    language = draw.choice((about.text.language, *LANGUAGES))
    return Asker(draw.choice(of), draw.choice(list(Audience)), language, draw.choice((TODAY, TODAY, *DAYS)))


async def _ask(doors: Doors, world: World, question: Question, asker: Asker, count: Count) -> None:
    count.questions += 1
    secrets = world.by_secret()
    for name, path in PATHS.items():
        heard = await path(doors, question.text, asker)
        count.heard[name] += bool(heard)
        if leak := leak_in(heard, asker, world, secrets):
            count.leaks[name] += 1
            count.first_leak = count.first_leak or f"{name}: {asker} asked {question.text!r} and was told {leak}"
        if name == "both" and _must_be_found(question, asker):
            count.allowed += 1
            count.answered += question.about.secret in secrets_in(heard, secrets)


def _must_be_found(question: Question, asker: Asker) -> bool:
    """Another language is searched only when nothing in the asker's own one answers."""
    about = question.about
    return question.spoken and about.may_hear(asker) and own_language(question.text, asker) == about.text.language


def leak_in(heard: Sequence[Heard], asker: Asker, world: World, secrets: dict[str, Told | None]) -> str:
    """What of it this asker may not hear, "" when all is well: a secret word, or anything of a foreign article."""
    for secret in secrets_in(heard, secrets):
        owner = secrets[secret]
        if owner is None or not owner.may_hear(asker):
            return f"the word {secret} of {owner.text.source_name if owner else 'nobody'}"
    foreign = [one.article_id for one in heard if one.article_id and not world.may_read(one.article_id, asker)]
    return f"of article {foreign[0]}" if foreign else ""
