"""Attach to a vLLM by its URL: it is asked first; address and key are kept when the person wants that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from storage.settings_room import change_settings

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession
    from storage.paths import Home
    from storage.secret_room import SecretRoom
    from storage.settings import Settings

SCHEMES: Final = ("http://", "https://")


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


def derive_url_fault(url: str) -> str:
    """A sentence when this can't be the address of an engine, else ""."""
    rest = next((url[len(scheme) :] for scheme in SCHEMES if url.startswith(scheme)), None)
    if not url:
        return "Enter the address, such as http://10.0.0.7:8000."
    if rest is None:
        return "The address must begin with http:// or https://."
    return "" if rest.strip("/") else "The address lacks its host, such as 10.0.0.7:8000."


async def attach_engine(rooms: AttachRooms, url: str, key: str, *, keep: bool) -> None:
    """An empty `key` means the kept one, if any. Raises AttachFailed, or why it could not be kept."""
    url = url.rstrip("/")
    known = key or await rooms.secrets.get(key_name(url))
    await rooms.engine.attach(url, known)
    if not keep:
        return
    if key:
        await rooms.secrets.set(key_name(url), key)

    def with_url(kept: Settings) -> Settings:
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"attach_url": url})})

    await change_settings(rooms.home, with_url)
