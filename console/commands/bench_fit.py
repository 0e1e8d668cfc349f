"""`dabba bench fit`: does the estimate of the KV cache agree with what a real engine reports?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ABOUT = (
    "Every model family that is known here, with five things that its config.json may say: layers, KV heads, head size "
    "and windows as vLLM's own code reads them, and caches of random sizes as it divides them; `differ` counts both. "
    "Then the bundled model started with KV caches of 0.25, 0.5 and 1 GiB, with numbers of 16 and of 8 bits, at "
    "contexts of 3,000, 4,096 and 8,192 tokens: tokens and blocks that fit expected, against what "
    "`vllm:cache_config_info` said. Last, the smallest cache that fit says a request of 8,192 tokens needs must start, "
    "and one block less must be refused. `processes` is the memory that is vLLM's alone when it is ready, without "
    "weights and KV cache."
)


def fit(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Start the real engine eight times, three at once; hold its KV cache against the estimate. Takes four minutes."""
    from console.bench.fit.run import run_fit_bench
    from console.bench.report import to_json, to_text
    from console.commands.output import run
    from storage.paths import home_from_environment

    result = run(run_fit_bench(home_from_environment()))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench fit", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
