"""The sample kitchen's articles as passages."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def article(name: str) -> tuple[str, str]:
    """Title and body of `articles/<name>.md`."""
    name = name.replace("refunds.", "refunds-and-cancellations.")
    text = files("assets").joinpath(f"sample_kitchen/articles/{name}.md").read_text(encoding="utf-8")
    _, front, body = text.split("---\n", 2)
    title = next(line.removeprefix("title:").strip() for line in front.splitlines() if line.startswith("title:"))
    return title, body.strip()


def passage_text(name: str) -> str:
    """What a written sentence is held against."""
    title, body = article(name)
    return f"{title}. {body}"


def all_articles() -> tuple[str, ...]:
    """The body of every sample article."""
    folder = files("assets").joinpath("sample_kitchen/articles")
    return tuple(article(one.name.removesuffix(".md"))[1] for one in folder.iterdir() if one.name.endswith(".md"))
