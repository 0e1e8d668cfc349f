"""The page of our own metrics, made anew from the ledger each time it is asked for."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from engine_host.metrics.exposition import exposition
from engine_host.metrics.ledger_figures import LedgerCounts

if TYPE_CHECKING:
    from storage.database import Database


class LedgerPage:
    def __init__(self, database: Database, version: str) -> None:
        self._counts = LedgerCounts(database)
        self._version = version
        self._one_reads = asyncio.Lock()

    async def read(self) -> str:
        """Two scrapes at once read one after the other. Raises StorageError."""
        async with self._one_reads:
            return exposition(await self._counts.read(), self._version)
