"""The library that is measured: the house's own, or the same articles with another embedder."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from console.house import House
    from knowledge.library import Library
    from storage.settings import Settings


def settings_with(settings: Settings, embedder: str) -> Settings:
    """The settings with another embedder; as they are for an empty name. Raises BadParameter."""
    from pydantic import ValidationError

    from storage.settings import KnowledgeSettings

    if not embedder:
        return settings
    try:
        knowledge = KnowledgeSettings.model_validate(settings.knowledge.model_dump() | {"embedder": embedder})
    except ValidationError as error:
        message = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise typer.BadParameter(message, param_hint="--embedder") from error
    return settings.model_copy(update={"knowledge": knowledge})


@asynccontextmanager
async def library_to_measure(house: House, settings: Settings, tell: Callable[[str], None]) -> AsyncGenerator[Library]:
    """The live library when `settings` choose its embedder, else a temporary one of its published articles."""
    if settings.knowledge.embedder == house.settings.knowledge.embedder:
        yield house.library
        return
    from knowledge.article import ArticleStatus
    from knowledge.embedding_choice import embedder_of
    from knowledge.evaluate.sweep.plan import current_cutting
    from knowledge.evaluate.sweep.temporary import temporary_library

    texts = [one.text for one in await house.library.articles() if one.status is ArticleStatus.PUBLISHED]
    async with temporary_library(
        texts,
        current_cutting(settings.knowledge),
        (settings, house.library.timezone),
        embedder_of(settings.knowledge, house.home),
        lambda done: tell(f"{done} of {len(texts)} articles embedded"),
    ) as library:
        yield library
