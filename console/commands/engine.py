"""`dabba engine`: start an engine that outlives the command, look at it, stop it."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands import engine_profiles
from console.commands.engine_command import command
from console.commands.engine_fit import fit
from console.commands.engine_fit_said import say_what_it_holds, say_when_too_big
from console.commands.engine_left import left
from console.commands.engine_list import list_engines
from console.commands.engine_look import look
from console.commands.engine_profile_named import named, opened_shelf
from console.commands.engine_remove import remove
from console.commands.engine_sleep import sleep, wake
from console.commands.output import fail, print_json, run

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.session import EngineSession
    from engine_host.engine.state import EngineState
    from storage.settings import Settings

app = typer.Typer(help="The vLLM engine that this home hosts.", no_args_is_help=True)
app.add_typer(engine_profiles.app, name="profiles")
app.command()(command)
app.command()(fit)
app.command()(left)
app.command()(look)
app.command()(remove)
app.command()(sleep)
app.command()(wake)
app.command("list")(list_engines)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[int, typer.Option("--engine", help="Which one, as `engine list` numbers them.", min=1)]


@app.command()
def start(
    profile: Annotated[str, typer.Option(help="As `profiles list` shows it; the settings' own when left out.")] = "",
    number: Number = 1,
    as_json: Json = False,
) -> None:
    """Start an engine and leave it running. Exit 0 when it is ready."""
    run(_start(profile, number, as_json))


@app.command()
def stop(number: Number = 1, as_json: Json = False) -> None:
    """Stop an engine of this home, whoever started it."""
    run(_stop(number, as_json))


@app.command()
def status(number: Number = 1, as_json: Json = False) -> None:
    """Show an engine of this home. Exit 0 only when it can answer."""
    run(_status(number, as_json))


@asynccontextmanager
async def _session(number: int) -> AsyncGenerator[tuple[EngineSession, Settings], None]:
    from engine_host.engine.pool_crew import slot_of
    from engine_host.engine.session import EngineSession
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    home = home_from_environment()
    home.make()
    settings = load_settings(home)
    _refuse_what_is_not_hosted(number, settings)
    session = EngineSession(home, settings, slot_of(number))
    try:
        yield session, settings
    finally:
        await session.close()


def _refuse_what_is_not_hosted(number: int, settings: Settings) -> None:
    from engine_host.engine.pool_places import numbered

    if number == 1:
        return
    further = dict(numbered(settings.engine.more))
    if number not in further:
        known = ", ".join(map(str, (1, *further)))
        fail(f"There is no engine {number}: the settings name {known}. Add it under engine.more.")
    if further[number].url:
        fail(f"Engine {number} is attached from {further[number].url}: it is started and stopped there.")


async def _start(which: str, number: int, as_json: bool) -> None:
    from console.commands.starting import default_profile, say_steps
    from engine_host.engine.pool_crew import profile_of

    wanted = await _kept_profile(which) if which else None
    async with _session(number) as (session, settings):
        session.state.watch(say_steps())
        if not await session.adopt():
            profile = profile_of(number, wanted or await default_profile(settings))
            await say_when_too_big(profile, settings)
            await session.start(profile, keep_running=True)
            say_what_it_holds(session.state.value.run)
        elif wanted is not None and session.state.value.name != profile_of(number, wanted).name:
            fail(f"{wanted.name} was not started: {session.state.value.name} is running. Stop it first.")
        _show(session.state.value, as_json)


async def _kept_profile(which: str) -> EngineProfile:
    async with opened_shelf() as (shelf, _, _):
        return (await named(shelf, which)).profile


async def _stop(number: int, as_json: bool) -> None:
    async with _session(number) as (session, _):
        if not await session.adopt():
            fail("No engine of this home is running." if number == 1 else f"Engine {number} is not running.")
        await session.stop()
        _show(session.state.value, as_json)


async def _status(number: int, as_json: bool) -> None:
    async with _session(number) as (session, _):
        await session.adopt()
        state = session.state.value
        _show(state, as_json)
        if not state.can_answer:
            raise typer.Exit(1)


def _show(state: EngineState, as_json: bool) -> None:
    if as_json:
        print_json(as_object(state))
        return
    where = f" at {state.url}, process group {state.process_group}" if state.url else ""
    print(f"Engine {state.name or 'none'}: {state.status.value}{where}. {state.reason} {state.next_step}".strip())


def as_object(state: EngineState) -> dict[str, Any]:
    return asdict(state)
