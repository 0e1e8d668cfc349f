from __future__ import annotations

import asyncio
import fcntl
import json
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from console.commands.doctor import as_object, lines
from console.setup.checks import engine, home, program, servers
from console.setup.doctor import Diagnosis, examine
from console.setup.machine import NO_GPU, display_of, read_machine
from engine_host.engine.fetch import ModelFile, ModelFolder
from engine_host.engine.models import SMOLLM2
from engine_host.engine.run_file import RunFile, write_run_file
from storage.database import Database
from storage.migrations import VERSION_TABLE
from storage.paths import Home
from storage.settings import OrderSettings, Settings

if TYPE_CHECKING:
    from pathlib import Path

    from console.setup.checks.check import Check
    from console.setup.machine import Machine

GONE = 2**22 + 1
"""Above the highest process id that Linux gives."""


@pytest.fixture
def of(home_folder: Path) -> Home:
    return Home(home_folder)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")


def named(diagnosis: Diagnosis, name: str) -> Check:
    return next(check for check in diagnosis.checks if check.name == name)


async def test_that_an_empty_home_is_not_ok_and_stays_empty(of: Home) -> None:
    diagnosis = await examine(of)
    assert not diagnosis.ok
    assert not of.root.exists()
    for name in ("Engine runtime", "Engine model", "Database", "Sample kitchen"):
        check = named(diagnosis, name)
        assert not check.ok
        assert "./dabba" in check.next_step
    for name in ("Python", "PySide6", "Packages", "Fonts", "Home folder", "Settings", "Ports", "Order system"):
        assert named(diagnosis, name).ok, named(diagnosis, name)


async def test_that_every_failed_check_has_a_next_step_and_no_other_has(of: Home) -> None:
    for check in (await examine(of)).checks:
        assert bool(check.next_step) == (not check.ok), check


async def test_that_the_diagnosis_can_be_printed_for_people_and_machines(of: Home) -> None:
    diagnosis = await examine(of)
    told = json.loads(json.dumps(as_object(diagnosis)))
    assert told["ok"] is False
    assert {"name", "ok", "fact", "next_step"} == set(told["checks"][0])
    assert told["machine"]["processor"]["cores"] >= 1
    assert any(line.startswith("✗ Engine runtime") for line in lines(diagnosis))


def test_that_the_command_ends_with_1_when_a_check_fails(of: Home) -> None:
    import typer

    from console.commands.doctor import doctor

    app = typer.Typer()
    app.command()(doctor)
    result = CliRunner().invoke(app, ["--json"])
    assert result.exit_code == 1
    assert json.loads(result.stdout)["ok"] is False


def test_that_bad_settings_are_told_and_the_defaults_used_for_the_rest(of: Home) -> None:
    of.make().settings_file.write_text('[kitchen]\ntimezone = "Pune"\n', encoding="utf-8")
    check, settings = home.check_settings(of)
    assert not check.ok
    assert "kitchen.timezone" in check.fact
    assert check.next_step
    assert settings == Settings()


async def test_that_a_whole_database_is_ok(of: Home) -> None:
    await (await Database.open(of.make())).close()
    before = sorted(of.root.iterdir())
    check = home.check_database(of, Settings())
    assert check.ok, check
    assert "schema" in check.fact
    assert sorted(of.root.iterdir()) == before


async def test_that_a_database_in_use_can_be_looked_at(of: Home) -> None:
    database = await Database.open(of.make())
    try:
        await database.run(lambda session: session.execute(text("SELECT 1")).scalar_one())
        assert home.check_database(of, Settings()).ok
    finally:
        await database.close()


def test_that_a_damaged_database_is_told(of: Home) -> None:
    of.make().database_file.write_bytes(b"this is no database, whatever its name says" * 100)
    check = home.check_database(of, Settings())
    assert not check.ok
    assert str(of.database_file) in check.fact


async def test_that_a_newer_database_is_told_and_left_alone(of: Home) -> None:
    await (await Database.open(of.make())).close()
    with closing(sqlite3.connect(of.database_file)) as connection, connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    before = of.database_file.read_bytes()
    check = home.check_database(of, Settings())
    assert not check.ok
    assert "9999" in check.fact
    assert of.database_file.read_bytes() == before


def test_that_a_home_that_is_a_file_is_told(of: Home) -> None:
    of.root.write_text("a file", encoding="utf-8")
    check = home.check_home(of)
    assert (check.ok, check.fact) == (False, f"{of.root} is a file.")


