"""Attach to a vLLM by its URL: it is asked first; address and key are kept when the person wants that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from storage.settings_room import change_settings

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession
    from storage.paths import Home
    from storage.secret_room import SecretRoom
    from storage.settings import Settings


class AttachRooms(Protocol):
    @property
    def home(self) -> Home: ...
    @property
    def secrets(self) -> SecretRoom: ...
    @property
    def engine(self) -> EngineSession: ...


def key_name(url: str) -> str:
    """The name under which the key of the engine at `url` is kept among the secrets."""
    return f"engine-key:{url.rstrip('/')}"


async def attach_with_kept_key(rooms: AttachRooms, url: str, key: str = "") -> None:
    """An empty `key` means the kept one, if any. Raises AttachFailed or SecretError."""
    await rooms.engine.attach(url.rstrip("/"), key or await rooms.secrets.get(key_name(url)))


async def keep_engine(rooms: AttachRooms, url: str, key: str) -> Settings:
    """Keep the address in the settings and the key among the secrets: every start then attaches."""
    url = url.rstrip("/")
    if key:
        await rooms.secrets.set(key_name(url), key)

    def with_url(kept: Settings) -> Settings:
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"attach_url": url})})

    settings = await change_settings(rooms.home, with_url)
    rooms.engine.settings = settings
    return settings
