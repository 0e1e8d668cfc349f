"""A server that speaks vLLM's HTTP: for the border of the engine client, the metrics poller and the engine process.

In a test: `async with FakeVllm(Behaviour(...)) as fake: ... fake.url`. As a program it stands for vLLM itself:
`python -m tests.fakes.fake_vllm --port 1234 --served-model-name m`, its behaviour as JSON in FAKE_VLLM.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    import ssl

STORY = "Refunds reach the account within 5 working days . The kitchen writes when they leave ."
WORKER = """
import time
from multiprocessing.shared_memory import SharedMemory
segment = SharedMemory(create=True, size=4096)
print("worker has", segment.name, flush=True)
time.sleep(600)
"""


@dataclass(frozen=True)
class Behaviour:
    """What the server does. Times are seconds; `die_after` and `error_after` count tokens; None = never.

    A word that begins with ## is the rest of the one before it, as a token of its own.
    """

    words: tuple[str, ...] = tuple(STORY.split(" "))
    start_delay_s: float = 0.0
    first_delay_s: float = 0.0
    whole_delay_s: float = 0.0  # before an answer that is no stream
    token_delay_s: float = 0.0
    piece_bytes: int | None = None
    line_end: str = "\n"
    comments: bool = False
    usage: bool = True
    die_after: int | None = None
    die_how: str = "abort"  # abort: the connection breaks; close: it ends politely; exit: the process dies
    error_after: int | None = None
    calls: tuple[dict[str, Any], ...] = ()  # deltas of tool calls, sent after the words
    tools: bool = True  # False: as a vLLM that was started without a tool parser
    refuse_status: int | None = None
    continues: bool = True  # False: an answer that was begun elsewhere is refused
    refuse_message: str = "The queue is full."
    retry_after: str | None = None
    health_status: int = 200
    metrics_delay_s: float = 0.0
    metrics_page: str | None = None
    key: str | None = None
    models: bool = True
    version: str | None = "0.32.0"  # None: as a server that is no vLLM
    sleep: bool = False  # as vLLM with --enable-sleep-mode
    wakes: bool = True
    log: tuple[str, ...] = ()
    exit_at_start: int | None = None
    with_worker: bool = False
    ignore_term: bool = False


@dataclass
class Counters:
    running: int = 0
    cancelled: int = 0
    finished: int = 0
    prompt_tokens: int = 0
    output_tokens: int = 0
    bodies: list[dict[str, Any]] = field(default_factory=list)


class FakeVllm:
    def __init__(
        self,
        behaviour: Behaviour | None = None,
        model: str = "fake-model",
        port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.behaviour = behaviour or Behaviour()
        self.model = model
        self.counters = Counters()
        self.changed = asyncio.Condition()
        self._port = port
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._asleep = False
        self._stuck = False

    @property
    def port(self) -> int:
        assert self._server is not None
        return self._server.sockets[0].getsockname()[1]

    @property
    def url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self.port}"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connection, "127.0.0.1", self._port, ssl=self._tls)
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    async def stop(self) -> None:
        if self._server is None:
            return
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()
        self._server = None

    def lose_the_core(self) -> None:
        """What /health says after EngineCore died under a living API server. As a program: send SIGUSR1."""
        self.behaviour = replace(self.behaviour, health_status=503)

    def get_stuck(self) -> None:
        """Say 200 and make no token, with a request in hand. As a program: send SIGUSR2; again, and it goes on."""
        self._stuck = not self._stuck

    async def until(self, holds: Any) -> None:
        """Wait until `holds(counters)` is true."""
        async with self.changed:
            await self.changed.wait_for(lambda: holds(self.counters))

    async def _note(self, **changes: int) -> None:
        async with self.changed:
            for name, by in changes.items():
                setattr(self.counters, name, getattr(self.counters, name) + by)
            self.changed.notify_all()

    async def _connection(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            method, path, _ = head.split(" ", 2)
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head.split("\r\n")[1:])}
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            await self._answer(method, path, headers, body, reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._tasks.discard(task)
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer(
        self, method: str, path: str, headers: dict[str, str], body: bytes, reader: Any, writer: Any
    ) -> None:
        act = self.behaviour
        if act.key and path.startswith("/v1") and headers.get("authorization") != f"Bearer {act.key}":
            return send(writer, 401, {"error": "Unauthorized"})
        if path == "/health":
            return send(writer, act.health_status, "")
        if path == "/v1/models" and act.models:
            return send(writer, 200, {"data": [{"id": self.model, "max_model_len": 4096}]})
        if path == "/metrics":
            await asyncio.sleep(act.metrics_delay_s)
            return send(writer, 200, self.metrics() if act.metrics_page is None else act.metrics_page)
        if path == "/version" and act.version:
            return send(writer, 200, {"version": act.version})
        if act.sleep and path == "/is_sleeping":
            return send(writer, 200, {"is_sleeping": self._asleep})
        if act.sleep and method == "POST" and path.startswith(("/sleep", "/wake_up")):
            self._asleep = path.startswith("/sleep") or not act.wakes
            return send(writer, 200, {})
        if method == "POST" and path == "/v1/chat/completions":
            return await self._complete(json.loads(body), reader, writer)
        return send(writer, 404, {"detail": "Not Found"})

    async def _complete(self, body: dict[str, Any], reader: Any, writer: Any) -> None:
        self.counters.bodies.append(body)
        act = self.behaviour
        if act.refuse_status is not None:
            error = {"error": {"message": act.refuse_message, "code": act.refuse_status}}
            extra = {"Retry-After": act.retry_after} if act.retry_after else {}
            return send(writer, act.refuse_status, error, extra)
        if body.get("tool_choice") == "auto" and not act.tools:
            message = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
            return send(writer, 400, {"error": {"message": message, "code": 400}})
        if body.get("continue_final_message") and not act.continues:
            return send(writer, 400, {"error": {"message": "continue_final_message is not supported", "code": 400}})
        if not body.get("stream"):
            await asyncio.sleep(act.whole_delay_s)
            while self._stuck:  # noqa: ASYNC110 - a signal sets it
                await asyncio.sleep(0.05)
            await self._note(prompt_tokens=31, output_tokens=1)
            return send(writer, 200, {"choices": [{"message": {"content": "Hello"}}], "usage": usage(31, 1)})
        await self._note(running=1)
        gone = asyncio.ensure_future(reader.read())
        telling = asyncio.ensure_future(self._tell(body, writer))
        try:
            await asyncio.wait({gone, telling}, return_when=asyncio.FIRST_COMPLETED)
            if telling.done():
                telling.result()
                await self._note(finished=1)
            else:
                await self._note(cancelled=1)
        finally:
            for task in (gone, telling):
                task.cancel()
            await asyncio.gather(gone, telling, return_exceptions=True)
            await self._note(running=-1)

    async def _tell(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> None:
        act = self.behaviour
        prompt = sum(len(str(one["content"]).split()) for one in body["messages"])
        await asyncio.sleep(act.first_delay_s)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        await self._note(prompt_tokens=prompt)
        script = pieces_left(act.words, body)
        words = script[: body["max_tokens"]]
        await self._chunk(writer, {"role": "assistant", "content": ""}, prompt, 0)
        for number, word in enumerate(words, 1):
            await asyncio.sleep(act.token_delay_s)
            if number - 1 == act.die_after:
                return await die(act.die_how, writer)
            if number - 1 == act.error_after:
                return await self._send(writer, json.dumps({"error": {"message": "EngineCore died.", "code": 500}}))
            await self._note(output_tokens=1)
            reason = None if number < len(words) else "stop" if len(words) == len(script) else "length"
            await self._chunk(writer, {"content": word}, prompt, number, reason)
        for delta in act.calls:
            await self._chunk(writer, delta, prompt, len(words), "tool_calls")
        if act.die_after == len(words) + 1:  # every word is told, the last counts are not
            return await die(act.die_how, writer)
        last = {
            "usage": usage(prompt, len(words), cached=prompt // 2),
            "metrics": {"queue_time_ms": 1.5},
            "choices": [],
        }
        await self._send(writer, json.dumps(last))
        await self._send(writer, "[DONE]")
        return None

    async def _chunk(
        self, writer: asyncio.StreamWriter, delta: dict[str, Any], prompt: int, output: int, reason: str | None = None
    ) -> None:
        chunk: dict[str, Any] = {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}
        if self.behaviour.usage:
            chunk["usage"] = usage(prompt, output)
        await self._send(writer, json.dumps(chunk))

    async def _send(self, writer: asyncio.StreamWriter, data: str) -> None:
        end = self.behaviour.line_end
        comment = f": keep-alive{end}{end}" if self.behaviour.comments else ""
        raw = f"{comment}data: {data}{end}{end}".encode()
        size = self.behaviour.piece_bytes or len(raw)
        for at in range(0, len(raw), size):
            writer.write(raw[at : at + size])
            await writer.drain()
            await asyncio.sleep(0)

    def _sleep_state(self) -> str:
        label = f'engine="0",model_name="{self.model}",sleep_state="awake"'
        return f"# TYPE vllm:engine_sleep_state gauge\nvllm:engine_sleep_state{{{label}}} {float(not self._asleep)}\n"

    def metrics(self) -> str:
        now, label = self.counters, f'{{engine="0",model_name="{self.model}"}}'
        running = now.running + self._stuck
        return self._sleep_state() + "".join(
            f"# TYPE {name} {kind}\n{name}{label} {value}\n"
            for name, kind, value in (
                ("vllm:num_requests_running", "gauge", running),
                ("vllm:num_requests_waiting", "gauge", 0),
                ("vllm:kv_cache_usage_perc", "gauge", min(1.0, now.running / 32)),
                ("vllm:prompt_tokens_total", "counter", now.prompt_tokens),
                ("vllm:generation_tokens_total", "counter", now.output_tokens),
            )
        )


def pieces_left(words: tuple[str, ...], body: dict[str, Any]) -> tuple[str, ...]:
    """The pieces of the story that are to be told: of an answer that was begun, those after its beginning."""
    begun = body["messages"][-1]["content"] if body.get("continue_final_message") else ""
    pieces = [word[2:] if word.startswith("##") else f" {word}" for word in words]
    told, left = "", [pieces[0].lstrip(), *pieces[1:]] if pieces else []
    while left and begun.startswith(told + left[0]):
        told += left.pop(0)
    return tuple(left)


def usage(prompt: int, output: int, cached: int | None = None) -> dict[str, Any]:
    counted: dict[str, Any] = {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output}
    return counted if cached is None else counted | {"prompt_tokens_details": {"cached_tokens": cached}}


async def die(how: str, writer: asyncio.StreamWriter) -> None:
    if how == "exit":
        os._exit(9)
    await writer.drain()
    if how == "abort":
        writer.transport.abort()


def send(writer: asyncio.StreamWriter, status: int, body: object, extra: dict[str, str] | None = None) -> None:
    raw = (body if isinstance(body, str) else json.dumps(body)).encode()
    kind = "text/plain; version=0.0.4" if isinstance(body, str) else "application/json"
    lines = {"Content-Type": kind, "Content-Length": str(len(raw)), "Connection": "close"} | (extra or {})
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    writer.write(f"HTTP/1.1 {status} Status\r\n{head}\r\n".encode() + raw)


def start_worker() -> None:
    subprocess.Popen([sys.executable, "-c", WORKER, "VLLM::EngineCore"])


async def serve(port: int, model: str, behaviour: Behaviour) -> None:
    ending = asyncio.Event()
    ignored = (lambda: None) if behaviour.ignore_term else ending.set
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ignored)
    for line in behaviour.log:
        print(line, flush=True)
    if behaviour.with_worker:  # like VLLM::EngineCore: in the server's group, alive when the server is killed
        start_worker()
    if behaviour.exit_at_start is not None:
        os._exit(behaviour.exit_at_start)
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(ending.wait(), behaviour.start_delay_s)
    if not ending.is_set():
        async with FakeVllm(behaviour, model, port) as fake:
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, fake.lose_the_core)
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR2, fake.get_stuck)
            print(f"{time.strftime('%X')} Application startup complete.", flush=True)
            await ending.wait()
    os.killpg(0, signal.SIGKILL) if behaviour.with_worker else None


def main() -> None:
    flags = argparse.ArgumentParser()
    flags.add_argument("--port", type=int, required=True)
    flags.add_argument("--served-model-name", default="fake-model")
    known, _ = flags.parse_known_args()
    raw: dict[str, Any] = json.loads(os.environ.get("FAKE_VLLM", "{}"))
    values: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in raw.items()}
    asyncio.run(serve(known.port, known.served_model_name, Behaviour(**values)))


if __name__ == "__main__":
    main()
