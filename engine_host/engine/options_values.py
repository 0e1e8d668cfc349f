"""A value of an option: read from typed text, shown, checked, and said to vLLM. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from engine_host.engine.errors import ProfileRefused
from engine_host.engine.options import NUMERIC, Kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.engine.options import Option, OptionValue

GIB: Final = 1024**3
ON_WORDS: Final = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}


def read_value(option: Option, text: str) -> OptionValue:
    """What a person typed, as a value. Raises ProfileRefused."""
    try:
        value = _read(option, text.strip())
    except ValueError:
        value = text.strip()
    if fault := value_fault(option, value):
        raise ProfileRefused(fault)
    return value


def _read(option: Option, text: str) -> OptionValue:
    match option.kind:
        case Kind.INTEGER:
            return int(text.replace(",", "").replace("_", ""))
        case Kind.NUMBER | Kind.SIZE:
            return float(text.replace(",", ""))
        case Kind.SWITCH:
            return ON_WORDS.get(text.casefold(), text)
        case _:
            return text


def value_fault(option: Option, value: OptionValue) -> str:
    """Why `value` cannot be, and what to do; empty when it can."""
    allowed = _allowed(option, value)
    if allowed is None:
        return ""
    return f"{option.label} ({option.key}) is {shown(value)}: it must be {allowed}. Correct it, or take it out."


def _allowed(option: Option, value: OptionValue) -> str | None:
    """What it must be; None = it is."""
    match option.kind:
        case Kind.SWITCH:
            return None if isinstance(value, bool) else "on or off"
        case Kind.CHOICE:
            return None if value in option.choices else f"one of {', '.join(option.choices)}"
        case Kind.TEXT:
            return None if isinstance(value, str) and value.strip() else "a text that is not empty"
        case Kind.JSON:
            return None if is_json_object(value) else f"a JSON object such as {option.example}"
        case _:
            return _allowed_number(option, value)


def _allowed_number(option: Option, value: OptionValue) -> str | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and _in_range(option, value):
        return None
    kind = "a whole number" if option.kind is Kind.INTEGER else "a number"
    return f"{kind} {range_text(option)}".strip()


def _in_range(option: Option, number: float) -> bool:
    whole = option.kind is not Kind.INTEGER or float(number).is_integer()
    least, most = option.minimum, option.maximum
    return whole and (least is None or number >= least) and (most is None or number <= most)


def is_json_object(value: object) -> bool:
    try:
        return isinstance(value, str) and isinstance(json.loads(value), dict)
    except ValueError:
        return False


def range_text(option: Option) -> str:
    """As "from 1 to 4,096 seqs"; empty for what has no range."""
    if option.kind not in NUMERIC or option.minimum is None or option.maximum is None:
        return ""
    return f"from {shown(option.minimum)} to {shown(option.maximum)} {option.unit}".rstrip()


def shown(value: OptionValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.6g}"


def value_text(option: Option, value: OptionValue | None) -> str:
    """For a form or a table: the value with its unit, or what the engine does when nothing is said."""
    if value is None:
        return option.unset
    unit = option.unit if option.kind in NUMERIC else ""
    return f"{shown(value)} {unit}".rstrip()


def option_argv(option: Option, values: Mapping[str, OptionValue]) -> tuple[str, ...]:
    """What is said to vLLM for this option when all options have `values`; nothing for what is its own default."""
    value = values.get(option.key, option.default)
    if not option.flag or value is None or (value == option.default and not option.spoken):
        return ()
    if isinstance(value, bool):
        return (option.flag,) if value else (option.off_flag,) if option.off_flag else ()
    if option.plus and isinstance(value, int):
        value += int(values[option.plus])
    return (*option.with_flags, option.flag, engine_text(option, value))


def engine_text(option: Option, value: OptionValue) -> str:
    """The value as vLLM reads it: sizes in bytes."""
    if option.kind is Kind.SIZE:
        return str(int(float(value) * GIB))
    return f"{value:.10g}" if isinstance(value, float) else str(value)
