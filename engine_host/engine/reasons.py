"""The last lines of a dead engine's log -> why it stopped and what to do. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 240
_ABOUT_KILL = ", which the system also does when memory runs out"


@dataclass(frozen=True, slots=True)
class Reason:
    """`why` is half a sentence without a full stop, `next_step` a whole one."""

    why: str
    next_step: str


_SMALLER_KV = "Choose a smaller KV space, or close other programs."
_KNOWN: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"Available memory on node \d+ \(([\d.]+)/[\d.]+ GiB\).*requested memory for kv \(([\d.]+) GiB\)"),
        r"\2 GiB of KV cache were asked for and \1 GiB of memory is free",
        _SMALLER_KV,
    ),
    (
        re.compile(r"max_model_len \((\d+)\) is greater than the derived .*?max_position_embeddings=(\d+)"),
        r"a context of \1 tokens was asked for and the model reads \2",
        "Choose a shorter context.",
    ),
    (
        re.compile(r"larger than the available KV|No available memory for the cache blocks|can be stored in KV cache"),
        "the KV space cannot hold one request of the longest context",
        "Choose a shorter context or a larger KV space.",
    ),
    (
        re.compile(r"out of memory|OutOfMemoryError|Cannot allocate memory|MemoryError", re.IGNORECASE),
        "memory is missing",
        "Choose a smaller model, a shorter context or a smaller KV space.",
    ),
    (re.compile(r"No space left on device"), "the disk is full", "Free some space, then start it again."),
    (
        re.compile(r"[Aa]ddress already in use"),
        "its port was taken by another program",
        "Start it again: another port is chosen.",
    ),
    (
        re.compile(r"gated repo|GatedRepoError|401 Client Error|403 Client Error", re.IGNORECASE),
        "the hub does not give this model without an accepted licence",
        "Accept the model's licence on the hub and set HF_TOKEN.",
    ),
    (
        re.compile(r"LocalEntryNotFoundError|couldn't connect to 'https://huggingface|Failed to resolve 'huggingface"),
        "the model's hub cannot be reached",
        "Check the network, or choose the bundled model.",
    ),
    (
        re.compile(r"No module named '?([\w.]+)"),
        r"its Python lacks the package \1",
        "Install the engine runtime again, or name another Python in the settings.",
    ),
    (
        re.compile(r"Engine core initialization failed|EngineDeadError|died unexpectedly|EngineCore encountered"),
        "its worker process died",
        "Look at the log, then start it again.",
    ),
)  # fmt: skip
_ERROR_LINE = re.compile(r"^\s*(?:\([^)]*\)\s*)?(?:ERROR .*?\] )?((?:\w+\.)*\w*(?:Error|Exception)): (.+)$")
_USAGE = re.compile(r"error: (.+)$")


def reason_of(lines: Sequence[str], exit_status: int | None) -> Reason:
    """The first known cause among `lines`, most telling first; else the last error line; else how it ended.

    An engine that was killed by a signal had no time to write why.
    """
    if exit_status is not None and exit_status < 0:
        return Reason(_how_it_ended(exit_status), "Start it again.")
    for pattern, why, next_step in _KNOWN:
        for line in reversed(lines):
            if found := pattern.search(line):
                return Reason(found.expand(why), next_step)
    for line in reversed(lines):
        if said := (_ERROR_LINE.match(line) or _USAGE.search(line)):
            return Reason(f"it said “{said[said.lastindex or 0].strip().rstrip('.')[:_LONGEST]}”", "Look at the log.")
    return Reason(_how_it_ended(exit_status), "Look at the log, then start it again.")


def _how_it_ended(exit_status: int | None) -> str:
    if exit_status is None:
        return "its process is gone"
    if exit_status < 0:
        return f"it was killed by signal {-exit_status}" + _ABOUT_KILL * (exit_status == -9)
    return f"it ended by itself with exit status {exit_status}"
