"""The flags that the installed vLLM knows: asked once per version in its own environment, kept in the home."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import TypeAdapter, ValidationError

from engine_host.engine.children import run_lines
from engine_host.engine.errors import FlagsUnknown
from engine_host.engine.options_dump import MARK
from storage.files import write_atomically

if TYPE_CHECKING:
    from engine_host.engine.runtime import EngineRuntime
    from storage.paths import Home

FORMAT: Final = 1
_SCRIPT: Final = Path(__file__).with_name("options_dump.py")
_QUIET: Final = {"VLLM_NO_USAGE_STATS": "1", "DO_NOT_TRACK": "1", "HF_HUB_OFFLINE": "1"}


@dataclass(frozen=True, slots=True)
class Flag:
    """One flag of vLLM with all its names. `choices` is empty when anything of its kind is taken.

    `optional`: the word None is taken too.
    """

    names: tuple[str, ...]
    kind: Literal["switch", "integer", "number", "size", "json", "text"]
    takes: Literal["none", "one", "at most one", "several", "any"]
    choices: tuple[str, ...] = ()
    default: bool | int | float | str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class FlagTable:
    """What one vLLM, run by `python`, understands."""

    version: str
    python: str
    flags: tuple[Flag, ...]
    format: int = FORMAT

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for flag in self.flags for name in flag.names)

    def named(self, name: str) -> Flag | None:
        return next((flag for flag in self.flags if name in flag.names), None)


_TABLE: Final = TypeAdapter(FlagTable)
_FLAGS: Final = TypeAdapter(tuple[Flag, ...])


def flags_path(home: Home, version: str) -> Path:
    return home.root / "engine-flags" / f"vllm-{version}.json"


def kept_flags(home: Home, runtime: EngineRuntime) -> FlagTable | None:
    """What was asked before; None when it never was, or of another Python."""
    try:
        kept = _TABLE.validate_json(flags_path(home, runtime.version).read_bytes())
    except (OSError, ValidationError):
        return None
    return kept if (kept.python, kept.format) == (str(runtime.python), FORMAT) else None


async def installed_flags(home: Home, runtime: EngineRuntime) -> FlagTable:
    """The flags of this runtime's vLLM. The first time for a version it takes about 10 s. Raises FlagsUnknown."""
    if (kept := kept_flags(home, runtime)) is not None:
        return kept
    table = FlagTable(runtime.version, str(runtime.python), await _ask(runtime))
    path = flags_path(home, runtime.version)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        write_atomically(path, json.dumps(asdict(table)).encode())
    except OSError as error:
        raise FlagsUnknown(
            f"The flags of vLLM {runtime.version} cannot be kept: {error.strerror}. Make room."
        ) from error
    return table


async def _ask(runtime: EngineRuntime) -> tuple[Flag, ...]:
    said: list[str] = []
    argv = [str(runtime.python), "-c", _SCRIPT.read_text(encoding="utf-8")]
    try:
        ended = await run_lines(argv, said.append, _QUIET)
    except OSError as error:
        raise FlagsUnknown(f"vLLM {runtime.version} cannot be asked for its flags: {error.strerror}.") from error
    try:
        return _FLAGS.validate_json(next((line.removeprefix(MARK) for line in said if line.startswith(MARK)), ""))
    except ValidationError as error:
        last = next((line.strip() for line in reversed(ended.tail) if line.strip()), "it said nothing")
        raise FlagsUnknown(f"vLLM {runtime.version} did not tell its flags: {last.rstrip('.')}.") from error
