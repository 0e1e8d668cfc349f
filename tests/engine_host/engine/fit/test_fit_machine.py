"""What is free now is read from nvidia-smi and from the machine, with the programs that hold the rest."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from engine_host.engine import fit_machine
from engine_host.engine.fit_lengths import ENOUGH, conversation_of
from engine_host.engine.fit_machine import cached_in, gpus_from, has_fp8_cache, read_devices, read_memory
from engine_host.engine.fit_question import Device, Holder
from engine_host.engine.fit_reserve import Conversation, default_conversation

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MIB = 2**20
GPUS = ["GPU-1, NVIDIA L4, 23034, 11034", "GPU-2, NVIDIA L4, 23034, 22900", "GPU-3, MIG device, [N/A], [N/A]"]
PROGRAMS = ["GPU-1, 71, /opt/venv/bin/python, 11500", "GPU-1, 9, Xorg, 90", "GPU-1, 12, [Not Found], [N/A]"]


def test_that_gpus_and_their_programs_are_read_from_nvidia_smi() -> None:
    first, second = gpus_from(GPUS, PROGRAMS)
    assert first == Device("NVIDIA L4", 23034 * MIB, 11034 * MIB, (Holder("python", 71, 11500 * MIB),))
    assert second == Device("NVIDIA L4", 23034 * MIB, 22900 * MIB)
    replaced, _ = gpus_from(GPUS, PROGRAMS, frozenset({71}))
    assert (replaced.free, replaced.holders) == (22534 * MIB, ())


async def test_that_a_machine_without_nvidia_smi_has_no_gpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert await read_devices(on_gpu=True) == ()


async def test_that_a_nvidia_smi_of_the_path_is_asked(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: Callable[[Path, str], Path]
) -> None:
    answers = "echo 'GPU-1, NVIDIA L4, 23034, 11034'"
    script(tmp_path / "nvidia-smi", f'case "$1" in *query-gpu*) {answers};; *) echo "GPU-1, 71, python, 11500";; esac')
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    (gpu,) = await read_devices(on_gpu=True)
    assert (gpu.name, gpu.free, gpu.holders[0].pid) == ("NVIDIA L4", 11034 * MIB, 71)


@pytest.fixture
def script() -> Callable[[Path, str], Path]:
    def make(path: Path, text: str) -> Path:
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)
        return path

    return make


async def test_that_memory_names_large_programs_and_no_small_ones() -> None:
    (device,) = await read_devices(on_gpu=False)
    assert 0 < device.free <= device.total
    assert all(holder.size >= fit_machine.LARGE for holder in device.holders)


def test_that_the_limit_of_a_container_counts_and_its_caches_are_free(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "memory.max").write_text(f"{100 * MIB}\n")
    (tmp_path / "memory.current").write_text(f"{80 * MIB}\n")
    (tmp_path / "memory.stat").write_text(f"anon 7\ninactive_file {20 * MIB}\nactive_file {5 * MIB}\n")
    monkeypatch.setattr(fit_machine, "_CGROUP", tmp_path)
    device = read_memory()
    assert (device.total, device.free) == (100 * MIB, 45 * MIB)
    (tmp_path / "memory.max").write_text("max\n")
    assert read_memory().total > 100 * MIB
    assert cached_in("") == 0


@pytest.mark.parametrize(("flags", "able"), [("flags : fpu avx2", False), ("flags : avx2 avx512f", True)])
def test_that_a_processor_keeps_8_bits_only_with_avx_512_or_amx(
    flags: str, able: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cpuinfo").write_text(flags)
    monkeypatch.setattr(fit_machine, "_CPU_FLAGS", tmp_path / "cpuinfo")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    assert has_fp8_cache(on_gpu=False) is able
    assert has_fp8_cache(on_gpu=True)


def test_that_conversations_are_as_long_as_turns_were_once_there_are_enough() -> None:
    assert conversation_of([5000] * (ENOUGH - 1)) == default_conversation()
    assert conversation_of([]).turns == 0
    assert conversation_of(range(1, 101)) == Conversation(50, 95, 100)
