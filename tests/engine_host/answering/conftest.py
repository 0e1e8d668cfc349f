"""A fresh ledger for each test that asks for a desk, and a clock that stands still for each that asks for orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from engine_host.answering.order_way import OrderWay
from storage.database import Database
from tests.engine_host.answering.desk import Desk
from tests.engine_host.answering.order_turns import MAX_AGE
from tests.fakes.answering import Clock, MemoryBook

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path


settings.register_profile("no deadline", deadline=None)  # a time limit belongs in a bench, not in a test
settings.load_profile("no deadline")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    opened = await Database.open(f"sqlite:///{tmp_path / 'ledger.db'}")
    yield opened
    await opened.close()


@pytest.fixture
async def desk(database: Database) -> Desk:
    return await Desk(database).keep_tenant()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def book(clock: Clock) -> MemoryBook:
    return MemoryBook(clock)


@pytest.fixture
def way(book: MemoryBook, clock: Clock) -> OrderWay:
    return OrderWay(book, MAX_AGE, clock)
