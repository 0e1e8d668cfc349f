"""What to type where for a profile: the command on this machine, or those of several, ready to paste. Pure."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import yaml

from engine_host.engine.command import build_command, environment_of, profile_argv
from engine_host.engine.profile_places import Way, placement_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_places import Placement
    from engine_host.engine.runtime import EngineRuntime

HEAD: Final = "HEAD_ADDRESS"
OWN: Final = "OWN_ADDRESS"
PORT: Final = 8000
RAY_PORT: Final = 6379
RPC_PORT: Final = 13345
CHART: Final = "https://vllm-project.github.io/production-stack"
_OPEN: Final = (
    f"Whoever reaches port {PORT} can use the engine: set VLLM_API_KEY there, and give the same key when you attach. "
)


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to do. `where` says on which machine; `file` is the name under which `text` is saved, if it is one."""

    where: str
    text: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """`note` says what to do when all of it runs; `variables` are the words in capitals that stand for addresses."""

    way: Way
    steps: tuple[Step, ...]
    note: str
    variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """What a plan is made for. `location` is the model's folder or hub name; `flags` those that this vLLM knows, None =
    all of ours.
    """

    runtime: EngineRuntime
    location: str
    on_gpu: bool
    port: int = PORT
    flags: frozenset[str] | None = None


def plan_of(profile: EngineProfile, target: Target) -> Plan:
    place = placement_of(profile)
    match place.way:
        case Way.HERE:
            return _here(profile, target)
        case Way.RAY:
            return _ray(profile, target, place)
        case Way.DATA_PARALLEL:
            return _data_parallel(profile, target, place)
        case Way.ROUTER:
            return _router(profile, target, place)


def paste_text(environment: Mapping[str, str], argv: Sequence[str]) -> str:
    """A shell command, one flag a line."""
    lines = [" ".join(f"{name}={shlex.quote(value)}" for name, value in environment.items())] if environment else []
    for number, word in enumerate(argv):
        if number and not (word.startswith("--") or (number == 1 and word == "-m")):
            lines[-1] += f" {shlex.quote(word)}"
        elif number == 1:
            lines[-1] += f" {word}"
        else:
            lines.append(shlex.quote(word))
    return " \\\n  ".join(lines)


def _here(profile: EngineProfile, target: Target) -> Plan:
    command = build_command(
        profile, target.runtime, target.location, target.port, on_gpu=target.on_gpu, options=target.flags
    )
    step = Step("On this machine", paste_text(command.environment, command.argv))
    return Plan(Way.HERE, (step,), f"`dabba engine start --profile {shlex.quote(profile.name)}` does this for you.")


def _served(profile: EngineProfile, target: Target, *more: str, host: str = "0.0.0.0") -> tuple[str, ...]:  # noqa: S104
    argv = ("vllm", "serve", target.location, "--served-model-name", profile.model.name)
    listen = ("--host", host, "--port", str(target.port)) if host else ()
    return (*argv, *listen, *more, *profile_argv(profile, on_gpu=True, options=target.flags))


def _ray(profile: EngineProfile, target: Target, place: Placement) -> Plan:
    head, quiet = place.head or HEAD, environment_of(profile)
    begin = ("ray", "start", "--head", f"--node-ip-address={head}", f"--port={RAY_PORT}")
    join = ("ray", "start", f"--address={head}:{RAY_PORT}", f"--node-ip-address={OWN}")
    more, span = _ray_copies(place)
    serve = _served(profile.with_values(distributed_executor_backend="ray"), target, *more)
    others = "On the other machine" if place.nodes == 2 else f"On each of the {place.nodes - 1} other machines"
    steps = [Step("On the first machine", paste_text({"VLLM_HOST_IP": head}, begin))]
    steps += [Step(others, paste_text({"VLLM_HOST_IP": OWN}, join))] if place.nodes > 1 else []
    steps.append(
        Step("On the first machine, when all have joined", paste_text({"VLLM_HOST_IP": head} | span | quiet, serve))
    )
    words = (*((HEAD,) if not place.head else ()), *((OWN,) if place.nodes > 1 else ()))
    note = f"Each machine needs the same vLLM with Ray. {_OPEN}Then attach http://{head}:{target.port}."
    return Plan(Way.RAY, tuple(steps), note, words)


