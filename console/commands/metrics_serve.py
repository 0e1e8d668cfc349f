"""`dabba metrics`: what the ledger counts, for a Prometheus that is there already."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.output import fail, run

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.metrics.ledger_page import LedgerPage
    from storage.settings import Settings

app = typer.Typer(help="Our own metrics for Prometheus.", no_args_is_help=True)


@app.command()
def serve(
    port: Annotated[int, typer.Option(help="0: the one of the settings.", min=0, max=65535)] = 0,
) -> None:
    """Offer them at http://127.0.0.1:PORT/metrics until Ctrl+C, whether or not a console runs."""
    run(_serve(port))


@app.command()
def show() -> None:
    """Print the page once."""
    run(_show())


@asynccontextmanager
async def _page() -> AsyncGenerator[tuple[LedgerPage, Settings]]:
    """The database alone is opened: no engine and no library."""
    from console.setup.version import program_version
    from engine_host.metrics.ledger_page import LedgerPage
    from storage.database import Database
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    home = home_from_environment().make()
    settings = load_settings(home)
    database = await Database.open(settings.storage.database_url or home)
    try:
        yield LedgerPage(database, program_version()), settings
    finally:
        await database.close()


async def _serve(port: int) -> None:
    from engine_host.metrics.serving import MetricsPortTaken, MetricsServer

    async with _page() as (page, settings):
        server = MetricsServer(page.read)
        try:
            address = await server.start(port or settings.metrics.port)
            print(f"Metrics are offered at {address}. Ctrl+C ends that.", flush=True)
            await asyncio.Event().wait()
        except MetricsPortTaken as error:
            fail(str(error))
        finally:
            await server.close()


async def _show() -> None:
    async with _page() as (page, _settings):
        print(await page.read(), end="")
