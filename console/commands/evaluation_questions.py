"""`dabba eval questions`: the questions that retrieval is measured with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.opened import opened_house
from console.commands.output import fail, print_json, print_table, run

if TYPE_CHECKING:
    from knowledge.evaluate.questions import KnownQuestion

app = typer.Typer(help="Questions with the passages that are known to answer them.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Passage = Annotated[str, typer.Option(help="The sentence in it that answers.")]


@app.command("list")
def list_questions(as_json: Json = False) -> None:
    """List the questions."""
    run(_list(as_json))


@app.command()
def add(
    text: Annotated[str, typer.Argument(help="What a customer would type.")],
    article: Annotated[
        str, typer.Option(help="The article that answers it, by its file name; none = no article.")
    ] = "",
    passage: Passage = "",
    tenant: Annotated[str, typer.Option(help="Whose customer asks.")] = "kamala",
    language: Annotated[str, typer.Option(help="en, hi, mr, hi-Latn; the question's own when left out.")] = "",
    as_json: Json = False,
) -> None:
    """Add a question."""
    run(_add(text, article, passage, tenant, language, as_json))


@app.command()
def edit(
    question_id: Annotated[str, typer.Argument(help="The id that `list` shows.")],
    text: Annotated[str, typer.Option(help="What a customer would type.")] = "",
    article: Annotated[str, typer.Option(help="The article that answers it, by its file name.")] = "",
    passage: Passage = "",
    no_article: Annotated[bool, typer.Option("--no-article", help="No article answers it.")] = False,
    as_json: Json = False,
) -> None:
    """Correct a question; what is left out stays."""
    run(_edit(question_id, text, (article, passage), no_article, as_json))


@app.command("from-turn")
def from_turn(
    turn_id: Annotated[str, typer.Argument(help="The turn in which a customer asked it.")],
    article: Annotated[str, typer.Option(help="The id of the article that answers it; none = no article.")] = "",
    passage: Passage = "",
    as_json: Json = False,
) -> None:
    """Make a question of a customer's turn."""
    run(_from_turn(turn_id, article, passage, as_json))


@app.command()
def remove(question_id: Annotated[str, typer.Argument(help="The id that `list` shows.")]) -> None:
    """Remove a question."""
    run(_remove(question_id))


@app.command("import")
def import_questions(
    path: Annotated[Path | None, typer.Argument(help="JSON Lines, as `export` writes them.")] = None,
    sample: Annotated[bool, typer.Option("--sample", help="The sample kitchen's, those that are missing.")] = False,
) -> None:
    """Add questions from a file; one with a known id is replaced."""
    if (path is None) is not sample:
        raise typer.BadParameter("name a file or --sample")
    run(_import(path))


@app.command()
def export(path: Annotated[Path, typer.Argument(help="The file to write.")]) -> None:
    """Write the questions to a JSON Lines file."""
    run(_export(path))


async def _list(as_json: bool) -> None:
    from knowledge.evaluate.book import QuestionBook
    from knowledge.evaluate.question_files import line_of

    async with opened_house() as house:
        questions = await QuestionBook(house.database).questions()
    if as_json:
        print_json([line_of(one) for one in questions])
    elif questions:
        header = ("id", "language", "tenant", "source", "question", "answered by")
        print_table(header, [_row(one) for one in questions])
    else:
        print("No questions yet. Add the sample kitchen's with `dabba eval questions import --sample`.")


def _row(question: KnownQuestion) -> tuple[str, ...]:
    articles = ", ".join(sorted({support.article for support in question.supports})) or "no article"
    return question.question_id, question.language, question.tenant_id, question.source, question.text, articles


async def _add(text: str, article: str, passage: str, tenant: str, language: str, as_json: bool) -> None:
    from engine_host.answering.language import detect_language
    from knowledge.evaluate.book import QuestionBook
    from knowledge.evaluate.questions import KnownQuestion, Support

    supports = (Support(article, passage),) if article or passage else ()
    new = KnownQuestion("", text, language or detect_language(text), tenant, supports)
    async with opened_house() as house:
        _tell(await QuestionBook(house.database).add(new), as_json)


async def _edit(question_id: str, text: str, mark: tuple[str, str], no_article: bool, as_json: bool) -> None:
    from dataclasses import replace

    from knowledge.evaluate.book import QuestionBook
    from knowledge.evaluate.questions import Support

    async with opened_house() as house:
        book = QuestionBook(house.database)
        question = await book.question(question_id)
        supports = () if no_article else (Support(*mark),) if any(mark) else question.supports
        _tell(await book.change(replace(question, text=text or question.text, supports=supports)), as_json)


async def _from_turn(turn_id: str, article: str, passage: str, as_json: bool) -> None:
    from knowledge.evaluate.book import QuestionBook

    async with opened_house() as house:
        marked = [(article, passage)] if article or passage else []
        _tell(await QuestionBook(house.database).from_turn(turn_id, marked), as_json)


def _tell(question: KnownQuestion, as_json: bool) -> None:
    from knowledge.evaluate.question_files import line_of

    if as_json:
        print_json(line_of(question))
    else:
        print(f'{question.question_id}: "{question.text}" is asked from the next run on.')


async def _remove(question_id: str) -> None:
    from knowledge.evaluate.book import QuestionBook

    async with opened_house() as house:
        await QuestionBook(house.database).remove(question_id)
    print(f"{question_id} was removed.")


async def _import(path: Path | None) -> None:
    from console.setup.kitchen import sample_questions
    from knowledge.evaluate.book import QuestionBook

    async with opened_house() as house:
        book = QuestionBook(house.database)
        count = len(await book.import_file(path)) if path else await book.add_missing(sample_questions())
    print(f"{count} questions were added or replaced." if path else f"{count} sample questions were added.")


async def _export(path: Path) -> None:
    from knowledge.evaluate.book import QuestionBook

    async with opened_house() as house:
        try:
            count = await QuestionBook(house.database).export_file(path)
        except OSError as error:
            fail(f"The questions can't be written to {path}: {error.strerror}. Choose another file.")
    print(f"{count} questions were written to {path}.")
