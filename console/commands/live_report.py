"""`dabba live`: the history of the engines without a window: an incident report, the figures, what is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from zoneinfo import ZoneInfo

import typer

from console.commands.opened import opened_house
from console.commands.output import fail, print_json, print_table, run

if TYPE_CHECKING:
    from datetime import tzinfo

    from console.house import House
    from console.live.history_window import Span
    from storage.metric_records import KeptHistory

app = typer.Typer(help="What the engines did: an incident report, the figures, what is kept.", no_args_is_help=True)

From = Annotated[str, typer.Option("--from", help="On the kitchen's clock: HH:MM of today, or YYYY-MM-DD HH:MM.")]
To = Annotated[str, typer.Option("--to", help="The same; now when left out.")]
Engine = Annotated[str, typer.Option(help="One engine by its name; all of them together when left out.")]
Out = Annotated[Path, typer.Option(help="The file that is written.")]


@app.callback()
def live() -> None:
    """Samples are kept each second for an hour, each 10 seconds for a day, each minute for 30 days."""


@app.command()
def report(begin: From, out: Out, end: To = "", engine: Engine = "") -> None:
    """Write an incident report: one HTML file with window, panels, alerts, events, profile and versions."""
    run(_report(begin, end, engine, out))


@app.command()
def export(begin: From, out: Out, end: To = "", engine: Engine = "") -> None:
    """Write the figures of a span as CSV, the units in the head; a gap is empty."""
    run(_export(begin, end, engine, out))


@app.command()
def kept(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Show how far back the samples of each engine go, and what they take."""
    run(_kept(as_json))


async def _report(begin: str, end: str, engine: str, out: Path) -> None:
    from console.live.history_reading import read_history
    from console.live.incident_reading import read_incident
    from console.live.incident_report import incident_html

    async with opened_house() as house:
        zone = _zone(house)
        span = _span(begin, end, zone)
        read = await read_history(house.database, span, _named(engine), zone)
        _refuse_nothing(read.engines, engine)
        await house.engines.join()
        states = [session.state.value for session in house.engines.sessions]
        facts = await read_incident(house.database, house.home, house.settings, states, read, zone)
    _write(out, incident_html(facts))


async def _export(begin: str, end: str, engine: str, out: Path) -> None:
    from console.live.export_csv import csv_of
    from console.live.history_reading import read_history

    async with opened_house() as house:
        zone = _zone(house)
        read = await read_history(house.database, _span(begin, end, zone), _named(engine), zone)
    _refuse_nothing(read.engines, engine)
    _write(out, csv_of(read))


async def _kept(as_json: bool) -> None:
    from engine_host.metrics.history_size import most_bytes
    from storage.queries.metric_samples import kept_history

    async with opened_house() as house:
        zone = _zone(house)
        found = await house.database.run(kept_history)
    engines = {one.engine for one in found}
    most = most_bytes(max(1, len(engines)))
    if as_json:
        print_json({"kept": [_object(one) for one in found], "most_bytes": most})
        return
    if not found:
        print("No sample is kept yet. The console keeps them while an engine runs.")
        return
    rows = [(one.engine, f"{one.step_s} s", f"{one.first_at.astimezone(zone):%Y-%m-%d %H:%M}",
             f"{one.last_at.astimezone(zone):%Y-%m-%d %H:%M}", f"{one.rows:,}", f"{one.body_bytes / 1e6:.1f} MB")
            for one in found]  # fmt: skip
    print_table(("engine", "each", "from", "to", "samples", "size"), rows, frozenset({4, 5}))
    print(f"With {len(engines)} of them it never takes more than {most / 1e6:,.0f} MB.")


def _object(one: KeptHistory) -> dict[str, object]:
    return {
        "engine": one.engine,
        "step_s": one.step_s,
        "first_at": one.first_at.isoformat(),
        "last_at": one.last_at.isoformat(),
        "samples": one.rows,
        "bytes": one.body_bytes,
    }


def _zone(house: House) -> tzinfo:
    return ZoneInfo(house.settings.kitchen.timezone)


def _named(engine: str) -> str:
    from console.live.history_reading import ALL

    return engine or ALL


def _span(begin: str, end: str, zone: tzinfo) -> Span:
    from console.live.history_window import Span, oldest_day

    now = datetime.now(UTC)
    first = _moment(begin, "--from", zone)
    last = min(_moment(end, "--to", zone), now) if end else now
    if first >= last:
        raise typer.BadParameter(f"{begin} is not before {end or 'now'}", param_hint="--from")
    oldest = oldest_day(now.timestamp(), zone)
    if first.astimezone(zone).date() < oldest:
        raise typer.BadParameter(f"{begin} is too long ago: samples are kept since {oldest}", param_hint="--from")
    return Span(max(1, round((last - first).total_seconds())), last.timestamp())


def _moment(text: str, option: str, zone: tzinfo) -> datetime:
    today = datetime.now(UTC).astimezone(zone).date()
    try:
        told = datetime.fromisoformat(text if "-" in text else f"{today} {text}")
    except ValueError as error:
        raise typer.BadParameter(f"{text} is no time; write 12:40 or 2026-11-30 12:40", param_hint=option) from error
    return told if told.tzinfo else told.replace(tzinfo=zone)


def _refuse_nothing(engines: tuple[str, ...], engine: str) -> None:
    if not engines:
        fail("Nothing was written: no sample of this time is kept. `dabba live kept` shows of which times there are.")
    if engine and engine not in engines:
        fail(f"Nothing was written: {engine} has no sample of this time. Those that have: {', '.join(engines)}.")


def _write(out: Path, text: str) -> None:
    from storage.files import write_atomically

    try:
        write_atomically(out, text.encode())
    except OSError as error:
        fail(f"{out} was not written: {error.strerror}. Name a file in a folder that can be written.")
    print(f"{out} was written.")
