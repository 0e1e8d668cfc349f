"""`python -m engine_host.orders.demo --data FOLDER [--port N]`: the demo order system as a process of its own.

Writes one line `{"port": N}` to stdout when it takes questions, its log to stderr; ends on SIGTERM or Ctrl+C.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import signal
import sys
from pathlib import Path

from engine_host.orders.demo.server import serve
from engine_host.orders.errors import OrderSystemError


class _EndOfInput(asyncio.Protocol):
    """The starter holds the other end of stdin: when it closes or dies, this process has no reason to go on."""

    def __init__(self, until: asyncio.Event) -> None:
        self._until = until

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._until.set()


async def _serve(options: argparse.Namespace) -> None:
    loop, until = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, until.set)
    if options.until_stdin_closes:
        await loop.connect_read_pipe(lambda: _EndOfInput(until), sys.stdin)
    await serve(options.data, options.port, until, _say_ready)


def _say_ready(port: int) -> None:
    sys.stdout.write(json.dumps({"port": port}) + "\n")
    sys.stdout.flush()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m engine_host.orders.demo", description="The demo order system.")
    parser.add_argument("--data", type=Path, required=True, help="folder of its data")
    parser.add_argument("--port", type=int, default=0, help="0: the last one, or any free one")
    parser.add_argument("--until-stdin-closes", action="store_true", help="end when the starter does")
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    try:
        asyncio.run(_serve(parser.parse_args()))
    except OrderSystemError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
