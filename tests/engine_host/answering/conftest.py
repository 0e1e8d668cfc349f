"""A fresh ledger for each test that asks for a desk."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from storage.database import Database
from tests.engine_host.answering.desk import Desk

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
