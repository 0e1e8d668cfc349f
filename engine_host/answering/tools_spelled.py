"""Reads a call that a model wrote into its text as the call that it meant; strictly. Pure."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, cast

from engine_host.answering.tools import LOOK_UP, ORDER_NUMBER
from engine_host.client.types import ChatToolCall

if TYPE_CHECKING:
    from engine_host.answering.tools_in_text import SpelledCall

MOST_WRAPPINGS = 3
_WRAPPINGS = (
    re.compile(r"```\w*\s(.*?)(?:```)?", re.DOTALL),
    re.compile(r"<tool_calls?>(.*?)(?:</tool_calls?>)?", re.DOTALL | re.IGNORECASE),
    re.compile(r"\[TOOL_CALLS\](.*)", re.DOTALL | re.IGNORECASE),
    re.compile(r"<\|python_tag\|>(.*)", re.DOTALL),
)
_WITH_OBJECT = re.compile(rf"(?:<function=)?({LOOK_UP})\s*>?\s*(\{{.*\}})\s*(?:</function>)?", re.DOTALL)
_AS_FUNCTION = re.compile(rf"{LOOK_UP}\(\s*(?:{ORDER_NUMBER}\s*=\s*)?(?:\"([^\"]*)\"|'([^']*)')?\s*\)")


def read_spelled(call: SpelledCall, at: float) -> tuple[ChatToolCall, ...]:
    """The calls that `call` spells, their arguments still unread; () when it is not wholly made of calls."""
    text = call.text.strip()
    for _ in range(MOST_WRAPPINGS):
        inner = next((found.group(1) for wrap in _WRAPPINGS if (found := wrap.fullmatch(text))), text)
        text = inner.strip()
    if named := _WITH_OBJECT.fullmatch(text):
        return (ChatToolCall(named.group(1), named.group(2), at, at),)
    if function := _AS_FUNCTION.fullmatch(text):
        number = function.group(1) or function.group(2)
        return (ChatToolCall(LOOK_UP, json.dumps({ORDER_NUMBER: number} if number else {}), at, at),)
    return _from_json(text, at)


def _from_json(text: str, at: float) -> tuple[ChatToolCall, ...]:
    try:
        value: Any = json.loads(text)
        rows = cast("list[Any]", value) if isinstance(value, list) else [value]
        calls = [_from_row(row, at) for row in rows]
    except (ValueError, RecursionError):
        return ()
    return tuple(call for call in calls if call) if all(calls) else ()


def _from_row(row: object, at: float) -> ChatToolCall | None:
    """`{"name", "arguments"}`, or with `parameters` as Llama writes it, or within `function` as OpenAI has it."""
    if not isinstance(row, dict):
        return None
    said = cast("dict[str, Any]", row)
    if said.keys() <= {"id", "type", "function"} and isinstance(said.get("function"), dict):
        said = cast("dict[str, Any]", said["function"])
    name = said.get("name")
    given = [key for key in ("arguments", "parameters") if key in said]
    if not isinstance(name, str) or len(given) != 1 or not said.keys() <= {"id", "type", "name", *given}:
        return None
    arguments = said[given[0]]
    return ChatToolCall(name, arguments if isinstance(arguments, str) else json.dumps(arguments), at, at)
