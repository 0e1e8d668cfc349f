"""Whatever dies or fails between any two steps: afterwards a library is exactly as before, or exactly as after."""

from __future__ import annotations

import multiprocessing
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import KnowledgeError
from knowledge.publish_hands import Step
from knowledge.publish_repair import repair
from storage.errors import StorageError
from tests.knowledge import crash_child
from tests.knowledge.crashing import (
    BYSTANDER,
    OPERATIONS,
    Fuse,
    PowerCut,
    assert_whole,
    fused,
    state_of,
    stopping,
)

if TYPE_CHECKING:
    from knowledge.library import Library
    from storage.paths import Home
    from tests.knowledge.conftest import OpenLibrary

MOST_CALLS = 60
STEPS = {
    "publish": (Step.PREPARED, Step.STAGED, Step.CHECKED, Step.SWITCHED, Step.SWEPT, Step.PROVEN),
    "metadata": (Step.CHANGED, Step.FACTS_SET),
    "delete": (Step.WITHDRAWN, Step.DELETED, Step.RECEIPTED),
}
STEPS |= {"replace": STEPS["publish"], "re-embed": STEPS["publish"], "draft": STEPS["publish"]}
STEPS |= {"retire": STEPS["metadata"]}
ALL = [(operation, step) for operation, steps in STEPS.items() for step in steps]
SOON = {
    ("publish", Step.SWITCHED),
    ("replace", Step.STAGED),
    ("replace", Step.SWITCHED),
    ("re-embed", Step.SWITCHED),
    ("metadata", Step.CHANGED),
    ("delete", Step.WITHDRAWN),
    ("delete", Step.DELETED),
}
KILLS = [pytest.param(*one, marks=[] if one in SOON else pytest.mark.journey) for one in ALL]


class Stopped(Exception):
    """An error at a step."""


async def before_and_after(library: Library, operation: str) -> tuple[object, object]:
    """What an article is like before the operation and after it, when nothing happens."""
    prepare, work = OPERATIONS[operation]
    name = f"model-of-{operation}.md"
    await prepare(library, name)
    before = await state_of(library, name)
    await work(library, name)
    after = await state_of(library, name)
    await clear(library, name)
    return before, after


async def clear(library: Library, name: str) -> None:
    """Out of the way of the articles with the same text that come next."""
    for article in await library.articles():
        if article.text.source_name == name:
            await library.remove(article.article_id)


async def heal(library: Library) -> None:
    """What opening the library again does."""
    await repair(await library._hands())


@pytest.mark.parametrize("dies", [True, False], ids=["power cut", "one failure"])
@pytest.mark.parametrize("operation", list(OPERATIONS))
async def test_that_a_crash_between_any_two_calls_leaves_the_old_or_the_new(
    library: Library, operation: str, dies: bool
) -> None:
    await library.add_text(BYSTANDER)
    allowed = await before_and_after(library, operation)
    prepare, work = OPERATIONS[operation]
    real = library._writing._hands
    for run in range(2 * MOST_CALLS):
        name = f"run-{run}.md"
        await prepare(library, name)
        fuse = Fuse(run // 2, after=bool(run % 2), dies=dies)
        library._writing._hands = fused(library, fuse)
        with suppress(PowerCut, KnowledgeError, StorageError):
            await work(library, name)
        library._writing._hands = real
        if not dies and operation != "delete":
            assert await state_of(library, name) in allowed, f"{operation} failed at call {run // 2}"
        await heal(library)
        assert await state_of(library, name) in allowed, f"{operation} cut at call {run // 2}"
        await assert_whole(library)
        if not fuse.blown:
            assert await state_of(library, name) == allowed[1]
            return
        await clear(library, name)
    pytest.fail("the operation made more calls than any should")


@pytest.mark.parametrize(("operation", "step"), ALL)
async def test_that_an_error_after_any_step_leaves_the_old_or_the_new(
    library: Library, operation: str, step: Step
) -> None:
    allowed = await before_and_after(library, operation)
    prepare, work = OPERATIONS[operation]
    await prepare(library, "late.md")
    real = library._writing._hands

    def stop() -> None:
        raise Stopped

    library._writing._hands = stopping(library, step, stop)
    with pytest.raises(Stopped):
        await work(library, "late.md")
    library._writing._hands = real
    await heal(library)
    assert await state_of(library, "late.md") in allowed
    await assert_whole(library)


@pytest.mark.parametrize(("operation", "step"), KILLS)
async def test_that_a_killed_process_leaves_the_old_or_the_new(
    open_library: OpenLibrary, home: Home, operation: str, step: Step
) -> None:
    async with open_library() as library:
        allowed = await before_and_after(library, operation)
        await OPERATIONS[operation][0](library, "late.md")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([crash_child.__name__])
    child = context.Process(target=crash_child.run_and_be_killed, args=(str(home.root), operation, step.value))
    child.start()
    child.join(60)
    assert child.exitcode == -9
    child.close()
    async with open_library() as library:
        await library.warm()
        assert await state_of(library, "late.md") in allowed
        await assert_whole(library)
