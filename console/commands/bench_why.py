"""`dabba bench why`: whether "Why slow?" names what made a turn slow."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "A real vLLM with the bundled model, hosted as always, with 64 KV blocks and a batch of 8, in a house of its own "
    "that goes on with a usual day: two tenants ask one question after the other, every fourth about an order. Ten "
    "things then go wrong, one after the other, in an order by chance: long letters fill the KV cache; one long letter "
    "is asked; a tenant asks for the first time, so that nothing of its prompt is cached; the order system is stopped "
    "by SIGSTOP for 0.9 to 2.4 s; 14 to 18 questions of both tenants come at once; the engine core is stopped for 3.5 "
    "to 6 s; one tenant asks 20 to 28 questions at once; the answer is one long sentence; an asker takes 1.5 to 4 s to "
    "read; and, with a second engine there, the one that writes is killed. One turn that was slow by each is put to "
    "the code behind the Live page’s “Why slow?”, which knows the ledger, the engine’s samples of each second and "
    "its events, and nothing of this bench. `named_share` is how many causes it named as they were planted."
)


def why(
    times: Annotated[
        int, typer.Option(help="Houses in which every incident happens once; each takes minutes.", min=1)
    ] = 1,
    seed: Annotated[int, typer.Option(help="Of the first house: other questions, moments and sizes.")] = 1,
    cause: Annotated[list[str] | None, typer.Option(help="Only this one, such as kv_full; may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Ten incidents at a real engine: how many of their causes "Why slow?" names."""
    from console.bench.report import to_json, to_text
    from console.bench.why.bench import run_why_bench
    from console.bench.why.figures import key_of
    from console.bench.why.incidents import INCIDENTS
    from storage.paths import home_from_environment

    known = {key_of(one): one for one in INCIDENTS}
    if unknown := [name for name in cause or () if name not in known]:
        raise typer.BadParameter(f"{unknown[0]!r} is no cause. Name one of {', '.join(known)}.", param_hint="--cause")
    causes = [known[name] for name in cause or known]
    result = run_sentences(run_why_bench(home_from_environment(), times, seed, causes))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench why", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
