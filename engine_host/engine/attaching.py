"""Attach to a vLLM by its URL: it is asked first; address and key are kept when the person wants that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from engine_host.engine.pool_places import without
from storage.settings_room import change_settings

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession
    from engine_host.http import Tls
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


async def attach_with_kept_key(rooms: AttachRooms, url: str, key: str = "", tls: Tls | None = None) -> None:
    """An empty `key` means the kept one, if any; `tls` None = as the settings say. Raises AttachFailed, SecretError."""
    await rooms.engine.attach(url.rstrip("/"), key or await rooms.secrets.get(key_name(url)), tls)


async def keep_secret(rooms: AttachRooms, url: str, key: str) -> None:
    """Keep the key among the secrets; an empty one changes nothing. Raises SecretError."""
    if key:
        await rooms.secrets.set(key_name(url), key)


async def keep_engine(rooms: AttachRooms, url: str, key: str, tls: Tls | None = None) -> Settings:
    """Keep the address in the settings and the key among the secrets: every start then attaches.

    `tls` is kept too when it is given: it counts for every attached engine.
    """
    url = url.rstrip("/")
    await keep_secret(rooms, url, key)
    changes: dict[str, object] = {"attach_url": url}
    if tls is not None:
        changes |= {"attach_ca_file": str(tls.ca_file) if tls.ca_file else None, "attach_verify": tls.verify}

    def with_url(kept: Settings) -> Settings:
        return kept.model_copy(update={"engine": kept.engine.model_copy(update=changes)})

    settings = await change_settings(rooms.home, with_url)
    rooms.engine.settings = settings
    return settings


async def forget_engine(home: Home, secrets: SecretRoom, number: int, url: str | None) -> Settings:
    """Take a further engine out of the settings, and its key out of the secrets unless another one needs it.

    Raises SettingsError or SecretError.
    """

    def change(kept: Settings) -> Settings:
        more = without(kept.engine.more, number, url)
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"more": more})})

    settings = await change_settings(home, change)
    if url and url not in (settings.engine.attach_url, *(one.url for one in settings.engine.more)):
        await secrets.delete(key_name(url))
    return settings
