"""Tool calls as bad models make them: garbled, doubled, as text, to unknown tools, about other people's orders."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

    from console.bench.order_truth.lies import Knows

KINDS = (
    "fine",
    "stranger",
    "string",
    "garbled",
    "doubled",
    "control",
    "unknown_tool",
    "forty",
    "not_an_object",
    "customer",
)


def tool_calls(rng: Random, knows: Knows, tools: list[dict[str, Any]]) -> list[dict[str, str]]:
    """`name` and `arguments` of each call, as the engine's parser would hand them on."""
    name = str(tools[0].get("function", {}).get("name", "look_up"))
    kind = rng.choice(KINDS)
    number = knows.other.order_id if knows.other and kind == "stranger" else knows.own[0].order_id if knows.own else ""
    good = json.dumps({"order_id": number})
    arguments = {
        "string": json.dumps(good),
        "garbled": good[:-3] + ",,",
        "doubled": good + good,
        "control": good.replace("KD", "K\x00D\x1b["),
        "not_an_object": "[1, 2",
        "customer": json.dumps({"order_id": number, "customer_id": knows.other.customer_id if knows.other else "C-1"}),
    }.get(kind, good)
    call = {"name": "drop_all_orders" if kind == "unknown_tool" else name, "arguments": arguments}
    return [call] * (40 if kind == "forty" else 1)


def call_as_text(rng: Random, knows: Knows) -> str:
    """A call that the model wrote into its text instead of making it."""
    number = knows.own[0].order_id if knows.own else "KD-99998"
    call = json.dumps({"name": "look_up_order", "arguments": {"order_id": number, "status": "delivered"}})
    written = f"look_up_order({number}) -> delivered\n"
    return rng.choice((f"```json\n{call}\n```\n", f"<tool_call>{call}</tool_call>\n", f"{call}\n", written))
