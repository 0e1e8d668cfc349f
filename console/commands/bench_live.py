"""`dabba bench live`: what the Live page costs while it is open."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ABOUT = (
    "Three engines in a process of their own: real HTTP servers with vLLM's /metrics page (its names and buckets, "
    "about 50 KB) under a moving load of 1 request a second each, 10 tenants, and an hour of 10,000 turns in the "
    "ledger. The console is another process: its real rooms, and the real Live page in its window, offscreen, 1440 x "
    "900. `cpu_share` is its process time over the first half, of one core; memory growth is the slope of the second "
    "(the page fills its hour of samples meanwhile); a stall is how late the GUI thread comes to a timer that it sets "
    "each 5 ms in that half. "
    "A scrape is fetched, parsed and kept, with its share of the writing. The past is a history of 30 days of 3 "
    "engines whose every figure moves: the longest of 5 openings of 24 h, ready to be drawn, and what the database "
    "grew by."
)


def live(
    minutes: Annotated[float, typer.Option(help="How long the page is measured.", min=0.2)] = 30,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """CPU, memory and stalls with the Live page open; a scrape's cost; how fast the past opens and what it takes."""
    from console.bench.live.bench import run_live_bench
    from console.bench.report import to_json, to_text

    result = run_live_bench(minutes)
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench live", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
