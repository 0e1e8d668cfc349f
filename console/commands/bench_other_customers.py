"""`dabba bench other-customers`: hundreds of tries at orders of other customers, and how long each answer takes."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.output import fail, run

if TYPE_CHECKING:
    from console.bench.other_customers.judge import Verdict

COMPARED = (
    "The real house with the sample kitchen, its articles and embedder, an order system over HTTP and an engine that "
    "knows every order and tells it to whoever asks. Each try is made three times: at the order of somebody else, with "
    "a number that belongs to nobody, and at the first order in a world in which it never was. The asker must see the "
    "same three times, byte for byte but for the second at which an order of their own was read, and no fact of the "
    "other's order. Times are of whole answers, in pairs in random order: somebody else's against an unknown one, and "
    "two unknown ones (null). noise_ms is half the width of the middle 95 % of the null pairs, difference_in_noise the "
    "median difference as a share of it, difference_p a two-sided signed-rank test of the differences."
)


def other_customers(
    pairs: Annotated[int, typer.Option(help="Pairs of answers whose times are compared.", min=20)] = 150,
    liar: Annotated[bool, typer.Option(help="Attach an engine that tells every order it knows.")] = True,
    data: Annotated[Path | None, typer.Option(help="A folder with published attacks to try as well.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Another customer's order: can it be reached, told from an unknown one, or timed?"""
    from console.bench.other_customers.bench import run_other_customers_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    attacks = _attacks(data) if data else ()
    findings = run(run_other_customers_bench(home_from_environment(), pairs=pairs, liar=liar, attacks=attacks))
    for verdict in findings.failed:
        print(_line(verdict), file=sys.stderr)
    print(to_json(findings.result) if as_json else to_text(findings.result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, findings.result, "dabba bench other-customers", COMPARED)
    if not findings.result.ok:
        raise typer.Exit(1)


def _attacks(folder: Path) -> tuple[str, ...]:
    from console.bench.other_customers.material import attack_texts

    try:
        texts = attack_texts(folder)
    except (OSError, ValueError, KeyError, TypeError) as error:
        fail(f"The attacks in {folder} can't be read: {error}. Leave --data out, or correct that file.")
    return texts or fail(f"No attacks are in {folder}: nothing there is of a known make. Leave --data out.")


def _line(verdict: Verdict) -> str:
    """What went wrong in one try, for whoever corrects it."""
    facts = (*(f"leaked {fact!r}" for fact in verdict.leaked), *(f"unlike {scene}" for scene in verdict.apart))
    what = ", ".join((*facts, "the turn failed") if verdict.broke else facts)
    theirs, unknown, never = (" ".join(answer.split()) for answer in verdict.answers)
    return f"{verdict.name}: {what}\n  theirs:  {theirs}\n  unknown: {unknown}\n  never:   {never}"
