"""`dabba bench canaries`: does a search tell anybody what is not for them, or what was deleted?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "Six tenants with a secret word in each of their articles: own, of staff, shared by two, in English, Hindi and "
    "Marathi, out of date, not yet valid, retired, replaced, drafted. Every question (the word, a slip of it, the "
    "whole sentence, hints) is asked on every path: by meaning, words and both, the explanation, the index alone for "
    "every point, what a conversation may still quote, the catalogue, and the mending of slips; by tenants and "
    "strangers, customers and staff, on three days; after every 20 at once an article changes hands, audience, "
    "status or word. A leak is a word or any article that the asker may not have, by a rule written anew in the "
    "bench. Then articles are deleted, and asked for on every path before, after, and after a restart. Vectors come "
    "from a hash of the words, so that whoever says a word is nearest to it. With DABBA_QDRANT_URL everything is done"
    " on that server too."
)


def canaries(
    queries: Annotated[int, typer.Option(help="Questions, each asked on every path.", min=1)] = 10_000,
    deletions: Annotated[int, typer.Option(help="Articles that are deleted.", min=1)] = 1_000,
    seed: Annotated[int, typer.Option(help="Another number gives other questions.")] = 4,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Secret words of tenants on every search path, and deleted articles: nothing may be told."""
    from console.bench.canaries.run import run_canaries_bench
    from console.bench.report import to_json, to_text

    def tell(step: str) -> None:
        print(step, file=sys.stderr)

    result = run_sentences(run_canaries_bench(queries, deletions, seed, tell))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench canaries", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
