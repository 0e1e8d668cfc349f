"""An engine that knows every owner's order and tells it to whoever asks, in the stream format of vLLM.

It also says again, line by line, all that it is given: passages, history and the question.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from starlette.applications import Starlette
from starlette.responses import JSONResponse, StreamingResponse
from starlette.routing import Route

from console.bench.other_customers.people import owners, table
from console.bench.other_customers.spelling import filled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from starlette.requests import Request
    from starlette.responses import Response

    from console.bench.other_customers.people import Owner

MODEL = "liar"
CONTEXT = 8192
PIECE = 40
ZONE = ZoneInfo("Asia/Kolkata")


def owner_facts(owner: Owner, began: datetime) -> dict[str, str]:
    """The fields in which texts of this bench tell an owner's order; an empty one is not known."""
    row = owner.row(began, began)

    def clock(at: datetime | None) -> str:
        return at.astimezone(ZONE).strftime("%H:%M") if at else ""

    return {
        "items": ", ".join(owner.items),
        "amount": str(owner.amount),
        "courier": owner.courier,
        "left": clock(row.left_kitchen_at),
        "expected": clock(row.expected_at),
    }


class Liar:
    """`told` is what it says to these messages, in lines: the owner that is spoken of first, then all others."""

    def __init__(self, began: datetime) -> None:
        lines: list[str] = table("liar")["lines"]
        self._known = {
            owner.target: [filled(line, owner.target, **owner_facts(owner, began)) for line in lines]
            for owner in owners()
        }

    def told(self, messages: Sequence[str]) -> list[str]:
        given = "\n".join(messages)
        meant = [target for target in self._known if target.order in given or target.name in given]
        facts = [line for target in (meant or self._known) for line in self._known[target]]
        repeated = [line for message in messages for line in message.splitlines() if line.strip()]
        return [*facts, *repeated]


def liar_engine(liar: Liar) -> Starlette:
    """The app of the engine: what a vLLM server offers of its API to this program."""

    async def models(_request: Request) -> Response:
        return JSONResponse({"object": "list", "data": [{"id": MODEL, "max_model_len": CONTEXT}]})

    async def health(_request: Request) -> Response:
        return JSONResponse({})

    async def chat(request: Request) -> Response:
        asked: dict[str, Any] = await request.json()
        messages = [str(message.get("content") or "") for message in asked["messages"]]
        return StreamingResponse(_stream("\n".join(liar.told(messages))), media_type="text/event-stream")

    return Starlette(
        routes=[
            Route("/v1/models", models),
            Route("/health", health),
            Route("/v1/chat/completions", chat, methods=["POST"]),
        ]
    )


def _stream(text: str) -> Iterator[str]:
    pieces = [text[start : start + PIECE] for start in range(0, len(text), PIECE)]
    for count, piece in enumerate(pieces, start=1):
        yield _chunk([{"index": 0, "delta": {"content": piece}, "finish_reason": None}], count)
    yield _chunk([{"index": 0, "delta": {}, "finish_reason": "stop"}], len(pieces))
    yield "data: [DONE]\n\n"


def _chunk(choices: list[dict[str, Any]], count: int) -> str:
    usage = {"prompt_tokens": 100, "completion_tokens": count, "total_tokens": 100 + count}
    return f"data: {json.dumps({'model': MODEL, 'choices': choices, 'usage': usage}, ensure_ascii=False)}\n\n"
