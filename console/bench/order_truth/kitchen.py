"""The house that is tried: real rooms in a home of their own, the sample kitchen and the bench's order system."""

from __future__ import annotations

import tempfile
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from console.bench.order_truth.cases import TENANT
from console.house import House, open_house
from console.setup.kitchen import Kitchen, KitchenWork
from engine_host.orders.identity import issue_token
from storage.paths import Home
from storage.queries.tenants import all_tenants, upsert_tenant
from storage.records import Quota
from storage.settings import OrderSettings, Settings, save_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.bench.order_truth.tap import TappedWriters
    from storage.records import Tenant

UNBOUNDED = Quota(1_000_000_000, 10_000_000, 10_000, 1024, 512)
TOKEN_LIFE_S = 3600


@dataclass(frozen=True, slots=True)
class TriedHouse:
    """`phones` are the numbers that its sentences may name."""

    house: House
    secret: bytes
    phones: tuple[str, ...]

    def token(self, customer: str) -> str:
        """What the kitchen's own app would send along for `customer`."""
        return issue_token(self.secret, TENANT, customer, TOKEN_LIFE_S)


@asynccontextmanager
async def tried_house(models: Path, orders_url: str, writers: TappedWriters) -> AsyncGenerator[TriedHouse]:
    """A house in a temporary home. `models` is the folder of the embedding model, which is used where it lies.

    Raises KnowledgeError when there is none.
    """
    with tempfile.TemporaryDirectory(prefix="dabba-order-truth-") as folder:
        home = Home(Path(folder))
        home.models.symlink_to(models, target_is_directory=True)
        save_settings(home, Settings(orders=OrderSettings(base_url=orders_url)))
        house = await open_house(home, lambda _session, _settings: writers)
        try:
            tenant = await _move_in(house)
            secret = await house.secrets.tenant_secret(TENANT)
            yield TriedHouse(house, secret, (tenant.phone or "", house.settings.kitchen.phone))
        finally:
            await house.close()


async def _move_in(house: House) -> Tenant:
    """The sample kitchen, with a tenant whose quota is no part of this bench."""

    @asynccontextmanager
    async def lent() -> AsyncGenerator[Kitchen]:
        yield Kitchen(house.database, house.library)

    await KitchenWork(house.home, lent).run(lambda _report: None)
    tenants = await house.database.run(all_tenants)
    tenant = replace(next(one for one in tenants if one.tenant_id == TENANT), quota=UNBOUNDED)
    await house.database.run(lambda session: upsert_tenant(session, tenant))
    return tenant
