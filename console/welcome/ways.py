"""The ways around the engine runtime: a Python that has vLLM already, or an engine that runs elsewhere. In the loop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from console.setup.steps import SetupRefused
from engine_host.engine.attaching import attach_with_kept_key, keep_engine
from engine_host.engine.runtime import vllm_version
from storage.settings_room import change_settings

if TYPE_CHECKING:
    from engine_host.engine.attaching import AttachRooms
    from engine_host.http import Tls
    from storage.settings import Settings


async def use_python(rooms: AttachRooms, program: str) -> Settings:
    """Keep `program` as the engine's Python after it was asked for vLLM. Raises SetupRefused or SettingsError."""
    version = await vllm_version(Path(program))
    if version is None:
        raise SetupRefused(f"This Python cannot run the engine: {program} has no vLLM. Choose another one.")

    def with_python(kept: Settings) -> Settings:
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"python": program})})

    settings = await change_settings(rooms.home, with_python)
    rooms.engine.settings = settings
    return settings


async def attach_instead(rooms: AttachRooms, url: str, key: str, tls: Tls | None = None) -> Settings:
    """Attach to a vLLM and keep its address and key, so that every start attaches. Raises AttachFailed.

    `tls` None = as the settings say.
    """
    await attach_with_kept_key(rooms, url, key, tls)
    return await keep_engine(rooms, url, key, tls)
