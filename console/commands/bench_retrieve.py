"""`dabba bench retrieve`: how long does a search take, and where does the time go?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "Milliseconds of one search, one after another, in a folder of Qdrant's own engine: 2,000 and 20,000 chunks in "
    "random words with random vectors, questions embedded by the bundled model, and all filters on (tenant, "
    "audience, language, validity, status). embed, dense (both vectors, the filter inside), words, fuse (ranking, and "
    "the rows as the database has them now) are measured apart; total is the whole search of another question. Bare: "
    "only the filtered nearest 24 by numpy with the filter looked up beforehand, by Qdrant's engine, and by "
    "qdrant-client without a server. words_made = seconds in which the words of all chunks are read after the start."
)


def retrieve(
    size: Annotated[list[int] | None, typer.Option(help="Chunks; 2000 and 20000 when left out.", min=400)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """The time of a search by branches, beside bare engines."""
    from console.bench.report import to_json, to_text
    from console.bench.retrieve.run import SIZES, run_retrieve_bench
    from storage.paths import home_from_environment

    def tell(step: str) -> None:
        print(step, file=sys.stderr)

    result = run_sentences(run_retrieve_bench(home_from_environment(), tuple(size or SIZES), tell))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench retrieve", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
