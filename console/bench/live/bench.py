"""`dabba bench live`: what the Live page costs while it is open, and how fast it opens the past.

The engines run in a process of their own, the console in another, so that the console's time is the console's alone.
"""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from console.bench.children import run_program
from console.bench.history import fill_history, kept_bytes, open_day_ms
from console.bench.live.figures import TARGETS, child_figures
from console.bench.report import BenchResult, judge
from storage.database import Database
from storage.paths import Home
from storage.settings import EngineSettings, MoreEngine, Settings, save_settings

if TYPE_CHECKING:
    from collections.abc import Generator

log = logging.getLogger(__name__)

ENGINES: Final = 3
TENANTS: Final = 10
OPENINGS: Final = 5
DAYS: Final = 30
MIB: Final = 2**20


def run_live_bench(minutes: float = 30, rounds: int = 60) -> BenchResult:
    """Measures for `minutes`, then `rounds` seconds of scrapes, then the history. Blocks."""
    with tempfile.TemporaryDirectory(prefix="dabba-live-") as folder:
        home = Home(Path(folder) / "home").make()
        with running_engines(home) as urls:
            more = tuple(MoreEngine(url=url) for url in urls[1:])
            save_settings(home, Settings(engine=EngineSettings(attach_url=urls[0], more=more)))
            seconds = minutes * 60
            arguments = (str(home.root), "--seconds", str(seconds), "--rounds", str(rounds))
            report = run_program("console.bench.live.program", *arguments, limit_s=seconds + 3 * rounds + 180)
        if not report.clean:
            log.error("The console's run was not clean: %s", report.complaint)
        figures = child_figures(report.facts) | asyncio.run(_history(Home(Path(folder) / "past").make()))
    return judge("live", figures, TARGETS)


@contextmanager
def running_engines(home: Home, engines: int = ENGINES, tenants: int = TENANTS) -> Generator[list[str]]:
    """Their addresses, once the home has its hour of turns."""
    command = (sys.executable, "-m", "console.bench.live.engines", str(home.root))
    counts = ("--engines", str(engines), "--tenants", str(tenants))
    process = subprocess.Popen((*command, *counts), text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
    try:
        told = process.stdout.readline() if process.stdout else ""
        if not told:
            raise RuntimeError(f"the engines of the bench did not start: exit status {process.wait()}")
        yield json.loads(told)["urls"]
    finally:
        process.communicate()


async def _history(home: Home) -> dict[str, float | None]:
    """The longest of some openings of 24 h of all engines, and what the database grew by in 30 days."""
    database = await Database.open(home)
    try:
        before = home.database_file.stat().st_size
        await fill_history(database, [f"engine {number}" for number in range(1, ENGINES + 1)], time.time(), days=DAYS)
        opened = [await open_day_ms(database) for _ in range(OPENINGS)]
        kept = await kept_bytes(database)
    finally:
        await database.close()
    grown = home.database_file.stat().st_size - before
    return {"open_24_h_ms": max(opened), "samples_30_days_mib": kept / MIB, "database_30_days_mib": grown / MIB}