def _ray_copies(place: Placement) -> tuple[tuple[str, ...], dict[str, str]]:
    """Copies that Ray places: whole ones on each machine, or each over several."""
    if place.data == 1:
        return (), {}
    if place.gpus_of_a_copy > place.gpus_per_node:
        return ("--data-parallel-backend", "ray"), {"VLLM_RAY_DP_PACK_STRATEGY": "span"}
    local = min(place.data, place.gpus_per_node // place.gpus_of_a_copy)
    return ("--data-parallel-backend", "ray", "--data-parallel-size-local", str(local)), {}


def _data_parallel(profile: EngineProfile, target: Target, place: Placement) -> Plan:
    head, each = place.head or HEAD, place.data // place.nodes
    meet = (
        *("--data-parallel-size-local", str(each)),
        *("--data-parallel-address", head),
        *("--data-parallel-rpc-port", str(RPC_PORT)),
    )
    steps = [Step("On the first machine", paste_text(environment_of(profile), _served(profile, target, *meet)))]
    for number in range(1, place.nodes):
        rank = ("--headless", "--data-parallel-start-rank", str(number * each))
        argv = _served(profile, target, *rank, *meet, host="")
        steps.append(Step(f"On machine {number + 1}", paste_text(environment_of(profile), argv)))
    note = f"{_OPEN}Then attach http://{head}:{target.port}. Sequences at once count for each copy."
    return Plan(Way.DATA_PARALLEL, tuple(steps), note, () if place.head else (HEAD,))


def _router(profile: EngineProfile, target: Target, place: Placement) -> Plan:
    values = yaml.safe_dump(_chart_values(profile, target, place), sort_keys=False, width=100)
    install = f"helm repo add vllm {CHART}\nhelm install vllm vllm/vllm-stack -f values.yaml"
    forward = f"kubectl port-forward svc/vllm-router-service {target.port}:80"
    steps = (
        Step("Save as values.yaml", values.rstrip("\n"), "values.yaml"),
        Step("With the cluster's kubectl and helm", install),
        Step("Until the router has an address of its own", forward),
    )
    note = (
        f"Then attach http://127.0.0.1:{target.port}. The router hands the questions out in turn; its metrics are not "
        "those of an engine, so Live shows fewer panels."
    )
    return Plan(Way.ROUTER, steps, note)


def _chart_values(profile: EngineProfile, target: Target, place: Placement) -> dict[str, object]:
    """Values of the chart of vLLM's production stack. What it has a field for it would say twice if we said it too."""
    said_here = profile.with_values(tensor_parallel_size=None)
    extra = list(profile_argv(said_here, on_gpu=True, options=target.flags))
    extra.remove("--enable-prefix-caching" if profile.prefix_caching else "--no-enable-prefix-caching")
    model = {
        "name": re.sub(r"[^a-z0-9]+", "-", profile.model.name.casefold()).strip("-"),
        "repository": "vllm/vllm-openai",
        "tag": f"v{target.runtime.version}",
        "modelURL": target.location,
        "replicaCount": place.replicas,
        "requestCPU": 4,
        "requestMemory": "16Gi",
        "requestGPU": place.gpus_needed,
        "env": [{"name": name, "value": value} for name, value in environment_of(profile).items()],
        "vllmConfig": {
            "enablePrefixCaching": profile.prefix_caching,
            "tensorParallelSize": place.tensor,
            "extraArgs": ["--served-model-name", profile.model.name, *extra],
        },
    }
    return {"servingEngineSpec": {"modelSpec": [model]}, "routerSpec": {"routingLogic": "roundrobin"}}
