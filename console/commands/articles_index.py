"""`dabba articles embed, move`: the index by another embedder, and the index on a Qdrant server."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.opened import opened_house
from console.commands.output import print_json, run
from console.commands.progress import progress_line

if TYPE_CHECKING:
    from knowledge.embedder_change import ChangeProgress

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def embed(as_json: Json = False) -> None:
    """Have the embedder of the settings read every article, then switch to it; until then the one before answers."""
    run(_embed(as_json))


def move(
    to: Annotated[str, typer.Option(help="The server, such as http://127.0.0.1:6333.")], as_json: Json = False
) -> None:
    """Copy the article index to a Qdrant server, check it there, and use it from now on."""
    run(_move(to, as_json))


async def _embed(as_json: bool) -> None:
    async with opened_house() as house:
        with progress_line() as tell:

            def told(progress: ChangeProgress) -> None:
                tell(f"{progress.model}: {progress.done:,} of {progress.total:,} passages read.")

            changed = await house.library.change_embedder(told)
        model = (await house.library.index()).model
    if as_json:
        print_json({"embedder": model, "changed": changed})
    else:
        print(f"{model} answers from now on." if changed else f"{model} answers already. Nothing had to be embedded.")


async def _move(url: str, as_json: bool) -> None:
    from storage.settings import load_settings, save_settings

    if not url.startswith(("http://", "https://")):
        raise typer.BadParameter("it must begin with http:// or https://", param_hint="--to")
    url = url.rstrip("/")
    async with opened_house() as house:
        with progress_line() as tell:
            moved = await house.library.move_to(
                url, lambda done, total: tell(f"{done:,} of {total:,} passages copied.")
            )
        settings = load_settings(house.home)
        knowledge = settings.knowledge.model_copy(update={"qdrant_url": url})
        save_settings(house.home, settings.model_copy(update={"knowledge": knowledge}))
        folder = house.home.vectors
    if as_json:
        print_json({"to": url, **asdict(moved)})
        return
    print(f"The index is at {url}: {moved.points:,} passages, {moved.articles:,} articles, all as they are here.")
    print(f"Questions asked in both places with the same answer: {moved.questions}.")
    print(f"knowledge.qdrant_url names the server now. {folder} is used no more.")
