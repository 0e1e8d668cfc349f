"""`dabba bench route`: are questions for an order recognised, and are others left alone?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ABOUT = (
    "Labelled questions routed as in a turn, by code alone: recall is the share of questions for an own order that "
    "were looked up, precision the share of look-ups that were asked for, false alarms the share of other questions "
    "that cost a look-up. Our own sets are tests/data/route; public ones are read from a folder. Held-out halves: no "
    "rule, example or weight was made from them; the unseen sets were written by others once the route was done, and "
    "changed nothing. Questions for a change of an order are told apart and not counted."
)


def route(
    data: Annotated[Path | None, typer.Option(help="A folder of public sets, such as ../shared/data.")] = None,
    dev: Annotated[bool, typer.Option("--dev", help="Measure the halves that rules were written from.")] = False,
    fit: Annotated[Path | None, typer.Option(help="Fit weights to examples and dev halves; put them here.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Recall and precision of the route, by language and set."""
    import asyncio

    from console.bench.report import to_json, to_text
    from console.bench.route.fit import write_weights
    from console.bench.route.run import new_weights, run_route_bench
    from storage.paths import home_from_environment

    home = home_from_environment()
    if fit is not None:
        write_weights(fit, asyncio.run(new_weights(home, data)))
    result = asyncio.run(run_route_bench(home, data, "dev" if dev else "heldout"))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench route", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
