"""Arguments for vLLM against the flags that it knows: what it would refuse, said before the start. Pure."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final

from engine_host.engine.options import option_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from engine_host.engine.options_parser import Flag, FlagTable

_NUMBER: Final = re.compile(r"-\d+$|-\d*\.\d+$")
_SIZE: Final = re.compile(r"\d+(\.\d+)?[kmgt]|\d+[KMGT]|-?\d+")
_SAID_WHOLE: Final = 8
_LEVEL: Final = re.compile(r"-O=?([0-3]?)")
_WANTED: Final = {
    "integer": "a whole number",
    "number": "a number",
    "size": "a whole number, or one such as 16k",
    "json": "JSON",
}


@dataclass(frozen=True, slots=True)
class Argument:
    """A flag as it stands, its name as vLLM reads it, and what follows. `key` is what is behind a dot in the name."""

    written: str
    name: str
    key: str
    values: tuple[str, ...]
    inline: bool


def arguments_of(argv: Sequence[str]) -> Iterator[Argument]:
    """Each flag with the words up to the next one. Words before the first flag come under an empty name."""
    head, values = "", list[str]()
    for word in argv:
        if _is_flag(word):
            if head or values:
                yield _argument(head, values)
            head, values = word, []
        else:
            values.append(word)
    if head or values:
        yield _argument(head, values)


def _is_flag(word: str) -> bool:
    return len(word) > 1 and word.startswith("-") and not _NUMBER.match(word)


def _argument(head: str, values: Sequence[str]) -> Argument:
    if level := _LEVEL.fullmatch(head):
        told = (level[1],) if level[1] else ()
        return Argument(head, "--optimization-level", "", (*told, *values), bool(told))
    name, equals, value = head.partition("=")
    name, _, key = name.partition(".")
    if name.startswith("--"):
        name = name.replace("_", "-")
    return Argument(head, name, key, (value, *values) if equals else tuple(values), bool(equals))


@cache
def _reserved() -> Mapping[str, str]:
    data = tomllib.loads(files("assets").joinpath("engine/arguments.toml").read_text(encoding="utf-8"))
    return {flag: row["why"] for row in data["reserved"] for flag in row["flags"]}


@cache
def _of_the_form() -> Mapping[str, str]:
    options = [option for group in option_groups() for option in group.options if option.flag]
    said = ((flag, option) for option in options for flag in (option.flag, option.off_flag, *option.with_flags))
    return {flag: f"{option.label} ({option.key})" for flag, option in said if flag}


def extra_faults(extra: Sequence[str], table: FlagTable | None) -> tuple[str, ...]:
    """What is wrong with extra arguments as typed. Without a table only what needs no vLLM is said."""
    faults: list[str] = []
    for argument in arguments_of(extra):
        names = _all_names(argument.name, table)
        if not argument.name:
            faults.append(f"{argument.values[0]} belongs to no flag. Begin with a flag such as --seed 7.")
        elif why := next((_reserved()[name] for name in names if name in _reserved()), ""):
            faults.append(f"{argument.written} cannot be given: {why}. Take it out.")
        elif label := next((_of_the_form()[name] for name in names if name in _of_the_form()), ""):
            faults.append(f"{argument.written} is an option of the profile. Set {label} instead, and take it out here.")
        elif table is not None and (fault := _fault(argument, table)):
            faults.append(fault)
    return tuple(faults)


def _all_names(name: str, table: FlagTable | None) -> tuple[str, ...]:
    flag = table.named(name) if table else None
    return flag.names if flag else (name, name.replace("--no-", "--", 1))


def argument_faults(argv: Sequence[str], table: FlagTable) -> tuple[str, ...]:
    """What this vLLM would refuse in flags that the program says itself."""
    return tuple(fault for argument in arguments_of(argv) if (fault := _fault(argument, table)))


def _fault(argument: Argument, table: FlagTable) -> str:
    flag = table.named(argument.name)
    if flag is None:
        nearest = get_close_matches(argument.name, table.names, n=1, cutoff=0.0)[0]
        return (
            f"vLLM {table.version} has no flag {argument.name}. The nearest is {nearest}. Correct it, or take it out."
        )
    if argument.key:
        return "" if flag.kind in ("json", "text") else f"{argument.name} has no parts: write it without a dot."
    count = len(argument.values)
    if flag.takes == "none" and count:
        return f"{argument.name} is a switch and takes no value, but {argument.values[0]} follows. Take that out."
    if flag.takes in ("one", "several") and not count:
        return f"{argument.name} needs a value. Write it behind the flag."
    if flag.takes in ("one", "at most one") and count > 1:
        return f"{argument.values[1]} belongs to no flag: {argument.name} takes one value. Take it out."
    return next((fault for value in argument.values if (fault := _value_fault(flag, value, table))), "")


def _value_fault(flag: Flag, value: str, table: FlagTable) -> str:
    name = flag.names[0]
    if flag.choices and value not in flag.choices:
        return f"{name} is {value}, which vLLM {table.version} does not know. {_known(value, flag.choices)}"
    if (flag.optional and value == "None") or _TAKEN.get(flag.kind, _anything)(value):
        return ""
    return f"{name} is {value}: vLLM {table.version} wants {_WANTED[flag.kind]}. Correct it."


def _known(value: str, choices: Sequence[str]) -> str:
    if len(choices) <= _SAID_WHOLE:
        return f"Choose one of {', '.join(choices)}."
    return f"The nearest is {get_close_matches(value, choices, n=1, cutoff=0.0)[0]}. Correct it."


def _anything(_value: str) -> bool:
    return True


def _parses(convert: Callable[[str], object]) -> Callable[[str], bool]:
    def taken(value: str) -> bool:
        try:
            convert(value)
        except ValueError:
            return False
        return True

    return taken


_TAKEN: Final[Mapping[str, Callable[[str], bool]]] = {
    "integer": _parses(int),
    "number": _parses(float),
    "size": lambda value: value == "auto" or _SIZE.fullmatch(value) is not None,
    "json": _parses(json.loads),
}
