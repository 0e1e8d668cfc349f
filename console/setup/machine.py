"""What this machine offers: processor, memory, disk, GPU, package index, display. Read in about a second."""

from __future__ import annotations

import asyncio
import os
import platform
import shutil
import socket
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import httpx
import psutil

from engine_host.engine.children import run_lines
from engine_host.http import client_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.paths import Home

NO_GPU: Final = "none found, the CPU runtime is used"
PYPI: Final = "https://pypi.org/simple"
_LIMIT_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Processor:
    """`cores` are those that this process may use. `avx2` None = not an x86 processor, or not known."""

    name: str
    arch: str
    cores: int
    avx2: bool | None


@dataclass(frozen=True, slots=True)
class PackageIndex:
    """`url` is where pip looks first, without user and password; `reason` says why it did not answer."""

    url: str
    reachable: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """Sizes are in bytes; `disk_free` is on the disk of the home folder. `gpus` are nvidia-smi's lines, if any.

    `display` names what a window would open on; None = there is none, the program runs offscreen.
    """

    system: str
    processor: Processor
    memory_total: int
    memory_free: int
    disk_free: int
    gpus: tuple[str, ...]
    index: PackageIndex
    loopback: bool
    display: str | None

    @property
    def gpu_text(self) -> str:
        return ", ".join(self.gpus) or NO_GPU


async def read_machine(home: Home) -> Machine:
    """Everything at once; what does not answer within 2 s counts as not there."""
    gpus, index = await asyncio.gather(read_gpus(), _package_index())
    memory = psutil.virtual_memory()
    return Machine(
        system=f"{platform.system()} {platform.release()}",
        processor=_processor(),
        memory_total=memory.total,
        memory_free=memory.available,
        disk_free=disk_free(home.root),
        gpus=gpus,
        index=index,
        loopback=_can_listen(),
        display=display_of(os.environ),
    )


def disk_free(folder: Path) -> int:
    """Free bytes on the disk where `folder` is or will be."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    return shutil.disk_usage(there).free


def display_of(environment: Mapping[str, str], system: str = sys.platform) -> str | None:
    """What Qt opens a window on, in the order in which it looks."""
    if chosen := environment.get("QT_QPA_PLATFORM", "").split(":")[0]:
        return None if chosen in ("offscreen", "minimal") else chosen
    if system in ("darwin", "win32"):
        return system
    if wayland := environment.get("WAYLAND_DISPLAY"):
        return f"Wayland {wayland}"
    return f"X11 {environment['DISPLAY']}" if environment.get("DISPLAY") else None


def _processor() -> Processor:
    arch = platform.machine()
    name, flags = _cpu_info(Path("/proc/cpuinfo"))
    avx2 = "avx2" in flags if flags and arch in ("x86_64", "AMD64") else None
    return Processor(name or platform.processor() or arch, arch, _usable_cores(), avx2)


def _usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _cpu_info(file: Path) -> tuple[str, frozenset[str]]:
    try:
        lines = [line.partition(":") for line in file.read_text(encoding="utf-8").splitlines()]
    except OSError:
        return "", frozenset()
    told = {key.strip(): value.strip() for key, _, value in reversed(lines)}
    return told.get("model name", ""), frozenset(told.get("flags", "").split())


def _can_listen() -> bool:
    try:
        with socket.create_server(("127.0.0.1", 0)):
            return True
    except OSError:
        return False


async def read_gpus() -> tuple[str, ...]:
    """One line of nvidia-smi for each GPU: name, memory, driver."""
    if shutil.which("nvidia-smi") is None:
        return ()
    asked = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    lines = await _lines_of(asked)
    return tuple(line.strip() for line in lines if line.count(",") == 2)


async def _package_index() -> PackageIndex:
    url = os.environ.get("PIP_INDEX_URL") or await _pip_index() or PYPI
    shown = httpx.URL(url).copy_with(userinfo=b"")
    reason = await answers(f"{url.rstrip('/')}/pip/")
    return PackageIndex(str(shown), reason is None, reason or "")


async def answers(url: str) -> str | None:
    """None when a server answers within 2 s, whatever it says; else why not, as half a sentence."""
    try:
        async with asyncio.timeout(_LIMIT_S), client_for(url, timeout_s=_LIMIT_S) as client:
            await client.head("")
    except (TimeoutError, httpx.TimeoutException):
        return f"nothing came within {_LIMIT_S:.0f} s"
    except httpx.HTTPError as error:
        return str(error).rstrip(".") or "the connection was cut"
    return None


async def _pip_index() -> str:
    """What pip's own files name as the index; "" when they name none."""
    lines = await _lines_of([sys.executable, "-I", "-m", "pip", "config", "get", "global.index-url"])
    return next((line.strip() for line in lines if line.startswith(("http://", "https://"))), "")


async def _lines_of(argv: list[str]) -> list[str]:
    lines: list[str] = []
    try:
        async with asyncio.timeout(_LIMIT_S):
            done = await run_lines(argv, lines.append)
    except (TimeoutError, OSError):
        return []
    return lines if done.returncode == 0 else []
