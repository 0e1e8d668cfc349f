"""Looks at everything that can be wrong with this installation. Makes and changes nothing."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.setup.checks import engine, home, program, servers
from console.setup.kitchen import MARKER
from console.setup.lines import bytes_text
from console.setup.machine import Machine, read_machine
from storage.worker import Worker

if TYPE_CHECKING:
    from console.setup.checks.check import Check
    from storage.paths import Home
    from storage.settings import Settings


@dataclass(frozen=True, slots=True)
class Diagnosis:
    machine: Machine
    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        return all(check.ok for check in self.checks)


async def examine(of: Home) -> Diagnosis:
    """Every check, in the order in which they are shown. Takes 1 to 3 s and reads the models whole."""
    settings_check, settings = home.check_settings(of)
    worker = Worker("doctor")
    try:
        kept, runtime, qt, machine, orders = await asyncio.gather(
            worker.run(_files, of, settings),
            engine.check_runtime(of, settings),
            program.qt_checks(),
            read_machine(of),
            servers.check_orders(settings),
        )
    finally:
        await worker.aclose()
    if settings.knowledge.qdrant_url:
        kept.vectors = await servers.check_qdrant(settings.knowledge.qdrant_url)
    whole = all(check.ok for check in (runtime, kept.model, kept.embedding, kept.kitchen))
    return Diagnosis(
        machine,
        (
            *(program.check_python(), kept.packages, *qt),
            *(home.check_home(of), settings_check, kept.database, kept.vectors),
            *(runtime, kept.model, kept.embedding, kept.kitchen, kept.memory),
            *(engine.check_engine_process(of), engine.check_orders_process(of), orders),
            *(servers.check_ports(machine), servers.check_index(machine, whole)),
        ),
    )


@dataclass(slots=True)
class _Files:
    packages: Check
    database: Check
    vectors: Check
    model: Check
    embedding: Check
    kitchen: Check
    memory: Check


def _files(of: Home, settings: Settings) -> _Files:
    """The checks that read files, for the thread."""
    return _Files(
        packages=program.check_packages(),
        database=home.check_database(of, settings),
        vectors=home.check_vectors(of),
        model=engine.check_model(of, settings),
        embedding=engine.check_embedding(of),
        kitchen=home.check_kitchen(of, MARKER),
        memory=engine.check_memory(of, settings),
    )


def machine_lines(machine: Machine) -> tuple[tuple[str, str], ...]:
    """The machine as pairs of name and fact, for people."""
    processor = machine.processor
    features = {True: ", AVX2", False: ", no AVX2", None: ""}[processor.avx2]
    return (
        ("System", f"{machine.system}, {processor.arch}"),
        ("Processor", f"{processor.name}, {processor.cores} cores{features}"),
        ("Memory", f"{bytes_text(machine.memory_free)} of {bytes_text(machine.memory_total)} free"),
        ("Disk", f"{bytes_text(machine.disk_free)} free"),
        ("GPU", machine.gpu_text),
    )
