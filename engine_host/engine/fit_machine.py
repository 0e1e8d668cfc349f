"""What memory is free now, on GPUs and in the machine, and which programs hold the rest."""

from __future__ import annotations

import asyncio
import platform
from pathlib import Path
from typing import TYPE_CHECKING, Final

import psutil

from engine_host.engine.children import run_lines
from engine_host.engine.fit_question import Device, Holder
from storage.worker import run_once

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MIB = 2**20
LARGE: Final = 256 * MIB
"""A program that holds less is not named: its end would help nobody."""

_NVIDIA_LIMIT_S = 5.0
_GPUS = "--query-gpu=uuid,name,memory.total,memory.free"
_PROGRAMS = "--query-compute-apps=gpu_uuid,pid,process_name,used_memory"
_CGROUP = Path("/sys/fs/cgroup")
_CPU_FLAGS = Path("/proc/cpuinfo")


async def read_devices(*, on_gpu: bool, without: frozenset[int] = frozenset()) -> tuple[Device, ...]:
    """GPUs in the order that CUDA counts them, or the memory of the machine; empty when no GPU answers.

    `without`: processes whose memory counts as free, such as those of the engine that is to be replaced.
    """
    if not on_gpu:
        return (await run_once("memory", read_memory, without),)
    gpus, programs = await asyncio.gather(_nvidia(_GPUS), _nvidia(_PROGRAMS))
    return gpus_from(gpus, programs, without)


def read_memory(without: frozenset[int] = frozenset()) -> Device:
    """The machine's memory, or the part of it that this container may use."""
    told = psutil.virtual_memory()
    total, free = told.total, told.available
    limit, used = _number(_CGROUP / "memory.max"), _number(_CGROUP / "memory.current")
    if limit is not None and used is not None and limit < total:
        reclaimable = cached_in(_text(_CGROUP / "memory.stat"))
        total, free = limit, min(free, limit - used + reclaimable)
    holders = tuple(_holders())
    ours = sum(one.size for one in holders if one.pid in without)
    others = tuple(one for one in holders if one.pid not in without and one.size >= LARGE)
    return Device("the memory of this machine", total, min(total, free + ours), others)


def gpus_from(
    gpus: Sequence[str], programs: Sequence[str], without: frozenset[int] = frozenset()
) -> tuple[Device, ...]:
    """Lines of nvidia-smi -> devices. A GPU that does not say its memory is left out; a shared one (MIG) says less."""
    held: dict[str, list[Holder]] = {}
    for uuid, pid, name, size in _cells(programs, 4):
        if pid.isdecimal() and size.isdecimal():
            held.setdefault(uuid, []).append(Holder(Path(name).name, int(pid), int(size) * MIB))
    devices: list[Device] = []
    for uuid, name, total, free in _cells(gpus, 4):
        if total.isdecimal() and free.isdecimal():
            holders = sorted(held.get(uuid, []), key=lambda one: one.size, reverse=True)
            ours = sum(one.size for one in holders if one.pid in without)
            others = tuple(one for one in holders if one.pid not in without and one.size >= LARGE)
            devices.append(Device(name, int(total) * MIB, min(int(total), int(free)) * MIB + ours, others))
    return tuple(devices)


def has_fp8_cache(*, on_gpu: bool) -> bool:
    """Whether vLLM can keep its KV cache in 8 bits here: on CPUs its kernels need AVX-512 or AMX."""
    if on_gpu:
        return True
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    flags = _text(_CPU_FLAGS).split()
    return "avx512f" in flags or "amx_tile" in flags


def cached_in(memory_stat: str) -> int:
    """Bytes of a container's memory that the kernel gives back when they are wanted."""
    told = dict(line.split() for line in memory_stat.splitlines() if len(line.split()) == 2)
    return sum(int(told.get(name, 0)) for name in ("inactive_file", "active_file", "slab_reclaimable"))


def _holders() -> Iterable[Holder]:
    """Every program with the memory that is its own alone, the largest first; not this one, nor what it runs in."""
    found: list[Holder] = []
    here = psutil.Process()
    ours = {here.pid, *(parent.pid for parent in here.parents())}
    for process in psutil.process_iter(("pid", "name", "memory_info")):
        told = process.info["memory_info"]
        if told is not None and process.info["pid"] not in ours:
            found.append(Holder(process.info["name"] or "", process.info["pid"], told.rss - getattr(told, "shared", 0)))
    return sorted(found, key=lambda one: one.size, reverse=True)


async def _nvidia(query: str) -> list[str]:
    """What nvidia-smi prints; nothing when it is not there, fails, or does not answer in time."""
    argv = ["nvidia-smi", query, "--format=csv,noheader,nounits"]
    lines: list[str] = []
    try:
        async with asyncio.timeout(_NVIDIA_LIMIT_S):
            done = await run_lines(argv, lines.append)
    except (OSError, TimeoutError):
        return []
    return lines if done.returncode == 0 else []


def _cells(lines: Sequence[str], count: int) -> Iterable[list[str]]:
    for line in lines:
        cells = [cell.strip() for cell in line.split(",")]
        if len(cells) == count:
            yield cells


def _number(path: Path) -> int | None:
    text = _text(path).strip()
    return int(text) if text.isdecimal() else None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
