"""`dabba tour`: see the whole program work, with or without a display."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from console.commands.opening import has_display, set_up
from console.commands.output import sentences


def tour(
    pictures: Annotated[
        Path | None, typer.Option(help="Folder for the pictures; the home folder's when left out.")
    ] = None,
) -> None:
    """Start the engine, ask four questions in the real window, print the conversation, save a picture of every page."""
    from storage.paths import home_from_environment

    set_up()
    if not has_display():
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from console.tour.tour import run_tour

    home = home_from_environment()
    with sentences():
        run_tour(home, (pictures or home.pictures).absolute())
