"""`dabba articles publish, retire, change, delete, draft`: what an article says to whom, from now on."""

from __future__ import annotations

from dataclasses import asdict
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.articles_named import Json, Which, day_text, named, print_article, print_receipt
from console.commands.opened import opened_house
from console.commands.output import print_json, run

if TYPE_CHECKING:
    from knowledge.article import ArticleText
    from knowledge.changes import ArticleChange

NONE = "none"
ALL = "all"


def publish(which: Which, as_json: Json = False) -> None:
    """Let an article answer: with its draft when it has one, else again as it was."""
    run(_publish(which, as_json))


def retire(which: Which, as_json: Json = False) -> None:
    """Keep an article but let it answer nothing, from the next question on."""
    run(_retire(which, as_json))


def change(
    which: Which,
    owner: Annotated[str | None, typer.Option(help="Who is responsible for it.")] = None,
    audience: Annotated[str | None, typer.Option(help="customers or staff.")] = None,
    tenants: Annotated[str | None, typer.Option(help="Ids with commas between them, or all.")] = None,
    language: Annotated[str | None, typer.Option(help="en, hi, mr, …")] = None,
    valid_from: Annotated[str | None, typer.Option(help="A day such as 2026-11-30, or none.")] = None,
    valid_to: Annotated[str | None, typer.Option(help="A day, itself included, or none.")] = None,
    as_json: Json = False,
) -> None:
    """Change who may see an article and when, in effect at once; nothing is embedded."""
    given = {"owner": owner, "audience": audience, "tenants": tenants, "language": language}
    days = {"valid_from": valid_from, "valid_to": valid_to}
    values = {name: _value(name, text) for name, text in given.items() if text is not None}
    values |= {name: _day(name, text) for name, text in days.items() if text is not None}
    run(_change(which, _change_of(values), as_json))


def delete(which: Which, as_json: Json = False) -> None:
    """Delete an article with its draft and its versions, and print the receipt."""
    run(_delete(which, as_json))


def draft(
    file: Annotated[Path, typer.Argument(help="The file with the text.")],
    of: Annotated[str, typer.Option(help="The article that it is a draft of; else the one of the file's name.")] = "",
    as_json: Json = False,
) -> None:
    """Keep a text that answers nothing until `publish`."""
    run(_draft(file, of, as_json))


async def _publish(which: str, as_json: bool) -> None:
    async with opened_house() as house:
        article = await house.library.publish((await named(house.library, which)).article_id)
    print_article(article, f"{article.text.title} answers from now on.", as_json)


async def _retire(which: str, as_json: bool) -> None:
    async with opened_house() as house:
        article = await house.library.retire((await named(house.library, which)).article_id)
    print_article(article, f"{article.text.title} answers nothing any more. `publish` brings it back.", as_json)


async def _change(which: str, change: ArticleChange, as_json: bool) -> None:
    async with opened_house() as house:
        article = await house.library.change((await named(house.library, which)).article_id, change)
    text = article.text
    who = f"{text.audience} of {', '.join(text.tenants) or 'all tenants'}"
    days = day_text(text.valid_from, text.valid_to)
    print_article(article, f"{text.title} is for {who}, in {text.language}, {days}.", as_json)


async def _delete(which: str, as_json: bool) -> None:
    async with opened_house() as house:
        receipt = await house.library.remove((await named(house.library, which)).article_id)
    print_json(asdict(receipt) | {"proven": receipt.proven}) if as_json else print_receipt(receipt)


async def _draft(file: Path, of: str, as_json: bool) -> None:
    text = _read(file)
    async with opened_house() as house:
        article_id = (await named(house.library, of)).article_id if of else None
        article = await house.library.save_draft(text, article_id)
    told = f"The draft of {text.title} is kept. `dabba articles publish {article.article_id}` lets it answer."
    print_article(article, told, as_json)


def _read(file: Path) -> ArticleText:
    from knowledge.readers import read_article

    return read_article(file)


def _change_of(values: dict[str, Any]) -> ArticleChange:
    from knowledge.changes import ArticleChange

    if not values:
        raise typer.BadParameter("name what shall change, such as --audience staff")
    return ArticleChange(**values)


def _value(name: str, text: str) -> object:
    from knowledge.article import Audience

    if name == "audience":
        if text not in {one.value for one in Audience}:
            raise typer.BadParameter("choose customers or staff", param_hint="--audience")
        return Audience(text)
    if name == "tenants":
        names = tuple(sorted({one.strip() for one in text.split(",")} - {""}))
        if not names or (ALL in names and len(names) > 1):  # no name would mean all tenants
            raise typer.BadParameter("name ids with commas between them, or all", param_hint="--tenants")
        return () if names == (ALL,) else names
    return text


def _day(name: str, text: str) -> date | None:
    if text == NONE:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        hint = f"--{name.replace('_', '-')}"
        raise typer.BadParameter("write a day as 2026-11-30, or none", param_hint=hint) from error
