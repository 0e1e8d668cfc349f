"""`dabba bench engine-kills`: what is seen, and what is left, when a process of the engine dies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from console.bench.engine_kills.killing import Moment, Victim
from console.commands.output import run as run_sentences

if TYPE_CHECKING:
    from console.bench.engine_kills.bench import Wanted

ABOUT = "A real vLLM with the bundled model, hosted as always, in a home of its own."
KILLS = (
    "The API server, the engine core and the worker are killed by SIGKILL at rest, while a prompt of some 3,000 words "
    "is read, and in mid-answer of four streams; measured is when the state says so, when the last stream ends, what "
    "processes and files (shared memory, sockets) are left, and whether the next start succeeds the first time."
)
STOPPED = "The core is stopped by SIGSTOP once."
OWNER = "A program that hosts an engine is killed: the engine ends, or is taken back where it was to keep running."
STREAMS = "Streams are left after their first words: KV use, open connections and memory before and after."


def engine_kills(
    times: Annotated[int, typer.Option(help="Kills of each process at each moment; a kill takes a start.", min=0)] = 1,
    victim: Annotated[list[Victim] | None, typer.Option(help="Only this process; may be repeated.")] = None,
    moment: Annotated[list[Moment] | None, typer.Option(help="Only at this moment; may be repeated.")] = None,
    streams: Annotated[int, typer.Option(help="Streams that are begun and left.", min=0)] = 1000,
    engines: Annotated[int, typer.Option(help="Engines that share these kills, side by side.", min=1)] = 1,
    stop_core: Annotated[bool, typer.Option(help="Also stop the core by SIGSTOP.")] = True,
    kill_owner: Annotated[bool, typer.Option(help="Also kill the program that hosts one.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Deaths of the engine's processes: state, streams, what is left, the next start; and streams that are left."""
    from console.bench.engine_kills.bench import Wanted, run_engine_kills_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    victims, moments = tuple(victim or Victim), tuple(moment or Moment)
    wanted = Wanted(times, engines, victims, moments, streams, stop_core, kill_owner)
    result = run_sentences(run_engine_kills_bench(wanted, home_from_environment()))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, f"dabba bench {result.bench}", about(wanted))
    if not result.ok:
        raise typer.Exit(1)


def about(wanted: Wanted) -> str:
    """What was measured, for a reader of the figures."""
    told = ((wanted.times, KILLS), (wanted.stop_core, STOPPED), (wanted.kill_owner, OWNER), (wanted.streams, STREAMS))
    return " ".join([ABOUT, *(sentence for measured, sentence in told if measured)])
