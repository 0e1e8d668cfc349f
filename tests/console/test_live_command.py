"""`dabba live` on a home whose history was kept a moment ago."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from typer.testing import CliRunner

from console.cli import app
from engine_host.metrics.history import keep_rows
from engine_host.metrics.history_rows import rows_of
from storage.database import Database
from storage.paths import home_from_environment

if TYPE_CHECKING:
    from pathlib import Path

    from typer.testing import Result


def dabba(*words: str) -> Result:
    return CliRunner().invoke(app, ["live", *words])


def an_hour_ago() -> str:
    return f"{datetime.now(UTC) - timedelta(hours=1):%Y-%m-%dT%H:%M:%S}+00:00"


@pytest.fixture
def kept(home_folder: Path) -> None:
    """Ten minutes of an engine, until a minute ago."""
    begins = datetime.now(UTC).timestamp() - 660
    rows = rows_of([begins + n for n in range(600)], [0] * 600, [{"running": 2.0, "seen": 1.0}] * 600)

    async def furnish() -> None:
        home = home_from_environment()
        home.make()
        database = await Database.open(home)
        await database.run(lambda session: keep_rows(session, "cpu-demo", rows))
        await database.close()

    asyncio.run(furnish())


def test_that_a_report_and_the_figures_are_written(kept: None, tmp_path: Path) -> None:
    for command, name, begins in (("report", "r.html", "<!doctype html>"), ("export", "f.csv", "from (UTC),")):
        result = dabba(command, "--from", an_hour_ago(), "--out", str(tmp_path / name))
        assert result.exit_code == 0, result.output
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(begins)


def test_that_what_is_kept_and_the_most_it_can_take_are_told(kept: None) -> None:
    told = json.loads(dabba("kept", "--json").output)
    assert [(one["engine"], one["step_s"], one["samples"]) for one in told["kept"]] == [("cpu-demo", 1, 600)]
    assert told["most_bytes"] < 45_000_000


@pytest.mark.parametrize(
    ("begin", "engine", "code", "words"),
    [
        ("12:99", "", 2, "12:99 is no time"),
        ("2020-01-01 12:00", "", 2, "too long ago"),
        ("an hour ago", "nobody", 1, "nobody has no sample of this time"),
    ],
)
def test_that_a_span_without_samples_is_refused(
    kept: None, tmp_path: Path, begin: str, engine: str, code: int, words: str
) -> None:
    file = tmp_path / "r.html"
    result = dabba(
        "report", "--from", begin.replace("an hour ago", an_hour_ago()), "--engine", engine, "--out", str(file)
    )
    assert result.exit_code == code
    assert words in " ".join(result.output.split())
    assert not file.exists()
