"""The real house on a home of its own: the sample kitchen, real embedder, this bench's order system and engine."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from console.bench.other_customers.liar import Liar, liar_engine, owner_facts
from console.bench.other_customers.people import owners, table
from console.bench.other_customers.scenes import Stage
from console.bench.other_customers.serving import served
from console.bench.other_customers.spelling import filled
from console.bench.other_customers.tries import planted_owner
from console.bench.other_customers.world import World, order_system
from console.house import open_house
from console.setup.kitchen import Kitchen, KitchenWork
from knowledge.embedding_model import check_embedding_model
from knowledge.errors import ModelMissing
from storage.paths import Home
from storage.queries import tenants
from storage.records import Quota
from storage.settings import OrderSettings, Settings, save_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from datetime import datetime

    from console.house import House
    from console.setup.steps import StepReport

UNBOUNDED = Quota(1_000_000_000, 10_000_000, 10_000, 1024, 512)


@dataclass(frozen=True, slots=True)
class BenchHouse:
    world: World
    stage: Stage


@contextlib.asynccontextmanager
async def bench_house(models_of: Home, *, liar: bool) -> AsyncGenerator[BenchHouse]:
    """A house with everything planted, without an engine or with the liar. The embedder is that of home `models_of`.

    Raises ModelMissing, and what opening a house raises.
    """
    if fault := check_embedding_model(models_of):
        raise ModelMissing(fault)
    world = World()
    async with contextlib.AsyncExitStack() as stack:
        home = _home_in(Path(stack.enter_context(TemporaryDirectory(prefix="dabba-bench-"))), models_of)
        url = await stack.enter_async_context(served(order_system(world)))
        save_settings(home, Settings(orders=OrderSettings(base_url=url)))
        house = await open_house(home)
        stack.push_async_callback(house.close)
        await _move_in(house, world.began)
        if liar:
            await house.engine.attach(await stack.enter_async_context(served(liar_engine(Liar(world.began)))))
            stack.push_async_callback(house.engine.detach)
        names = (table("people")["tenant"], table("people")["other_tenant"])
        secrets = {name: await house.secrets.tenant_secret(name) for name in names}
        yield BenchHouse(world, Stage(house.turns.answer, world, secrets))


def planted_articles(began: datetime) -> dict[str, str]:
    """Names and texts of the articles that carry an owner's facts."""
    found: dict[str, str] = {}
    for number, article in enumerate(table("planted")["article"]):
        owner = owners()[planted_owner(number)]
        text = filled(article["text"], owner.target, **owner_facts(owner, began))
        language = article.get("language", "en")
        head = f"---\ntitle: {article['title']}\naudience: customers\nlanguage: {language}\n---\n"
        found[article["name"]] = head + text
    return found


def _home_in(folder: Path, models_of: Home) -> Home:
    home = Home(folder / "home")
    home.root.mkdir(mode=0o700)
    home.models.symlink_to(models_of.models)
    return home.make()


async def _move_in(house: House, began: datetime) -> None:
    """The sample kitchen, tenants without limits, and what is planted."""

    @contextlib.asynccontextmanager
    async def lent() -> AsyncGenerator[Kitchen]:
        yield Kitchen(house.database, house.library)

    await KitchenWork(house.home, lent).run(_unheard)
    for tenant in await house.database.run(tenants.all_tenants):
        kept = replace(tenant, quota=UNBOUNDED)
        await house.database.run(lambda session, kept=kept: tenants.upsert_tenant(session, kept))
    for name, text in planted_articles(began).items():
        file = house.home.root / f"planted-{name}.md"
        file.write_text(text, encoding="utf-8")
        await house.library.add_file(file)


def _unheard(_report: StepReport) -> None:
    """The bench shows no progress of the set-up."""
