"""The profile that a start uses when nobody names one: the one that the settings choose, or describe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_host.engine.errors import StartFailed
from engine_host.engine.profile import profile_from
from engine_host.engine.profile_shelf import ProfileShelf

if TYPE_CHECKING:
    from engine_host.engine.models import ModelSpec
    from engine_host.engine.profile import EngineProfile
    from storage.database import Database
    from storage.settings import EngineSettings


async def chosen_profile(settings: EngineSettings, model: ModelSpec, database: Database) -> EngineProfile:
    """`model` counts only where the settings describe the profile. Raises StartFailed for a chosen one that is gone."""
    if not settings.profile:
        return profile_from(settings, model)
    kept = await ProfileShelf(database).find(settings.profile)
    if kept is None:
        raise StartFailed(
            f"The engine was not started: there is no profile {settings.profile} any more.",
            "Choose another one on the Engine page, or empty engine.profile in the settings.",
        )
    return kept.profile
