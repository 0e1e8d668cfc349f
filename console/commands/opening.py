"""`./dabba` without a subcommand: the console where there is a display, the set-up and the tour where there is none."""

from __future__ import annotations

import os
import sys

import typer

from console.commands.output import run, sentences


def has_display() -> bool:
    if os.environ.get("QT_QPA_PLATFORM") == "offscreen":
        return False
    return sys.platform == "darwin" or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_or_tour() -> None:
    from storage.paths import home_from_environment

    home = home_from_environment()
    if has_display():
        from console.app import open_console

        with sentences():
            open_console(home)
        return
    from console.commands.tour import tour

    tour(pictures=None)


def set_up() -> None:
    """Set up what is missing, step by step, and open nothing."""
    from console.commands.setup_steps import print_setup
    from console.setup.best_model import best_model
    from console.setup.run import SetupRun
    from console.setup.works import setup_works
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    home = home_from_environment()
    with sentences():
        home.make()
        settings = load_settings(home)

    async def steps() -> bool:
        return await print_setup(SetupRun(setup_works(home, settings, model=await best_model())))

    if not run(steps()):
        raise typer.Exit(1)
