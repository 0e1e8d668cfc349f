"""What is done about the engines beside the first one: added, attached, removed. In the loop; no Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from engine_host.engine.attaching import AttachRooms, forget_engine, keep_engine, keep_secret, key_name
from engine_host.engine.finding import ask_server
from engine_host.engine.pool_places import with_another
from storage.settings import MoreEngine
from storage.settings_room import change_settings

if TYPE_CHECKING:
    from console.house_engines import HouseEngines
    from console.widgets.attach_dialog import AttachWish
    from engine_host.engine.finding import Found
    from engine_host.engine.session import EngineSession
    from storage.settings import Settings


class FurtherRooms(AttachRooms, Protocol):
    @property
    def engines(self) -> HouseEngines: ...


async def add_hosted(rooms: FurtherRooms) -> EngineSession:
    """One more that this program starts; the settings keep it. It is not started yet. Raises SettingsError."""
    session = rooms.engines.add(MoreEngine())
    await _keep(rooms, MoreEngine(), session)
    return session


async def attach_first(rooms: FurtherRooms, wish: AttachWish) -> Found | None:
    """In the place of the house's own engine. Raises AttachFailed, SettingsError or SecretError."""
    key = wish.key or await rooms.secrets.get(key_name(wish.url))
    await rooms.engine.attach(wish.url, key, wish.tls)
    if wish.keep:
        await keep_engine(rooms, wish.url, wish.key, wish.kept_tls)
    return rooms.engine.state.value.found


async def attach_beside(rooms: FurtherRooms, wish: AttachWish) -> Found | None:
    """Beside the others. Raises AttachFailed, SettingsError or SecretError."""
    key = wish.key or await rooms.secrets.get(key_name(wish.url))
    await ask_server(wish.url, key, wish.tls)  # a place is made only for what answers
    wanted = MoreEngine(url=wish.url)
    session = rooms.engines.add(wanted)
    await session.attach(wish.url, key, wish.tls)
    if wish.keep:
        await keep_secret(rooms, wish.url, wish.key)
        await _keep(rooms, wanted, session)
    return session.state.value.found


async def remove(rooms: FurtherRooms, session: EngineSession) -> None:
    """Out of the pool once its answers have ended, then out of the settings.

    Raises StopFailed when a process survives; then nothing was forgotten.
    """
    one = rooms.engines.crew.of(session)
    if one is not None:
        await rooms.engines.remove(session, session.settings.engine.drain_s)
        await forget_engine(rooms.home, rooms.secrets, one.number, one.wanted.url)


async def _keep(rooms: FurtherRooms, wanted: MoreEngine, session: EngineSession) -> None:
    number = rooms.engines.number_of(session)

    def change(kept: Settings) -> Settings:
        more = with_another(kept.engine.more, wanted, number)
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"more": more})})

    await change_settings(rooms.home, change)
