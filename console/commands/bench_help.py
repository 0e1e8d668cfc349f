"""`dabba bench help`: are help questions answered, from the right article, and refused when no article answers?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from console.commands.output import run as run_sentences

ABOUT = (
    "Every question of the sample kitchen through the whole house, nobody signed in, 4 at once. Right = every released "
    "sentence, or the quotation, is from an article that answers the question; wrong = one of them is not; refused = "
    '"I do not know" to a question that no article answers. Searched = the router sent it to the articles; found = an '
    "article that answers was among those given. "
    "A sentence of the model is supported, for this bench, when one sentence of a given passage has "
    'all its numbers, 90 % of its words (by their first four letters) and a "not" just when it has one, and '
    'does not step over something else that is said there behind an "and" or a "when"; this judge '
    "shares nothing with the gate. supported_withheld = withheld all the same. answers = sentences that say what the "
    "sample set calls the answer. A sentence said twice counts once."
)


def help_questions(
    engine: Annotated[str, typer.Option(help="embedded (this home's), or none: only quotations.")] = "embedded",
    questions: Annotated[Path | None, typer.Option(help="Other questions on the sample kitchen, JSON Lines.")] = None,
    verbose: Annotated[bool, typer.Option(help="Every turn that was not right, on stderr.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    write: Annotated[Path | None, typer.Option(help="A page of benchmarks to put the figures into.")] = None,
) -> None:
    """Right answers, refusals and sentences withheld, by language."""
    from console.bench.help.bench import run_help_bench
    from console.bench.report import to_json, to_text
    from storage.paths import home_from_environment

    if engine not in {"embedded", "none"}:
        raise typer.BadParameter("choose embedded or none", param_hint="--engine")
    result = run_sentences(run_help_bench(engine, home_from_environment(), questions, verbose))
    print(to_json(result) if as_json else to_text(result))
    if write is not None:
        from console.bench.page import write_section

        write_section(write, result, "dabba bench help", ABOUT)
    if not result.ok:
        raise typer.Exit(1)
