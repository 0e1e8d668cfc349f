"""Crash upon crash in one library, also while it is being put right: drawn by chance, as many as DABBA_CRASHES says."""

from __future__ import annotations

import os
import random
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import KnowledgeError
from knowledge.publish_repair import repair
from storage.errors import StorageError
from tests.knowledge.crashing import BYSTANDER, OPERATIONS, Fuse, PowerCut, assert_whole, fused, state_of
from tests.knowledge.test_crashes import before_and_after, clear, heal

if TYPE_CHECKING:
    from knowledge.library import Library

CRASHES = int(os.environ.get("DABBA_CRASHES", "12"))
MOST_CALLS = 14
MOST_CALLS_OF_REPAIR = 6
SEED = 4


async def crash(library: Library, operation: str, name: str, draw: random.Random) -> bool:
    """Do the operation and die, or fail once, at one of its calls; whether it came to that."""
    real = library._writing._hands
    fuse = Fuse(draw.randrange(MOST_CALLS), after=draw.random() < 0.5, dies=draw.random() < 0.7)
    library._writing._hands = fused(library, fuse)
    with suppress(PowerCut, KnowledgeError, StorageError):
        await OPERATIONS[operation][1](library, name)
    library._writing._hands = real
    return fuse.blown


async def crash_while_healing(library: Library, draw: random.Random) -> bool:
    fuse = Fuse(draw.randrange(MOST_CALLS_OF_REPAIR), after=draw.random() < 0.5, dies=True)
    with suppress(PowerCut, KnowledgeError, StorageError):
        await repair(await fused(library, fuse)())
    return fuse.blown


@pytest.mark.timeout(60 + 10 * CRASHES)
async def test_that_crash_upon_crash_leaves_the_old_or_the_new(library: Library) -> None:
    await library.add_text(BYSTANDER)
    allowed = {operation: await before_and_after(library, operation) for operation in OPERATIONS}
    draw = random.Random(SEED)
    crashes = dict.fromkeys(OPERATIONS, 0)
    healings = 0
    while sum(crashes.values()) < CRASHES:
        operation = min(crashes, key=lambda one: (crashes[one], draw.random()))
        name = f"run-{sum(crashes.values())}-{draw.randrange(10**6)}.md"
        await OPERATIONS[operation][0](library, name)
        crashed = await crash(library, operation, name, draw)
        while draw.random() < 0.4:
            healings += await crash_while_healing(library, draw)
        await heal(library)
        after = allowed[operation] if crashed else allowed[operation][1:]
        assert await state_of(library, name) in after, f"{operation}, {crashes}"
        await assert_whole(library)
        crashes[operation] += crashed
        await clear(library, name)
    assert healings
    print(f"{sum(crashes.values())} crashes {crashes}, {healings} more while they were put right")
