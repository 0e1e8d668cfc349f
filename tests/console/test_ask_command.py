"""`dabba ask`: as whom it asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from console.commands.ask import signed
from engine_host.answering.events import Question
from storage.database import Database
from storage.queries.tenants import upsert_tenant
from tests.fakes.answering import KAMALA

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from console.house import House


class Orders:
    async def known_customers(self) -> tuple[object, ...]:
        return ()


class Secrets:
    def __init__(self) -> None:
        self.made: list[str] = []

    async def tenant_secret(self, tenant_id: str) -> bytes:
        self.made.append(tenant_id)
        return b"s" * 32


class HouseOfOne:
    """As much of a House as signing needs, with one tenant."""

    def __init__(self, database: Database) -> None:
        self.database, self.orders, self.secrets = database, Orders(), Secrets()


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[HouseOfOne]:
    database = await Database.open(f"sqlite:///{tmp_path / 'ledger.db'}")
    await database.run(lambda session: upsert_tenant(session, KAMALA))
    yield HouseOfOne(database)
    await database.close()


@pytest.mark.parametrize(
    ("tenant", "customer", "made"),
    [("kamala", "C-2291", ["kamala"]), ("kamala", "", []), ("nobody", "C-2291", []), (" kamala", "C-2291", [])],
)
async def test_that_a_secret_is_made_for_a_known_tenant_only(
    house: HouseOfOne, tenant: str, customer: str, made: list[str]
) -> None:
    asked = await signed(cast("House", house), Question("where is my dabba", tenant, None), customer)
    assert house.secrets.made == made
    assert bool(asked.token) == bool(made)
