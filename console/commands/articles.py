"""`dabba articles`: add, list and search help articles; what changes one is in the rooms beside this one."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any
from zoneinfo import ZoneInfo

import typer

from console.commands.articles_change import change, delete, draft, publish, retire
from console.commands.articles_check import check
from console.commands.articles_history import receipts, restore, show, versions
from console.commands.articles_index import embed, move
from console.commands.articles_named import Json, article_object, day_text
from console.commands.opened import opened_house
from console.commands.output import fail, print_json, print_table, run

if TYPE_CHECKING:
    from knowledge.article import Article, Passage

app = typer.Typer(help="Help articles: what the bot may quote.", no_args_is_help=True)
for command in (check, show, publish, retire, change, delete, draft, versions, restore, receipts, embed, move):
    app.command()(command)


@app.command()
def add(
    paths: Annotated[
        list[Path], typer.Argument(help="Files, folders and zip files; `check` says what of them is read.")
    ],
    as_json: Json = False,
) -> None:
    """Add or replace articles. Exit 0 only when no file was refused."""
    run(_add(paths, as_json))


@app.command("list")
def list_articles(as_json: Json = False) -> None:
    """List the articles of the library."""
    run(_list(as_json))


@app.command()
def search(
    question: Annotated[str, typer.Argument(help="What a customer would type.")],
    tenant: Annotated[str, typer.Option(help="Whose customer asks.")] = "kamala",
    language: Annotated[str, typer.Option(help="en, hi, mr; the question's own when left out.")] = "",
    limit: Annotated[int, typer.Option(min=1, max=20)] = 5,
    as_json: Json = False,
) -> None:
    """Show what the bot would be given for a question."""
    run(_search(question, tenant, language, limit, as_json))


@app.command()
def remove(article_id: Annotated[str, typer.Argument(help="The id that `list` shows.")], as_json: Json = False) -> None:
    """Remove an article; it stops answering from the next question on."""
    run(_remove(article_id, as_json))


async def _add(paths: list[Path], as_json: bool) -> None:
    async with opened_house() as house:
        rows = await house.library.add_paths(paths, _print_nothing if as_json else _print_row)
    refused = sum(row.verdict == "refused" for row in rows)
    if as_json:
        print_json([asdict(row) for row in rows])
    else:
        print(f"{len(rows) - refused} of {len(rows)} files are in the library.")
    if refused or not rows:
        fail(f"{refused} of {len(rows)} files were refused." if rows else "No article was found there.")


def _print_row(row: Any) -> None:
    print(" ".join((f"{row.verdict:<10} {row.source_name}: {row.sentence}", *row.notes)), flush=True)


def _print_nothing(_row: Any) -> None:
    """`--json` prints once, at the end."""


async def _list(as_json: bool) -> None:
    from knowledge.permission import derive_state

    async with opened_house() as house:
        articles = await house.library.articles()
        today = datetime.now(UTC).astimezone(ZoneInfo(house.settings.kitchen.timezone)).date()
    if as_json:
        print_json([article_object(article, derive_state(article, today)) for article in articles])
        return
    if not articles:
        print("No articles yet. Add some with `dabba articles add FOLDER`.")
        return
    header = ("id", "state", "title", "language", "tenants", "valid", "chunks")
    print_table(header, [_row(article, derive_state(article, today)) for article in articles], frozenset({6}))


def _row(article: Article, state: str) -> tuple[object, ...]:
    text = article.text
    valid = day_text(text.valid_from, text.valid_to)
    tenants = ", ".join(text.tenants) or "all"
    return article.article_id, state, text.title, text.language, tenants, valid, article.chunk_count


async def _search(question: str, tenant: str, language: str, limit: int, as_json: bool) -> None:
    from engine_host.answering.language import article_language, detect_language
    from knowledge.article import Asker, Audience

    async with opened_house() as house:
        today = datetime.now(UTC).astimezone(ZoneInfo(house.settings.kitchen.timezone)).date()
        asked_in = article_language(language or detect_language(question))
        found = await house.library.retrieve(question, Asker(tenant, Audience.CUSTOMERS, asked_in, today), limit)
    if as_json:
        print_json(asdict(found))
        return
    if not any(passage.given for passage in found.passages):
        print(f"Nothing reaches the threshold of {found.threshold:.2f}.")
    for number, passage in enumerate(found.passages, start=1):
        print(_passage_line(number, passage))
    print(f"{found.searched} chunks searched in {found.elapsed_ms:.0f} ms.")


def _passage_line(number: int, passage: Passage) -> str:
    mark = "" if passage.given else "  (under the threshold)"
    where = " › ".join((passage.title, *passage.heading_path))
    return f"{number}  {passage.score:.2f}  {where}{mark}\n   {' '.join(passage.text.split())[:160]}"


async def _remove(article_id: str, as_json: bool) -> None:
    async with opened_house() as house:
        await house.library.remove(article_id)
    print_json({"removed": article_id}) if as_json else print(f"Article {article_id} is removed.")
