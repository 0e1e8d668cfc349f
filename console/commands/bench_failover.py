"""`dabba bench failover`: what a customer notices when the engine that answers is killed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "Two hosted engines with the bundled model. Questions of the sample kitchen go through the whole house, one after "
    "the other; when a random number of the answer's tokens has come, every process of the engine that writes is "
    "killed (SIGKILL to its group), and its session starts it again before the next question. The answer is held "
    "against the same turn without a death, at temperature 0, word by word: missing, repeated, and other ones at the "
    "same place; `other_released` are turns in which the customer read something else. A pause is the time from the "
    "last word of the dead engine to the first of the other. The engines calculate in 32 bits: in 16 bits a text "
    "that is read at once and one that was written word by word give figures so far apart that near ties between words "
    "fall otherwise, which is no fault of the move (`--dtype auto` shows it)."
)


def failover(
    times: Annotated[int, typer.Option(help="How many engines are killed; each takes half a minute.", min=1)] = 50,
    seed: Annotated[int, typer.Option(help="Of the moments at which they are killed.")] = 1,
    dtype: Annotated[str, typer.Option(help="The engines' numbers; in 16 bits near ties fall otherwise.")] = "float32",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Turns lost, words missing or repeated, and pauses, with engines killed in mid-answer."""
    from console.bench.failover.bench import run_failover_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    result = run_sentences(run_failover_bench(times, home_from_environment(), seed, dtype))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench failover", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
