"""One death of an engine: who is killed, at which moment, and what was seen of it afterwards."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
import uuid
from contextlib import aclosing
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine_host.client.errors import EngineError
from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest
from engine_host.engine.errors import EngineRoomError
from engine_host.engine.process import group_members
from engine_host.engine.run_file import read_run_file
from engine_host.engine.shared_memory import mapped_by
from engine_host.engine.state import EngineStatus

if TYPE_CHECKING:
    from engine_host.engine.session import EngineSession

STREAMS: Final = 4
SEEN_S: Final = 15.0
CLEARED_S: Final = 2.0
"""The shared memory of a group is removed once the group is seen to be gone."""
_TRIES: Final = 3
_LONG_WORDS: Final = 3000
_INTO_IT_S: Final = {"prefill": 0.5, "decode": 0.3}
"""Reading one of the long prompts takes some seconds, so after half a second the engine is in the midst of it."""
_ANSWER_TOKENS: Final = 1000


class BenchSpoilt(EngineRoomError):
    """What was to be measured did not come about."""


class Victim(StrEnum):
    SERVER = "server"
    CORE = "core"
    WORKER = "worker"


class Moment(StrEnum):
    IDLE = "idle"
    PREFILL = "prefill"
    DECODE = "decode"


@dataclass(frozen=True, slots=True)
class Death:
    """Seconds since the kill; None = not within 15 s. `left` counts processes, and its files 2 s later."""

    victim: Victim
    moment: Moment
    state_s: float | None
    streams_s: float | None
    gone_s: float | None
    left: int
    reason: str


def pid_of(session: EngineSession, victim: Victim) -> int:
    """Raises LookupError when the engine has no such process."""
    group = session.state.value.process_group or 0
    if victim is Victim.SERVER:
        return group
    title = "VLLM::EngineCore" if victim is Victim.CORE else "VLLM::Worker"
    return next(one.pid for one in group_members(group) if any(title in word for word in one.cmdline()))


async def kill_at(session: EngineSession, victim: Victim, moment: Moment) -> Death:
    """Kill one process of a READY engine at `moment`; returns when nothing more can be learned of it.

    A moment that was missed is waited for again. Raises BenchSpoilt when it was missed three times.
    """
    for _ in range(_TRIES - 1):
        try:
            return await _kill_at(session, victim, moment)
        except BenchSpoilt as error:
            print(f"  tried again: {error}", file=sys.stderr)
    return await _kill_at(session, victim, moment)


async def _kill_at(session: EngineSession, victim: Victim, moment: Moment) -> Death:
    group = session.state.value.process_group or 0
    files = mapped_by(group_members(group)) | _sockets(session)
    failed = asyncio.Event()
    unwatch = session.state.watch(lambda now: failed.set() if now.status is EngineStatus.FAILED else None)
    try:
        streams = await _at(session, moment)
    except BenchSpoilt:
        unwatch()
        raise
    began = time.monotonic()
    os.kill(pid_of(session, victim), signal.SIGKILL)
    state_s = await _within(failed.wait(), began)
    streams_s = await _within(asyncio.wait(streams), began) if streams else 0.0
    gone_s = await _within(_empty(group), began)
    unwatch()
    await _leave(streams)
    await _within(_cleared(files), time.monotonic(), CLEARED_S)
    left = len(group_members(group)) + sum(file.exists() for file in files)
    return Death(victim, moment, state_s, streams_s, gone_s, left, session.state.value.reason)


async def _at(session: EngineSession, moment: Moment) -> list[asyncio.Task[str]]:
    """The streams that are under way then. Raises BenchSpoilt when they have gone past it or ended before."""
    if moment is Moment.IDLE:
        return []
    telling = asyncio.Event()
    prompt = _long_prompt if moment is Moment.PREFILL else lambda: "Tell me a very long story."
    streams = [asyncio.create_task(_read(session, prompt(), telling)) for _ in range(STREAMS)]
    while moment is Moment.DECODE and not telling.is_set() and not all(one.done() for one in streams):  # noqa: ASYNC110
        await asyncio.sleep(0.02)
    await asyncio.sleep(_INTO_IT_S[moment.value])
    spoilt = ""
    if all(one.done() for one in streams):
        spoilt = f"No stream was under way when the engine was to be killed: {_why(streams)}."
    elif moment is Moment.PREFILL and telling.is_set():
        spoilt = "The engine wrote already when it was to be killed in its prefill: the prompt was too short."
    if spoilt:
        await _leave(streams)
        raise BenchSpoilt(spoilt)
    return streams


async def _leave(streams: list[asyncio.Task[str]]) -> None:
    for one in streams:
        one.cancel()
    await asyncio.gather(*streams, return_exceptions=True)


def _why(streams: list[asyncio.Task[str]]) -> str:
    return next((one.result() for one in streams if one.result()), "they had ended")


async def _read(session: EngineSession, prompt: str, telling: asyncio.Event) -> str:
    """Why it broke off, "" when it came to its end."""
    client = session.client
    if client is None:
        return "there is no engine"
    request = ChatRequest(session.state.value.model, (ChatMessage("user", prompt),), max_tokens=_ANSWER_TOKENS)
    try:
        async with aclosing(client.stream(request)) as stream:
            async for event in stream:
                if isinstance(event, ChatDelta):
                    telling.set()
    except EngineError as error:
        return str(error).rstrip(".")
    return ""


def _long_prompt() -> str:
    """No two share a prefix, so that each is read anew."""
    return " ".join([uuid.uuid4().hex, *["lunch"] * _LONG_WORDS])


async def _empty(group: int) -> None:
    while group_members(group):  # noqa: ASYNC110 - processes that are no children have no event
        await asyncio.sleep(0.05)


def _sockets(session: EngineSession) -> set[Path]:
    """The folder of the engine's own sockets."""
    known = read_run_file(session.run_file)
    return {Path(known.sockets)} if known and known.sockets else set()


async def _cleared(files: set[Path]) -> None:
    while any(file.exists() for file in files):  # noqa: ASYNC110 - files have no event
        await asyncio.sleep(0.05)


async def _within(waiting: object, began: float, limit_s: float = SEEN_S) -> float | None:
    try:
        await asyncio.wait_for(waiting, limit_s)  # type: ignore[arg-type]
    except TimeoutError:
        return None
    return time.monotonic() - began
