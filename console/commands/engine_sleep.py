"""`dabba engine sleep` and `wake`: give an engine's memory back for a while, and take it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.output import fail, print_json, run

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession

Number = Annotated[int, typer.Option("--engine", help="Which one, as `engine list` numbers them.", min=1)]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def sleep(number: Number = 1, as_json: Json = False) -> None:
    """Put a hosted engine to sleep: it answers nothing and holds little memory until `engine wake`."""
    run(_change(number, as_json, asleep=True))


def wake(number: Number = 1, as_json: Json = False) -> None:
    """Wake a hosted engine that sleeps."""
    run(_change(number, as_json, asleep=False))


async def _change(number: int, as_json: bool, *, asleep: bool) -> None:
    from engine_host.engine.pool_crew import slot_of
    from engine_host.engine.session import EngineSession
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    home = home_from_environment()
    session = EngineSession(home, load_settings(home), slot_of(number))
    try:
        if not await session.adopt():
            fail(f"The engine {number} of this home is not running. Start it first.")
        await _ask(session, asleep=asleep)
        state = session.state.value
        print_json({"engine": number, "status": state.status.value}) if as_json else print(
            f"Engine {number}: {state.name} is {state.status.value}."
        )
    finally:
        await session.close()


async def _ask(session: EngineSession, *, asleep: bool) -> None:
    if asleep:
        await session.sleep()
    else:
        await session.wake()
