"""`dabba bench attached`: what watching an engine costs its answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "A real vLLM with the bundled model in a home of its own, which nobody watches: no health check, no reader of its "
    "metrics. A constant load (so many answers at a time, temperature 0, each written to its limit and begun anew) "
    "goes through stretches of equal length, whose answers begin with them; the moment of every token is noted by one "
    "clock. A round is three stretches in random order: one with the console (a process of its own: its real rooms, "
    "attached by address at 1 Hz, and the Live page open in its window, offscreen), two without it. The console is up "
    "and has settled before the load of its stretch begins, and is gone before the next. p50, p95 and mean of the "
    "inter-token latency are compared within each round. `difference` is the mean of (with / without - 1) over the "
    "rounds, `low` and `high` its 95 % confidence interval (Student's, by rounds), `p` a two-sided signed-rank test; "
    "`noise` is what 95 of 100 pairs of two stretches without the console stay within. The difference is within noise "
    "when no value that the interval leaves possible is larger, either way: `difference_in_noise` is the end of the "
    "interval that is farther from 0, as a share of the noise. Few pairs make a wide interval, so they can't hold by "
    "chance; and the noise has a limit of its own, so that a restless machine can't hold by it. `console_cpu_share` "
    "is what the console's process took of one core meanwhile."
)


def attached(
    pairs: Annotated[int, typer.Option(help="Rounds: a stretch with the console and two without.", min=2)] = 10,
    seconds: Annotated[float, typer.Option(help="How long each stretch is measured.", min=1)] = 20,
    streams: Annotated[int, typer.Option(help="Answers at a time.", min=1, max=32)] = 8,
    seed: Annotated[int, typer.Option(help="Of the order of the stretches.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Inter-token latency with the console attached and its Live page open, against none, in pairs."""
    from console.bench.attached.bench import Wanted, run_attached_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    wanted = Wanted(pairs, seconds, streams, seed)
    result = run_sentences(run_attached_bench(wanted, home_from_environment()))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench attached", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
