"""A house of its own with the sample kitchen, some long articles, and one small engine that is read once a second."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import asynccontextmanager
from dataclasses import replace
from importlib.resources import as_file
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.bench.sample_house import DAY, furnish
from console.bench.why.words import ROOM
from console.house import open_house
from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import profile_from
from knowledge.errors import KnowledgeError
from storage.paths import Home
from storage.queries.tenants import all_tenants, upsert_tenant
from storage.settings import EngineSettings, Settings, save_settings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.house import House

ENGINE: Final = EngineSettings(kv_space_gib=0.178, max_num_seqs=8)
"""64 KV blocks of 128 tokens: three long letters fill them, eight usual questions do not."""
PROFILE: Final = profile_from(ENGINE, SMOLLM2)
LONGEST_QUESTION: Final = 4000


@asynccontextmanager
async def staged_house(home: Home) -> AsyncGenerator[House]:
    """`home` lends its runtime and models; nothing else of it is touched. The engine is ready.

    Raises EngineRoomError, KnowledgeError or StorageError when the house can't be opened.
    """
    with tempfile.TemporaryDirectory(prefix="dabba-why-") as folder:
        own = Home(Path(folder))
        own.models.symlink_to(home.models.resolve(), target_is_directory=True)
        own.engine_runtime.symlink_to(home.engine_runtime.resolve(), target_is_directory=True)
        save_settings(own, Settings(engine=ENGINE))
        house = await open_house(own, today=lambda: DAY)
        try:
            await asyncio.gather(move_in(house), house.engine.start(PROFILE))
            house.poller.start()
            house.slots.start()
            yield house
        finally:
            await house.engine.stop(drain_s=0.0)
            await house.close()


async def move_in(house: House) -> None:
    """The sample kitchen and the bench's own articles; a question may be as long as a letter. Raises KnowledgeError."""
    await furnish(house)
    with as_file(ROOM / "articles") as folder:
        rows = await house.library.add_paths([folder], lambda _row: None)
    if refused := [row for row in rows if row.verdict == "refused"]:
        raise KnowledgeError(f"The articles of this bench are not complete. {refused[0].sentence}")
    for tenant in await house.database.run(all_tenants):
        free = replace(tenant, quota=replace(tenant.quota, longest_question_tokens=LONGEST_QUESTION))
        await house.database.run(lambda session, free=free: upsert_tenant(session, free))
    await asyncio.gather(house.turns.warm(), house.orders.known_customers())
