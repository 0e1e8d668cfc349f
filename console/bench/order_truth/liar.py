"""The liar engine: speaks vLLM's HTTP and says the worst. What it says is written down, for the judge."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from console.bench.order_truth.cases import seeded
from console.bench.order_truth.liar_stream import call_events, cuts, text_events, usage
from console.bench.order_truth.lies import Knows, Told, compose
from console.bench.order_truth.tool_lies import call_as_text, tool_calls
from console.bench.order_truth.wire_server import WireServer

if TYPE_CHECKING:
    from random import Random

    from console.bench.order_truth.wire_server import Request, Wire

MODEL = "liar"
CONTEXT = 8192
DIES_SHARE = 0.05
CALL_SHARE = 0.1
NOBODY = Knows("en", ())


@dataclass(slots=True)
class Mark:
    """One turn as the liar knows it: which lies fit, what it told, and whether it died before its end."""

    knows: Knows
    seed: str
    told: list[Told] = field(default_factory=list[Told])
    died: bool = False
    asked: int = 0


class LiarEngine(WireServer):
    """`async with LiarEngine() as liar:` serves at `liar.url`.

    A request names the turn that it is for by its model, `liar/<mark>`: lies that fit need to know the orders.
    """

    def __init__(self) -> None:
        super().__init__()
        self.marks: dict[str, Mark] = {}

    def expect(self, mark: str, knows: Knows, seed: str) -> Mark:
        """Tell the liar of a turn before it is asked. The Mark is filled while it answers."""
        self.marks[mark] = Mark(knows, seed)
        return self.marks[mark]

    async def answer(self, request: Request, wire: Wire) -> None:
        match (request.method, request.parts):
            case ("GET", ("health",)):
                wire.whole(200, b"", "text/plain")
            case ("GET", ("v1", "models")):
                wire.whole(
                    200, {"object": "list", "data": [{"id": MODEL, "object": "model", "max_model_len": CONTEXT}]}
                )
            case ("GET", ("metrics",)):
                wire.whole(200, _metrics(len(self.marks)), "text/plain; version=0.0.4")
            case ("POST", ("v1", "chat", "completions")):
                await self._complete(request.json(), wire)
            case _:
                wire.whole(404, {"detail": "Not Found"})

    async def _complete(self, body: dict[str, Any], wire: Wire) -> None:
        mark = self.marks.get(str(body["model"]).partition("/")[2]) or Mark(NOBODY, "nobody")
        mark.asked += 1
        rng = seeded(mark.seed, mark.asked)
        prompt = "\n".join(_text(message) for message in body["messages"])
        tokens = len(prompt) // 3
        if choices := _choices(body):
            await _stream(rng, wire, text_events(rng, MODEL, rng.choice(choices), tokens))
        elif body.get("tools") and rng.random() < 0.7:
            calls = tool_calls(rng, mark.knows, body["tools"])
            await _stream(rng, wire, call_events(rng, MODEL, calls, tokens))
        else:
            await self._lie(rng, mark, prompt, wire, streamed=bool(body.get("stream")))

    async def _lie(self, rng: Random, mark: Mark, prompt: str, wire: Wire, *, streamed: bool) -> None:
        told = compose(rng, mark.knows, prompt)
        if rng.random() < CALL_SHARE:
            call = call_as_text(rng, mark.knows)
            told = (Told(call, call, lie=True), *told)
        mark.told += told
        text, tokens = " ".join(sentence.shown for sentence in told), len(prompt) // 3
        if not streamed:
            message = {"role": "assistant", "content": text}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            wire.whole(200, {"model": MODEL, "choices": [choice], "usage": usage(tokens, len(text) // 3)})
            return
        data = text_events(rng, MODEL, text, tokens)
        if rng.random() < DIES_SHARE:
            mark.died = True
            data = data[: rng.randrange(len(data))]
        await _stream(rng, wire, data)
        if mark.died:
            wire.reset()


async def _stream(rng: Random, wire: Wire, data: bytes) -> None:
    wire.head(200, "text/event-stream; charset=utf-8")
    for piece in cuts(rng, data):
        await wire.piece(piece)
        await asyncio.sleep(0)


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content or "", ensure_ascii=False)


def _choices(body: dict[str, Any]) -> list[str]:
    """What a constrained answer may be: choices as they are, or the values of each enum of a JSON schema."""
    wanted = cast("dict[str, Any]", body.get("structured_outputs") or {})
    if choices := wanted.get("choice"):
        return [str(choice) for choice in choices]
    form = cast("dict[str, dict[str, Any]]", body.get("response_format") or {})
    schema = cast("dict[str, Any]", wanted.get("json") or form.get("json_schema", {}).get("schema") or {})
    fields = cast("dict[str, dict[str, Any]]", schema.get("properties", {}))
    enums = [(name, value) for name, rule in fields.items() for value in rule.get("enum", ())]
    return [*(json.dumps({name: value}) for name, value in enums), "{}", '"no"'] if schema else []


def _metrics(answers: int) -> bytes:
    label = f'{{engine="0",model_name="{MODEL}"}}'
    names = {"vllm:num_requests_running": 0, "vllm:num_requests_waiting": 0, "vllm:request_success_total": answers}
    return "".join(f"# TYPE {name} gauge\n{name}{label} {value}\n" for name, value in names.items()).encode()
