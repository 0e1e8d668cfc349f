"""`dabba eval`: how well the right passage is found, on the user's own questions."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from console.commands import evaluation_questions
from console.commands.opened import opened_house
from console.commands.output import fail, print_json, run
from console.commands.progress import progress_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.house import House
    from knowledge.evaluate.questions import KnownQuestion

app = typer.Typer(help="Measure how well the right passage is found.", no_args_is_help=True)
app.add_typer(evaluation_questions.app, name="questions")

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Embedder = Annotated[str, typer.Option(help="With another embedder than is set, such as bundled or multilingual.")]
On = Annotated[str, typer.Option(help="As on this day, YYYY-MM-DD; today when left out.")]


@app.callback()
def evaluation() -> None:
    """Questions with known passages, asked of the articles; runs are kept and compared."""


@app.command()
def retrieval(
    language: Annotated[str, typer.Option(help="Only questions in this language: en, hi, mr, hi-Latn.")] = "",
    tenant: Annotated[str, typer.Option(help="Only questions of this tenant's customers.")] = "",
    on: On = "",
    embedder: Embedder = "",
    questions: Annotated[Path | None, typer.Option(help="Ask those of a JSON Lines file; not kept.")] = None,
    show_list: Annotated[bool, typer.Option("--list", help="List the runs that were kept.")] = False,
    compare: Annotated[
        tuple[str, str] | None, typer.Option(help="Two runs by id, the beginning of it, `last` or `last-1`.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Recall, MRR, nDCG, prompt tokens and refusals by language and article, beside each branch of the search alone."""
    if show_list:
        run(_list(as_json))
    elif compare:
        run(_compare(compare, as_json))
    else:
        run(_measure(Wanted(language, tenant, on, questions), embedder, as_json))


@app.command()
def sweep(
    sizes: Annotated[str, typer.Option(help="Tokens a piece, with commas.")] = "50,100,150,250",
    overlaps: Annotated[str, typer.Option(help="Tokens that pieces share, with commas.")] = "0,30",
    passages: Annotated[str, typer.Option(help="How many passages are taken, with commas.")] = "1,2,3,4,5,8",
    ways: Annotated[
        str, typer.Option(help="hybrid, dense (meaning alone), words (BM25 alone).")
    ] = "hybrid,dense,words",
    most_texts: Annotated[int, typer.Option(help="Embed no more texts than this.", min=1)] = 40_000,
    language: Annotated[str, typer.Option(help="Only questions in this language.")] = "",
    tenant: Annotated[str, typer.Option(help="Only questions of this tenant's customers.")] = "",
    on: On = "",
    embedder: Embedder = "",
    questions: Annotated[Path | None, typer.Option(help="Ask those of a JSON Lines file; not kept.")] = None,
    as_json: Json = False,
) -> None:
    """Try sizes, overlaps, ways and numbers of passages on temporary indexes; name the setting that wins."""
    from console.commands.evaluation_sweep import plan_of, run_sweep

    plan = plan_of(sizes, overlaps, passages, ways, most_texts)
    run(run_sweep(Wanted(language, tenant, on, questions), plan, embedder, as_json))


class Wanted:
    """Which questions are asked, and as on which day."""

    def __init__(self, language: str, tenant: str, on: str, file: Path | None) -> None:
        self._language = language
        self._tenant = tenant
        self._file = file
        try:
            self._on = date.fromisoformat(on) if on else None
        except ValueError as error:
            raise typer.BadParameter(f"{on} is no day; write YYYY-MM-DD", param_hint="--on") from error

    @property
    def is_own_set(self) -> bool:
        return self._file is None

    def day(self, house: House) -> date:
        return self._on or datetime.now(UTC).astimezone(ZoneInfo(house.settings.kitchen.timezone)).date()

    async def questions(self, house: House) -> Sequence[KnownQuestion]:
        from knowledge.evaluate.book import QuestionBook
        from knowledge.evaluate.question_files import read_questions

        found = read_questions(self._file) if self._file else await QuestionBook(house.database).questions()
        chosen = [one for one in found if self._language in {"", one.language} and self._tenant in {"", one.tenant_id}]
        if not chosen:
            fail(
                "No question to ask: "
                + ("none of them is in that language and of that tenant." if found else "there are none yet.")
                + " See `dabba eval questions --help`."
            )
        return chosen


async def _measure(wanted: Wanted, embedder: str, as_json: bool) -> None:
    from console.commands.evaluation_library import library_to_measure, settings_with
    from console.commands.evaluation_text import print_run, run_object
    from console.setup.version import program_version
    from knowledge.evaluate.runs import RunBook, RunOrder, measure

    async with opened_house() as house:
        questions = await wanted.questions(house)
        settings = settings_with(house.settings, embedder)
        order = RunOrder(questions, wanted.day(house), settings.knowledge, program_version())
        with progress_line() as tell:
            async with library_to_measure(house, settings, tell) as library:
                found = await measure(library, order, lambda done, total: tell(f"{done} of {total} searches"))
        if wanted.is_own_set:
            await RunBook(house.database).keep(found)
    if as_json:
        print_json(run_object(found))
    else:
        print_run(found)


async def _list(as_json: bool) -> None:
    from console.commands.evaluation_text import print_runs, run_object
    from knowledge.evaluate.runs import RunBook

    async with opened_house() as house:
        runs = await RunBook(house.database).runs()
    if as_json:
        print_json([run_object(one) for one in runs])
    elif runs:
        print_runs(runs, ZoneInfo(house.settings.kitchen.timezone))
    else:
        print("No runs yet. Make one with `dabba eval retrieval`.")


async def _compare(names: tuple[str, str], as_json: bool) -> None:
    from console.commands.evaluation_text import comparison_object, print_comparison
    from knowledge.evaluate.compare import compare
    from knowledge.evaluate.runs import RunBook

    async with opened_house() as house:
        book = RunBook(house.database)
        found = compare(await book.run(names[0]), await book.run(names[1]))
    if as_json:
        print_json(comparison_object(found))
    else:
        print_comparison(found)
