"""`dabba articles show, versions, restore, receipts`: what an article says, said before, and what was deleted."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.articles_named import Json, Which, article_object, day_text, named, print_article, print_receipt
from console.commands.opened import opened_house
from console.commands.output import fail, print_json, print_table, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from knowledge.article_history import Version

_LARGEST_NUMBER = 2**31 - 1


def show(
    which: Which,
    draft: Annotated[bool, typer.Option("--draft", help="The draft beside it instead.")] = False,
    as_json: Json = False,
) -> None:
    """Print an article: what is kept beside its text, and the text."""
    run(_show(which, draft, as_json))


def versions(
    which: Which,
    diff: Annotated[
        tuple[int, int] | None, typer.Option(help="Two numbers: show what the second changed of the first.")
    ] = None,
    as_json: Json = False,
) -> None:
    """List the texts that an article had, or what two of them differ in."""
    run(_versions(which, diff, as_json))


def restore(
    which: Which,
    number: Annotated[int, typer.Argument(min=1, max=_LARGEST_NUMBER, help="The number that `versions` shows.")],
    as_json: Json = False,
) -> None:
    """Publish the text of an earlier version again, with all that was kept beside it."""
    run(_restore(which, number, as_json))


def receipts(as_json: Json = False) -> None:
    """List what was deleted, when and by whom, and the proof that it is gone."""
    run(_receipts(as_json))


async def _show(which: str, draft: bool, as_json: bool) -> None:
    async with opened_house() as house:
        article = await named(house.library, which)
        kept = await house.library.draft(article.article_id) if draft else None
    if draft and kept is None:
        fail(f"{article.text.title} has no draft. `dabba articles draft FILE` makes one.")
    text = kept.text if kept else article.text
    if as_json:
        print_json({**article_object(article, article.status.value), "text": asdict(text)})
        return
    days = day_text(text.valid_from, text.valid_to)
    print(f"{text.title}\n{text.source_name} · {'draft' if kept else article.status} · by {text.owner or 'nobody'}")
    print(f"for {text.audience} of {', '.join(text.tenants) or 'all tenants'} · {text.language} · {days}\n")
    print(text.body)


async def _versions(which: str, pair: tuple[int, int] | None, as_json: bool) -> None:
    from knowledge.article_history import diff

    async with opened_house() as house:
        article = await named(house.library, which)
        found = await house.library.versions(article.article_id)
    if pair is None:
        print_json([_object(one) for one in found]) if as_json else _print_table(found)
        return
    old, new = (_numbered(found, number) for number in pair)
    lines = diff(old.text, new.text)
    if as_json:
        print_json([asdict(line) for line in lines])
    else:
        print("\n".join(f"{line.mark} {line.text}".rstrip() for line in lines))


async def _restore(which: str, number: int, as_json: bool) -> None:
    async with opened_house() as house:
        article = await house.library.restore((await named(house.library, which)).article_id, number)
    print_article(article, f"{article.text.title} answers again as in version {number}.", as_json)


async def _receipts(as_json: bool) -> None:
    async with opened_house() as house:
        found = await house.library.receipts()
    if as_json:
        print_json([asdict(one) | {"proven": one.proven} for one in found])
        return
    if not found:
        print("Nothing was deleted yet.")
    for receipt in found:
        print_receipt(receipt)


def _numbered(versions: Sequence[Version], number: int) -> Version:
    by_number = {version.number: version for version in versions}
    if number not in by_number:
        fail(f"There is no version {number}. `dabba articles versions` lists those that are kept.")
    return by_number[number]


def _print_table(versions: Sequence[Version]) -> None:
    if not versions:
        print("No text of it was published yet.")
        return
    header = ("version", "when (UTC)", "how", "by", "for", "characters")
    rows = [
        (
            one.number,
            f"{one.made_at:%Y-%m-%d %H:%M}",
            one.how,
            one.made_by,
            f"{one.text.audience} of {', '.join(one.text.tenants) or 'all'}",
            len(one.text.body),
        )
        for one in versions
    ]
    print_table(header, rows, frozenset({0, 5}))


def _object(version: Version) -> dict[str, Any]:
    return asdict(version)
