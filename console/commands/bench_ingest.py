"""`dabba bench ingest`: what does an import cost beside the embedding itself?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "Articles made of sections of the sample kitchen's, as files into an empty library: read, cut, embedded (every "
    "piece and each of its sentences), written, checked and published one by one. Bare is fastembed alone, in turns "
    "with the import, on exactly the texts that it embedded, in the same order, with the same model, batch size and "
    "threads; sorted = the same texts by length, all of a turn together, which is the most that any order gives. Then "
    "the same folder again, and one article replaced: from saving the file to a search that brings the new text. "
    "Memory is what this process has without a file behind it, while articles come in with vectors from a hash: what "
    "embedding itself takes, and pages that the index maps from its files, are not in it."
)


def ingest(
    articles: Annotated[int, typer.Option(help="Articles that are really embedded.", min=8)] = 400,
    many: Annotated[int, typer.Option(help="Articles over which memory is watched.", min=1000)] = 5000,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """An import beside bare fastembed, an unchanged folder, one article replaced, memory."""
    from console.bench.ingest.run import run_ingest_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    def tell(step: str) -> None:
        print(step, file=sys.stderr)

    result = run_sentences(run_ingest_bench(home_from_environment(), articles, many, tell))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench ingest", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
