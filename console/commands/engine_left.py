"""`dabba engine left`: the engines of this home that have a process, with their memory; ends one, by its id."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.output import print_json, print_table, run

if TYPE_CHECKING:
    from engine_host.engine.left_behind import LeftEngine

_MIB = 1024 * 1024


def left(
    end: Annotated[str, typer.Option(metavar="ID", help="End this one: processes, port and memory.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the engines of this home that have a process, and end one that nobody uses, by its id."""
    run(_left(end, as_json))


async def _left(end: str, as_json: bool) -> None:
    from engine_host.engine.left_behind import end_left, engines_of
    from storage.paths import home_from_environment

    home = home_from_environment()
    if end:
        ended = await end_left(home, end)
        told = f"The engine {ended.run} was ended: {ended.processes} processes, {ended.memory / _MIB:,.0f} MiB."
        print_json({"ended": as_object(ended)}) if as_json else print(told)
        return
    found = engines_of(home)
    if as_json:
        print_json([as_object(one) for one in found])
    elif found:
        print_table(_HEADER, [_row(one) for one in found], right=frozenset({4, 5}))
    else:
        print("No engine of this home has a process.")


_HEADER = ("id", "what", "engine", "address", "process", "MiB")


def _row(one: LeftEngine) -> tuple[object, ...]:
    engine = f"{one.name}, {one.model}"
    return (one.run, one.kind.value, engine, one.url, one.pid, f"{one.memory / _MIB:,.0f}")


def as_object(one: LeftEngine) -> dict[str, Any]:
    return asdict(one) | {"kind": one.kind.value}
