"""`dabba bench order-truth`: what customers see while the engine lies and the order system fails."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "Seeded conversations through the whole house: phrasing, language, order state and fault of the order system vary. "
    "A turn is judged by what the customer saw and by the order system's own history at that instant. The liar is an "
    "HTTP server that speaks vLLM's stream and says false things about orders, in disguise, among true help."
)


def order_truth(
    conversations: Annotated[int, typer.Option(help="How many.", min=1, max=11_000)] = 300,
    seed: Annotated[int, typer.Option(help="The same seed gives the same conversations.")] = 1,
    engine: Annotated[str, typer.Option(help="liar, embedded (the engine of this home), or a URL of a vLLM.")] = "liar",
    moves: Annotated[int, typer.Option(help="Instead: orders that move between look-up and sending.", min=0)] = 0,
    case: Annotated[int | None, typer.Option(help="Only this one, with its transcript on stderr.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """False order facts, missed answers, faults that end in "I do not know", help wrongly withheld."""
    from console.bench.order_truth.bench import Wanted, run_order_truth_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    wanted = Wanted(conversations, seed, engine, moves, case)
    result = run_sentences(run_order_truth_bench(wanted, home_from_environment()))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench order-truth", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
