"""The `dabba` command: every subcommand by name. Nothing heavy is imported before a command runs."""

from __future__ import annotations

from typing import Annotated

import typer

from console.commands import articles, bench, engine, evaluation, live_report, metrics_serve, orders
from console.commands.ask import ask
from console.commands.doctor import doctor
from console.commands.opening import set_up
from console.commands.tour import tour
from console.commands.usage import usage

app = typer.Typer(
    help="The desk for people who run an LLM support bot on their own vLLM engine.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.add_typer(articles.app, name="articles")
app.add_typer(engine.app, name="engine")
app.add_typer(orders.app, name="orders")
app.add_typer(metrics_serve.app, name="metrics")
app.add_typer(live_report.app, name="live")
app.add_typer(bench.app, name="bench")
app.add_typer(evaluation.app, name="eval")
app.command()(ask)
app.command()(usage)
app.command()(doctor)
app.command()(tour)
app.command("setup")(set_up)


@app.callback(invoke_without_command=True)
def open_console(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Without a subcommand: set everything up and open the console (without a display: run the tour)."""
    if version:
        from console.setup.version import program_version

        print(program_version())
    elif context.invoked_subcommand is None:
        from console.commands.opening import open_or_tour

        open_or_tour()
