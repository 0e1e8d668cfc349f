"""`dabba bench`: speed and smoothness, measured; exit 0 only when every target holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands.bench_attached import attached
from console.commands.bench_canaries import canaries
from console.commands.bench_engine_kills import engine_kills
from console.commands.bench_failover import failover
from console.commands.bench_fit import fit
from console.commands.bench_gate import gate
from console.commands.bench_help import help_questions
from console.commands.bench_ingest import ingest
from console.commands.bench_live import live
from console.commands.bench_order_truth import order_truth
from console.commands.bench_other_customers import other_customers
from console.commands.bench_retrieve import retrieve
from console.commands.bench_route import route
from console.commands.bench_why import why

app = typer.Typer(help="Measure the program; figures and targets in one object.", no_args_is_help=True)

BRIDGE = (
    "The real window, offscreen: 32 streams of 50 tokens a second into transcripts while 12 charts move at 10 Hz. "
    "A stall is how late the GUI thread comes to a timer that it set; the warm start is from the start of a process to "
    "the console's first painted window, median of 5; exits are windows closed at random moments of such work."
)


@app.callback()
def benches() -> None:
    """Each bench prints {bench, version, machine, figures, targets, holds, ok}."""


@app.command()
def bridge(
    seconds: Annotated[float, typer.Option(help="How long the load is measured.", min=1)] = 60,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """GUI stalls under 32 streams and 12 plots, warm start, clean exits."""
    from console.bench.bridge import run_bridge_bench
    from console.bench.report import to_json, to_text

    result = run_bridge_bench(seconds)
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench bridge", BRIDGE)
    if not result.ok:
        raise typer.Exit(1)


app.command("engine-kills")(engine_kills)
app.command("failover")(failover)
app.command("live")(live)
app.command("why")(why)
app.command("attached")(attached)
app.command("order-truth")(order_truth)
app.command("help")(help_questions)
app.command("other-customers")(other_customers)
app.command("gate")(gate)
app.command("fit")(fit)
app.command("route")(route)
app.command("retrieve")(retrieve)
app.command("ingest")(ingest)
app.command("canaries")(canaries)
