"""A model hub over real HTTP: files of one model, a token, and files that lie on another host."""

from __future__ import annotations

import json
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@dataclass
class FakeHub:
    """`sends_on_to`: the address of a hub that files are fetched from. `tokens` are those that it was shown."""

    files: dict[str, str]
    token: str | None = None
    sends_on_to: str = ""
    parameters: int | None = None
    tokens: list[str | None] = field(default_factory=list[str | None])

    def answer(self, path: str, token: str | None) -> tuple[int, dict[str, str], bytes]:
        self.tokens.append(token)
        if self.token and token != f"Bearer {self.token}":
            return 401, {}, b""
        name = path.rpartition("/")[2]
        if path.startswith("/api/"):
            return 200, {}, json.dumps({"safetensors": {"total": self.parameters}} if self.parameters else {}).encode()
        if self.sends_on_to and name == "config.json":
            return 302, {"Location": f"{self.sends_on_to}/meta/llama/resolve/main/{name}"}, b""
        if not path.startswith("/meta/llama/") or name not in self.files:
            return 404, {}, b""
        return 200, {}, self.files[name].encode()


@asynccontextmanager
async def serving(hub: FakeHub) -> AsyncIterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, headers, body = hub.answer(self.path, self.headers.get("Authorization"))
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)
