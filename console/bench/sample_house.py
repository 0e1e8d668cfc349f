"""A house with the sample kitchen in it, whose tenants may ask without end."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Final

from console.setup.kitchen import Kitchen, KitchenWork
from storage.queries.tenants import all_tenants, upsert_tenant
from storage.records import Quota

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.house import House

DAY: Final = date(2026, 11, 30)
"""The day of which the sample set speaks: articles have their times, and the questions' answers with them."""
UNBOUNDED: Final = Quota(1_000_000_000, 10_000_000, 10_000, 1024, 512)


async def furnish(house: House) -> None:
    """Raises KnowledgeError or StorageError."""

    @asynccontextmanager
    async def lent() -> AsyncGenerator[Kitchen]:
        yield Kitchen(house.database, house.library)

    await KitchenWork(house.home, lent).run(lambda _report: None)
    for tenant in await house.database.run(all_tenants):
        free = replace(tenant, quota=UNBOUNDED)
        await house.database.run(lambda session, free=free: upsert_tenant(session, free))
