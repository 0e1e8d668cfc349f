"""The tool that a model may call in a help turn, and how strictly its calls are read. Pure.

A call can at most choose which of the signed-in customer's orders code looks up. It names no customer, sees no row, and
is closed in the conversation with a message that holds no order fact.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, cast

from engine_host.answering.folding import fold
from engine_host.answering.order_numbers import order_ids
from engine_host.answering.prompt import estimate_tokens
from engine_host.client.types import ChatMessage, ToolSpec, ToolUse
from storage.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.client.types import ChatToolCall

LOOK_UP = "look_up_order"
ORDER_NUMBER = "order_number"
MOST_READ = 3
LONGEST_ARGUMENTS = 400
LONGEST_NUMBER = 40
MOST_DIGITS = 6
_TEMPLATE_TOKENS = 300  # what a chat template writes around a tool, a call and its result
_CALL_ID = "call00001"  # nine letters and digits: Mistral's templates refuse others


@dataclass(frozen=True, slots=True)
class OrderChoice:
    """Look this order up, or with None all that are under way; for the verified customer, whoever that is."""

    order_id: str | None


@dataclass(frozen=True, slots=True)
class BadCall:
    """`reason` says, for staff, why the call is not followed."""

    reason: str


CallVerdict = OrderChoice | BadCall


@cache
def tool_texts() -> dict[str, Any]:
    return tomllib.loads(files("assets").joinpath("prompts/tools.toml").read_text(encoding="utf-8"))


@cache
def order_tool() -> ToolSpec:
    texts = tool_texts()
    number = {"type": "string", "description": texts[ORDER_NUMBER]}
    schema = {"type": "object", "properties": {ORDER_NUMBER: number}, "additionalProperties": False}
    return ToolSpec(LOOK_UP, texts["description"], schema)


@cache
def tool_tokens() -> int:
    """How much of the context the tool, a call and its result take at most, in tokens."""
    tool = order_tool()
    longest = max(tool_texts()["results"].values(), key=estimate_tokens)
    spec = tool.description + json.dumps(tool.parameters, ensure_ascii=False)
    return estimate_tokens(spec) + estimate_tokens(longest) + _TEMPLATE_TOKENS


def parse_calls(calls: Sequence[ChatToolCall], prefix: str) -> tuple[CallVerdict, ...]:
    """A verdict for each call, in order. `prefix` begins the order numbers of the customer's tenant; never raises."""
    read = [_parse(call, prefix) for call in calls[:MOST_READ]]
    too_many = BadCall(f"at most {MOST_READ} calls of one answer are read, and this one made {len(calls)}")
    return (*read, *[too_many] * (len(calls) - MOST_READ))


def closing(said: str, choice: OrderChoice | None, result: str) -> tuple[ChatMessage, ChatMessage]:
    """The call and its result as the model sees them again. `said`: the text that was released before the call.

    However many calls there were, and however they were spelled, one that this program wrote goes back: templates and
    engines break on garbled ones, and Llama's takes no more than one.
    """
    arguments = {ORDER_NUMBER: choice.order_id} if choice and choice.order_id else {}
    call = ToolUse(_CALL_ID, LOOK_UP, json.dumps(arguments))
    answer = ChatMessage("tool", tool_texts()["results"][result], call_id=_CALL_ID)
    return ChatMessage("assistant", said, (call,)), answer


def _parse(call: ChatToolCall, prefix: str) -> CallVerdict:
    if call.name != LOOK_UP:
        return BadCall(f"it calls {_quoted(call.name)}, which is no tool here")
    arguments = _arguments(call.arguments)
    if arguments is None:
        return BadCall("its arguments are not one JSON object")
    if others := sorted(arguments.keys() - {ORDER_NUMBER}):
        return BadCall(f"it brings {_quoted(', '.join(others))}; the tool takes nothing but an order number")
    return _choice(arguments.get(ORDER_NUMBER), prefix)


def _arguments(text: str) -> dict[str, Any] | None:
    """The arguments; None when they are garbled. Models that know no tools wrap the object into a string, once."""
    if len(text) > LONGEST_ARGUMENTS:
        return None
    value = _json(text.strip() or "{}")
    if isinstance(value, str):
        value = _json(value)
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_each_key_once)
    except (ValueError, RecursionError):
        return None


def _each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("A key stands twice in the object.")
    return dict(pairs)


def _choice(number: object, prefix: str) -> CallVerdict:
    if number is None:
        return OrderChoice(None)
    if not isinstance(number, str):
        return BadCall("its order number is not a text")
    if len(number) > LONGEST_NUMBER or any(unicodedata.category(letter).startswith("C") for letter in number):
        return BadCall("its order number is too long or holds control characters")
    if not number.strip():
        return OrderChoice(None)
    if found := _order_id(number, prefix):
        return OrderChoice(found)
    return BadCall(f"{_quoted(number)} is not an order number that begins with {prefix}")


def _order_id(number: str, prefix: str) -> str | None:
    """`number` in the house's form, as the route reads it; None when it is anything else than one number of ours."""
    folded = fold(number)
    letters = re.sub(r"[^a-z]+", "", folded)
    own = re.sub(r"[^a-z]+", "", fold(prefix))
    if letters not in ("", own) or sum(letter.isdigit() for letter in folded) > MOST_DIGITS:
        return None
    has_letters = any(letter.isalpha() for letter in folded)
    found = order_ids(number if has_letters else f"order no {number}", (prefix,))
    ours = re.compile(rf"{re.escape(prefix)}-[0-9]{{3,{MOST_DIGITS}}}")
    return found[0] if len(found) == 1 and ours.fullmatch(found[0]) else None


def _quoted(text: str) -> str:
    return f'"{one_line(text)[:60]}"'
