"""Articles that are deleted one by one: what they said is asked for before, just after, and after a restart."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from console.bench.canaries.paths import PATHS, Doors
from console.bench.canaries.world import TODAY, Secrets, Told, filled_in, tenants, texts
from knowledge.article import ArticleText, Asker, Audience

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from knowledge.finding import Finder
    from knowledge.library import Library
    from storage.database import Database

TOLD_EVERY: Final = 100


@dataclass(slots=True)
class Deleted:
    """`found_before` of the articles were found before they went; `hits` were told of them afterwards."""

    deletions: int = 0
    found_before: int = 0
    proven: int = 0
    hits: int = 0
    hits_after_restart: int = 0


async def add_all(library: Library, deletions: int, seed: int) -> list[Told]:
    """As many articles, of each tenant and language in turn."""
    secrets = Secrets(seed)
    found: list[Told] = []
    languages = list(texts()["sentence"])
    for number in range(deletions):
        tenant, language = tenants()[number % len(tenants())], languages[number // len(tenants()) % len(languages)]
        secret = secrets.another()
        text = _text(number, tenant, language, secret)
        found.append(Told(text.source_name, tenant, secret, text, (await library.add_text(text)).article_id))
    return found


async def delete_all(
    library: Library, finder: Finder, db: Database, articles: Sequence[Told], tell: Callable[[str], None]
) -> Deleted:
    """Delete each, and ask for it on every path before and after."""
    count = Deleted()
    for one in articles:
        doors = Doors(library, finder, db, (one,))
        count.found_before += await _told(doors, one, ("both",)) > 0
        receipt = await library.remove(one.article_id)
        count.deletions += 1
        count.proven += receipt.proven
        count.hits += await _told(doors, one, tuple(PATHS))
        if count.deletions % TOLD_EVERY == 0:
            tell(f"{count.deletions:,} of {len(articles):,} deletions: {count.hits} hits")
    return count


async def ask_again(library: Library, finder: Finder, db: Database, articles: Sequence[Told]) -> int:
    """How often one of the deleted articles is told now."""
    return sum([await _told(Doors(library, finder, db, (one,)), one, tuple(PATHS)) for one in articles])


async def _told(doors: Doors, one: Told, names: Sequence[str]) -> int:
    """How many of the paths tell its article or its word to somebody whom it was for."""
    asker = Asker(one.tenant, Audience.STAFF, one.text.language, TODAY)
    heard = await asyncio.gather(*(PATHS[name](doors, one.sentence, asker) for name in names))
    return sum(any(one.article_id == it.article_id or one.secret in it.text for it in path) for path in heard)


def _text(number: int, tenant: str, language: str, secret: str) -> ArticleText:
    sentence = filled_in(texts()["sentence"][language], secret=secret)
    return ArticleText(
        source_name=f"leaving-{number}.md",
        title=f"Rule {number}",
        owner="bench",
        audience=Audience.CUSTOMERS,
        tenants=(tenant,),
        language=language,
        valid_from=None,
        valid_to=None,
        body=filled_in(texts()["body"][language], secret=secret, sentence=sentence),
        source_hash=secret,
    )
