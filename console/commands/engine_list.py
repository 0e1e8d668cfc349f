"""`dabba engine list`: the engines that answer together, and how much each has to do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.output import fail, print_json, run

if TYPE_CHECKING:
    from console.house_engines import HouseEngines
    from engine_host.engine.pool_member import PoolMember


def list_engines(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show every engine of the pool: the first one and those of the settings. Exit 0 when one can answer."""
    run(_list(as_json))


async def _list(as_json: bool) -> None:
    from console.house_engines import HouseEngines
    from storage.paths import home_from_environment
    from storage.secret_room import SecretRoom
    from storage.settings import load_settings

    home = home_from_environment().make()
    settings, secrets = load_settings(home), SecretRoom(home)
    engines = HouseEngines.of(home, settings, secrets, database=None)
    try:
        await engines.join()
        await engines.read_metrics()
        found = as_objects(engines)
    finally:
        await engines.close()
        await secrets.close()
    if as_json:
        print_json({"engines": found})
    else:
        print("\n".join(map(_line, found)))
    if not any(one["can_answer"] for one in found):
        fail("No engine can answer now. `dabba engine start` starts one.")


def as_objects(engines: HouseEngines) -> list[dict[str, Any]]:
    """One object for each engine, the first one first. `kv` is a fraction, None where it is not published."""
    known = ((1, ""), *((one.number, one.fault) for one in engines.crew.engines))
    return [
        {"number": number, **_as_object(member), "fault": fault}
        for member, (number, fault) in zip(engines.pool.members, known, strict=True)
    ]


def _as_object(member: PoolMember) -> dict[str, Any]:
    state, load = member.state, member.load
    return {
        "name": state.name,
        "status": state.status.value,
        "can_answer": member.can_answer,
        "hosted": state.hosted,
        "url": state.url,
        "model": state.model,
        "run": state.run,
        "tools": state.tools,
        "context_tokens": member.context_tokens if member.can_answer else None,
        "weight": member.weight,
        "requests": load.requests,
        "waiting": load.waiting,
        "kv": load.kv,
        "reason": state.reason,
    }


def _line(one: dict[str, Any]) -> str:
    named = f"{one['number']}  {one['name'] or 'no engine'}: {one['status']}"
    if not one["can_answer"]:
        return " ".join(filter(None, (f"{named}.", one["reason"], one["fault"])))
    kv = f", KV {one['kv']:.0%} full" if one["kv"] is not None else ""
    work = f"{one['requests']} requests, {one['waiting']} of them waiting{kv}"
    return f"{named} at {one['url']}, {one['model']}, weight {one['weight']:g}, {work}"
