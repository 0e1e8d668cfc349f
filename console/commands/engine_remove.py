"""`dabba engine remove`: takes a further engine out of the pool and out of the settings; a hosted one ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.output import fail, print_json, run

if TYPE_CHECKING:
    from storage.paths import Home
    from storage.settings import MoreEngine, Settings


def remove(
    which: Annotated[str, typer.Argument(metavar="NUMBER|ADDRESS", help="As `engine list` shows it; not 1.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Let an engine finish its answers, end it when it is hosted here, and forget it."""
    run(_remove(which, as_json))


async def _remove(which: str, as_json: bool) -> None:
    from engine_host.engine.attaching import forget_engine
    from storage.paths import home_from_environment
    from storage.secret_room import SecretRoom
    from storage.settings import load_settings

    home = home_from_environment().make()
    settings = load_settings(home)
    number, wanted = _named(which, settings)
    stopped = wanted.url is None and await _stop(home, settings, number)
    secrets = SecretRoom(home)
    try:
        await forget_engine(home, secrets, number, wanted.url)
    finally:
        await secrets.close()
    if as_json:
        print_json({"removed": number, "url": wanted.url, "stopped": stopped})
        return
    what = f"attached from {wanted.url}; it runs on there" if wanted.url else "stopped" if stopped else "not running"
    print(f"Engine {number} was removed: {what}. A console that is open shows it until its next start.")


def _named(which: str, settings: Settings) -> tuple[int, MoreEngine]:
    from engine_host.engine.pool_places import numbered

    pairs = numbered(settings.engine.more)
    address = which.rstrip("/")
    found = [pair for pair in pairs if which == str(pair[0]) or address == pair[1].url]
    if which == "1":
        fail("Engine 1 stays: it is the house's own. `dabba engine stop` stops it.")
    known = ", ".join(str(number) for number, _ in pairs) or "none"
    if not found:
        fail(f"There is no further engine {which}. The settings name: {known}. See `dabba engine list`.")
    if len(found) > 1:
        fail(f"{which} is the address of {len(found)} engines. Name one by its number: {known}.")
    return found[0]


async def _stop(home: Home, settings: Settings, number: int) -> bool:
    """Whether one ran in this place; whoever started it, its answers have the settings' time to end."""
    from engine_host.engine.pool_crew import slot_of
    from engine_host.engine.session import EngineSession

    session = EngineSession(home, settings, slot_of(number))
    try:
        runs = await session.adopt()
        if runs:
            await session.stop()
        return runs
    finally:
        await session.close()
