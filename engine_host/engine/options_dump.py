"""Run by the engine's own Python: every flag of its API server's parser, as one line `dabba-flags [...]` of JSON.

Imports nothing of this program. What a flag takes is found by trying its converter on a few texts, since the names of
converters change between versions.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from importlib import import_module
from typing import Any

MARK = "dabba-flags "
PARSERS = ("vllm.utils.argparse_utils", "vllm.utils")
FILLERS = ("vllm.entrypoints.launchers.cli_args", "vllm.entrypoints.openai.cli_args")
REFUSALS = (ArgumentTypeError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What a converter says no with: argparse takes three of them for a no, the others are slips over an odd text."""
REGISTRIES = {
    "--tool-call-parser": (
        ("vllm.tool_parsers", "ToolParserManager"),
        ("vllm.entrypoints.openai.tool_parsers", "ToolParserManager"),
    ),
    "--reasoning-parser": (("vllm.reasoning", "ReasoningParserManager"),),
}
"""Names that the parser takes as any text and the server refuses a moment later."""


def first(modules: tuple[str, ...], name: str) -> Any:
    """The first of `modules` that has `name`; raises ImportError when none has."""
    for module in modules:
        try:
            return getattr(import_module(module), name)
        except (ImportError, AttributeError):
            continue
    raise ImportError(f"no module of {', '.join(modules)} has {name}")


def server_parser() -> Any:
    return first(FILLERS, "make_arg_parser")(first(PARSERS, "FlexibleArgumentParser")())


def takes(convert: Any, text: str) -> bool:
    try:
        convert(text)
    except REFUSALS:
        return False
    return True


def kind_of(action: Any) -> str:
    if action.nargs == 0:
        return "switch"
    if action.type is None or takes(action.type, "x"):
        return "text"
    for kind, text in (("json", "{}"), ("number", "1.5"), ("size", "1k"), ("integer", "1")):
        if takes(action.type, text):
            return kind
    return "text"


def plain(value: Any) -> Any:
    value = getattr(value, "value", value)  # of an enum
    return value if value is None or isinstance(value, bool | int | float | str) else repr(value)


def registered(flag: str) -> list[str]:
    for module, manager in REGISTRIES.get(flag, ()):
        try:
            return sorted(getattr(import_module(module), manager).list_registered())
        except (ImportError, AttributeError):
            continue
    return []


def flag_of(action: Any) -> dict[str, Any]:
    choices = [str(plain(choice)) for choice in action.choices or ()]
    return {
        "names": list(action.option_strings),
        "kind": kind_of(action),
        "takes": {None: "one", 0: "none", "?": "at most one", "+": "several", "*": "any"}.get(action.nargs, "one"),
        "choices": choices or registered(action.option_strings[0]),
        "default": plain(action.default),
        "optional": action.type is not None and takes(action.type, "None"),
    }


if __name__ == "__main__":
    found = [flag_of(action) for action in server_parser()._actions if action.option_strings]  # noqa: SLF001
    sys.stdout.write(MARK + json.dumps(found) + "\n")
