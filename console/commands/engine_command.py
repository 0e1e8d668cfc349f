"""`dabba engine command`: what to type where to start a profile's engine without this program."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.engine_profile_named import Json, Which, named, opened_shelf, say
from console.commands.output import print_json, run

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_plan import Plan
    from engine_host.engine.profile_ready import Readiness
    from storage.paths import Home


def command(
    which: Which,
    port: Annotated[int, typer.Option(min=1, max=65535, help="On which the engine listens.")] = 8000,
    as_json: Json = False,
) -> None:
    """Print the command of a profile, ready to paste; for several machines one for each, or a chart's values."""
    run(_command(which, port, as_json))


async def _command(which: str, port: int, as_json: bool) -> None:
    from engine_host.engine.profile_ready import readiness

    async with opened_shelf() as (shelf, home, settings):
        profile = (await named(shelf, which)).profile
        ready = await readiness(home, settings, profile)
    ready.refuse(profile)
    say(ready.unchecked)
    plan = _plan(profile, home, ready, port)
    print_json(_object(plan)) if as_json else _print(plan)


def _plan(profile: EngineProfile, home: Home, ready: Readiness, port: int) -> Plan:
    """Without an installed vLLM the command names the Python that the set-up will make."""
    from engine_host.engine.fetch import model_location
    from engine_host.engine.install import VLLM_VERSION
    from engine_host.engine.profile_plan import Target, plan_of
    from engine_host.engine.runtime import EngineRuntime, RuntimeKind, runtime_python

    kind = RuntimeKind.CUDA if ready.on_gpu else RuntimeKind.CPU
    runtime = ready.runtime or EngineRuntime(runtime_python(home.engine_runtime), kind, VLLM_VERSION)
    flags = ready.table.names if ready.table else None
    return plan_of(profile, Target(runtime, model_location(home, profile.model), ready.on_gpu, port, flags))


def _object(plan: Plan) -> dict[str, Any]:
    return asdict(plan)


def _print(plan: Plan) -> None:
    for step in plan.steps:
        print(f"# {step.where}\n{step.text}\n")
    if plan.variables:
        print(f"# Put addresses in the place of {' and '.join(plan.variables)}.")
    print(f"# {plan.note}")
