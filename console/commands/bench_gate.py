"""`dabba bench gate`: what judging a sentence costs, and how often its verdict is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ABOUT = (
    "Labelled sentences against four passages each, one turn a passage, nothing kept from the turn before: "
    "`sentence_ms` is fact gate, grounding and relevance of one sentence, `passages_ms` the reading of the passages "
    "before the first word comes. `first_sentence_delay` counts, over streams of short tokens, the sentences that had "
    "begun after the first one when it came out; without a gate 0. The shares are of the held-out set, which no rule "
    "was written from: fact gate and grounding only, relevance left aside. `verbatim_withheld` is of the true "
    "sentences that are, word for word, whole sentences of their passage; `paraphrase_withheld` of all other true "
    "ones. The second has no target: what a checker of words doubts is withheld, and the passage is quoted instead. "
    "`dabba bench help` counts the same in answers of a real model."
)


def gate(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Time a sentence, delay of the first sentence, true sentences withheld and false ones released."""
    from console.bench.gate.bench import run_gate_bench
    from console.bench.report import to_json, to_text

    result = run_gate_bench()
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench gate", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
