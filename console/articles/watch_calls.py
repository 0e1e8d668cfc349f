"""What the page asks of the watched folder, as coroutines that hold no widgets."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from storage.settings_room import change_settings

if TYPE_CHECKING:
    from pathlib import Path

    from console.house import House
    from engine_host.published import Published
    from knowledge.watching import FolderWatch
    from knowledge.watching_state import WatchState
    from storage.settings import Settings


async def follow_watch(watching: FolderWatch, news: Published[WatchState]) -> None:
    """Publish the state of the watched folder with every change, until cancelled."""
    unwatch = watching.watch(lambda: news.publish(watching.state))
    news.publish(watching.state)
    try:
        await asyncio.Event().wait()
    finally:
        unwatch()


async def watch_folder(house: House, folder: Path | None) -> None:
    """Keep in the settings which folder is watched, or that none is, and do so from now on. Raises SettingsError."""

    def changed(kept: Settings) -> Settings:
        named = {"watched_folder": str(folder) if folder else None}
        return kept.model_copy(update={"knowledge": kept.knowledge.model_copy(update=named)})

    saved = await change_settings(house.home, changed)
    await house.watching.follow(saved.knowledge.watched_path)
    house.watching.start()