def test_that_a_full_disk_is_told(of: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(home, "disk_free", lambda _folder: 1_000_000)
    check = home.check_home(of)
    assert not check.ok
    assert "1.00 MB free: 6.00 GB are needed" in check.fact


def test_that_the_process_that_holds_the_index_is_named(of: Home) -> None:
    lock = of.make().vectors / "dabba.lock"
    lock.touch()
    assert home.check_vectors(of).fact.endswith("free")
    with lock.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        check = home.check_vectors(of)
    assert check.ok
    assert f"held by process {os.getpid()}" in check.fact


def test_that_packages_of_other_systems_are_not_asked_for() -> None:
    lock = "one==1.0 \\\n    --hash=sha256:00\ntwo==2.0 ; sys_platform == 'nowhere' \\\n    --hash=sha256:00\n"
    assert program.locked_here(lock) == {"one": "1.0"}


def test_that_a_package_in_another_version_is_named(tmp_path: Path) -> None:
    lock = tmp_path / "console.lock"
    lock.write_text("pytest==0.1 \\\n    --hash=sha256:00\nnowhere-to-be-found==1.0\n", encoding="utf-8")
    check = program.check_packages(lock)
    assert not check.ok
    assert "pytest is " in check.fact
    assert "not 0.1" in check.fact
    assert "nowhere-to-be-found is missing" in check.fact


def test_that_an_old_python_is_refused() -> None:
    assert not program.check_python((3, 10, 4)).ok


def probe(**found: Any) -> dict[str, Any]:
    whole = {"version": "6.11.3", "none_taken": 0, "platform": "offscreen", "families": ["Inter"], "devanagari": ["x"]}
    return whole | found


def test_that_the_pair_that_kills_the_program_is_refused() -> None:
    check = program.check_pyside(probe(none_taken=1000), None, (3, 11, 7))
    assert not check.ok
    assert "1000 references of None are lost" in check.fact
    assert program.check_pyside(probe(none_taken=1000), None, (3, 12, 1)).ok


def test_that_a_missing_font_is_named() -> None:
    check = program.check_fonts(probe())
    assert not check.ok
    assert "JetBrains Mono, Noto Sans Devanagari is missing" in check.fact


async def test_that_a_display_that_nobody_serves_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QT_QPA_PLATFORM")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setenv("DISPLAY", ":4711")
    pyside, display, fonts = await program.qt_checks()
    assert (pyside.ok, display.ok, fonts.ok) == (True, False, True)
    assert "X11 :4711" in display.fact


def test_that_missing_libraries_of_the_display_are_named_with_their_packages() -> None:
    check = program.check_closed_display("X11 :0", ["libxcb-icccm.so.4", "libxkbcommon-x11.so.0"], None)
    assert check.fact.endswith("libxcb-icccm.so.4, libxkbcommon-x11.so.0 is not installed.")
    assert check.next_step.endswith("apt install libxcb-icccm4 libxkbcommon-x11-0")


@pytest.mark.parametrize(
    ("variables", "display"),
    [
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":0"}, None),
        ({"DISPLAY": ":0"}, "X11 :0"),
        ({"WAYLAND_DISPLAY": "wayland-1", "DISPLAY": ":0"}, "Wayland wayland-1"),
        ({}, None),
    ],
)
def test_that_the_display_is_the_one_that_qt_takes(variables: dict[str, str], display: str | None) -> None:
    assert display_of(variables, "linux") == display


def test_that_a_changed_model_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "weights").write_bytes(b"changed")
    right = ModelFile("config", 2, "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a")
    (tmp_path / "config").write_bytes(b"{}")
    folder = ModelFolder(SMOLLM2, tmp_path, (ModelFile("weights", 7, "0" * 64), right))
    assert engine.changed_files(folder) == ["weights"]


def test_that_missing_memory_is_told_in_bytes(of: Home) -> None:
    settings = Settings.model_validate({"engine": {"kv_space_gib": 100_000.0}})
    check = engine.check_memory(of, settings)
    assert not check.ok
    assert "is missing" in check.fact


def run_file(pid: int, created: float, **changes: Any) -> RunFile:
    known = RunFile("run", pid, created, 4711, "cpu-demo", "SmolLM2", 4096, "engine.log", False, GONE, 1.0)
    return RunFile(**(asdict(known) | changes))


def test_that_an_engine_without_its_owner_is_left_behind_unless_it_is_meant_to_go_on(of: Home) -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()", "vllm", "--port", "4711"], stdin=subprocess.PIPE)
    try:
        created = psutil.Process(child.pid).create_time()
        write_run_file(of.run / "engine.json", run_file(child.pid, created))
        check = engine.check_engine_process(of)
        assert not check.ok
        assert f"process {child.pid}, is left behind" in check.fact
        assert "dabba engine left --end run" in check.next_step
        write_run_file(of.run / "engine.json", run_file(child.pid, created, keep_running=True))
        assert engine.check_engine_process(of).ok
    finally:
        child.communicate()


def test_that_an_engine_that_has_ended_is_nothing_to_worry_about(of: Home) -> None:
    write_run_file(of.run / "engine.json", run_file(GONE, 1.0))
    assert engine.check_engine_process(of).ok


async def test_that_an_order_system_that_does_not_answer_is_told() -> None:
    settings = Settings(orders=OrderSettings(base_url="http://127.0.0.1:9"))
    check = await servers.check_orders(settings)
    assert not check.ok
    assert "http://127.0.0.1:9 does not answer" in check.fact


async def test_that_an_order_system_that_answers_is_ok() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        check = await servers.check_orders(Settings(orders=OrderSettings(base_url=f"http://127.0.0.1:{port}")))
    assert check.ok, check


async def test_that_the_machine_is_read_without_a_gpu(of: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("console.setup.machine.shutil.which", lambda _name: None)
    machine = await read_machine(of)
    assert machine.gpu_text == NO_GPU
    assert machine.loopback
    assert machine.memory_total > machine.memory_free > 0
    assert not machine.index.reachable


@pytest.mark.parametrize(("whole", "ok"), [(True, True), (False, False)])
async def test_that_the_package_index_matters_until_everything_is_set_up(of: Home, whole: bool, ok: bool) -> None:
    machine: Machine = await read_machine(of)
    assert servers.check_index(machine, whole).ok is ok


async def test_that_the_password_of_a_package_index_is_not_shown(of: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "http://somebody:secret@127.0.0.1:9/simple")
    machine = await read_machine(of)
    assert machine.index.url == "http://127.0.0.1:9/simple"
    assert "secret" not in machine.index.reason
