"""Which article a command means, and how one is printed."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.output import print_json
from knowledge.errors import ArticleUnknown

if TYPE_CHECKING:
    from datetime import date

    from knowledge.article import Article
    from knowledge.article_history import DeletionReceipt
    from knowledge.library import Library

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Which = Annotated[str, typer.Argument(help="Its id, the beginning of it, or the name of its file.")]


async def named(library: Library, which: str) -> Article:
    """The one article of this id, source name or beginning of an id. Raises ArticleUnknown."""
    articles = await library.articles()
    exact = [one for one in articles if which in {one.article_id, one.text.source_name}]
    found = exact or [one for one in articles if which and one.article_id.startswith(which)]
    if len(found) == 1:
        return found[0]
    how_many = f"{len(found)} articles" if found else "no article"
    raise ArticleUnknown(f"{which} names {how_many}. `dabba articles list` shows the ids; give one in full.")


def article_object(article: Article, state: str) -> dict[str, Any]:
    """What a script reads of an article; its text is what `show` is for."""
    body = asdict(article)
    body["text"].pop("body")
    return {"state": state, **body}


def print_article(article: Article, sentence: str, as_json: bool) -> None:
    print_json(article_object(article, article.status.value)) if as_json else print(sentence)


def print_receipt(receipt: DeletionReceipt) -> None:
    seen = "seen gone" if receipt.proven else "not seen gone yet"
    after = "?" if receipt.points_after is None else receipt.points_after
    print(f"{receipt.deleted_at:%Y-%m-%d %H:%M} UTC  {receipt.title} ({receipt.source_name}), by {receipt.deleted_by}")
    print(f"   {receipt.points_before} pieces before, {after} after: {seen}. Receipt {receipt.receipt_id}.")
    for probe in receipt.probes:
        found = " -> ".join("not asked" if one is None else str(one) for one in (probe.found_before, probe.found_after))
        print(f"   asked for {probe.asked}: {found}")


def day_text(first: date | None, last: date | None) -> str:
    if first and last:
        return f"{first} to {last}"
    return f"from {first}" if first else f"until {last}" if last else "always"
