"""What can be set for an engine, as data: assets/engine/options holds a file a group, each option with its flag,
range, default and what it does to TTFT, inter-token latency and memory.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from difflib import get_close_matches
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from pydantic import TypeAdapter

from engine_host.engine.errors import ProfileRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

OptionValue = bool | int | float | str
Values = dict[str, OptionValue]


class Kind(StrEnum):
    """SIZE is a number of GiB that becomes bytes; JSON is kept as its text."""

    INTEGER = "integer"
    NUMBER = "number"
    SIZE = "size"
    SWITCH = "switch"
    CHOICE = "choice"
    TEXT = "text"
    JSON = "json"


NUMERIC = frozenset({Kind.INTEGER, Kind.NUMBER, Kind.SIZE})


class Where(StrEnum):
    """On which kind of machine an option means something."""

    BOTH = "both"
    GPU = "gpu"
    CPU = "cpu"


@dataclass(frozen=True, slots=True)
class Reported:
    """Where a running engine says what it has: a label of a series of its metrics page."""

    series: str
    label: str


@dataclass(frozen=True, slots=True)
class Option:
    """One option. `ttft`, `inter_token` and `memory` are what it does to each, a sentence each; `brief` is what to know
    of it at a glance, where none of the three is short enough.

    `flag` is empty when it is no flag of vLLM; `off_flag` is what a switch says when it is off.
    `default` None = not said at all, and `unset` tells what the engine does then. A value like the default is said only
    if `spoken`, else it is the engine's own default too. `dispensable`: left out where the installed vLLM lacks the
    flag, since it only adds a figure, a bound or quiet. `plus` names the option whose value is added to this one, and
    `with_flags` go along with it. `common`: a form shows it at once, the others when more is asked for.
    """

    key: str
    label: str
    kind: Kind
    ttft: str
    inter_token: str
    memory: str
    brief: str = ""
    flag: str = ""
    off_flag: str = ""
    unit: str = ""
    default: OptionValue | None = None
    minimum: float | None = None
    maximum: float | None = None
    step: float = 1
    choices: tuple[str, ...] = ()
    unset: str = ""
    example: str = ""
    where: Where = Where.BOTH
    spoken: bool = False
    dispensable: bool = False
    plus: str = ""
    with_flags: tuple[str, ...] = ()
    reported: Reported | None = None
    common: bool = False
    group: str = ""

    def counts(self, *, on_gpu: bool) -> bool:
        return self.where is Where.BOTH or (self.where is Where.GPU) == on_gpu


@dataclass(frozen=True, slots=True)
class OptionGroup:
    title: str
    options: tuple[Option, ...]


_OPTION: Final = TypeAdapter(Option)


@cache
def option_groups() -> tuple[OptionGroup, ...]:
    """Every option, in the order of the form."""
    folder = files("assets").joinpath("engine/options")
    texts = sorted((file.name, file.read_text(encoding="utf-8")) for file in folder.iterdir() if file.name[0].isdigit())
    return tuple(_group(tomllib.loads(text)) for _, text in texts)


def _group(data: dict[str, Any]) -> OptionGroup:
    rows = (replace(_OPTION.validate_python(row), group=data["title"]) for row in data["option"])
    return OptionGroup(data["title"], tuple(rows))


@cache
def options_by_key() -> Mapping[str, Option]:
    return {option.key: option for group in option_groups() for option in group.options}


def option_named(key: str) -> Option:
    """Raises ProfileRefused, with the nearest name."""
    known = options_by_key()
    if key in known:
        return known[key]
    nearest = get_close_matches(key, known, n=1, cutoff=0.0)[0]
    raise ProfileRefused(f"There is no option {key} for an engine. The nearest is {nearest}. Correct the name.")
