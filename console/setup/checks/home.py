"""Is what is kept whole: the home folder, its settings, its database, its article index. Makes and changes nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Final

import psutil

from console.setup.checks.check import Check, split_sentence
from console.setup.lines import bytes_text
from console.setup.machine import disk_free
from storage.errors import SettingsError, StorageError
from storage.settings import Settings, load_settings

if TYPE_CHECKING:
    from pathlib import Path

    from storage.paths import Home

FULL_SETUP_BYTES: Final = 6_000_000_000
DAILY_BYTES: Final = 500_000_000
_LOCKS: Final = "/proc/locks"


def check_home(home: Home) -> Check:
    name, root = "Home folder", home.root
    if root.exists() and not root.is_dir():
        return Check(name, False, f"{root} is a file.", "Move it away, or set DABBA_HOME to a folder.")
    there = next(one for one in (root, *root.parents) if one.exists())
    if not os.access(there, os.W_OK | os.X_OK):
        step = "Change its permissions, or set DABBA_HOME to a folder that you may write."
        return Check(name, False, f"{there} can't be written by this user.", step)
    free = disk_free(root)
    needed = DAILY_BYTES if home.engine_runtime.exists() else FULL_SETUP_BYTES
    told = f"{root}{'' if root.exists() else ' (made at the first use)'}, {bytes_text(free)} free"
    if free < needed:
        return Check(name, False, f"{told}: {bytes_text(needed)} are needed.", "Make room, or move DABBA_HOME.")
    return Check(name, True, told)


def check_settings(home: Home) -> tuple[Check, Settings]:
    """The settings, or the defaults when they are not valid, so that the other checks can go on."""
    try:
        settings = load_settings(home)
    except SettingsError as error:
        return split_sentence("Settings", str(error)), Settings()
    there = "valid" if home.settings_file.exists() else "no settings.toml: the defaults are used"
    return Check("Settings", True, there), settings


def check_database(home: Home, settings: Settings) -> Check:
    if settings.storage.database_url:
        return _check_server(settings.storage.database_url)
    if not home.database_file.exists():
        return Check("Database", False, "There is none yet.", "Run ./dabba, which makes it.")
    try:
        return _read_sqlite(home.database_file)
    except sqlite3.Error as error:
        step = "Move it away and put a copy (dabba.sqlite3.schema-…) in its place."
        return Check("Database", False, f"{home.database_file} can't be read: {error}.", step)


def _read_sqlite(file: Path) -> Check:
    """By Python's own module: reading must neither migrate the file nor wait long for a writer."""
    from storage.migrations import HEAD, VERSION_TABLE

    in_use = file.with_name(f"{file.name}-wal").exists()
    how = "mode=ro" if in_use else "mode=ro&immutable=1"  # else SQLite makes its journal files
    with closing(sqlite3.connect(f"{file.absolute().as_uri()}?{how}", uri=True, timeout=1.0)) as connection:
        damage = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
        if damage != "ok":
            step = "Move it away and put a copy (dabba.sqlite3.schema-…) in its place."
            return Check("Database", False, f"{file} is damaged: {damage}.", step)
        known = "SELECT name FROM sqlite_master WHERE name = ?"
        if connection.execute(known, (VERSION_TABLE,)).fetchone() is None:
            return Check("Database", False, f"{file} holds no schema of this program.", "Run ./dabba, which makes it.")
        schema = connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone()[0]  # noqa: S608 - a constant
    return _judge_schema(str(file), str(schema), HEAD)


def _judge_schema(where: str, schema: str, head: str) -> Check:
    if schema > head:
        fact = f"{where} has schema {schema}, and this program knows none after {head}."
        return Check("Database", False, fact, "Install the newer version, or set DABBA_HOME to another folder.")
    later = "" if schema == head else f", brought to {head} at the next start"
    return Check("Database", True, f"{where}, schema {schema}{later}")


def _check_server(url: str) -> Check:
    from sqlalchemy.exc import SQLAlchemyError

    from storage.connect import database_url, make_engine
    from storage.migrate import schema_of
    from storage.migrations import HEAD

    try:
        parsed = database_url(url)
        engine = make_engine(parsed, busy_timeout_s=2.0)
    except StorageError as error:
        return split_sentence("Database", str(error))
    where = parsed.render_as_string(hide_password=True)
    try:
        with engine.connect() as connection:
            schema = schema_of(connection)
    except SQLAlchemyError as error:
        fact = f"{where} can't be reached: {str(error).splitlines()[0]}."
        return Check("Database", False, fact, "Start the server, or correct storage.database_url in settings.toml.")
    finally:
        engine.dispose()
    if schema is None:
        return Check("Database", False, f"{where} holds no schema yet.", "Run ./dabba, which makes it.")
    return _judge_schema(where, schema, HEAD)


def check_vectors(home: Home) -> Check:
    """The folder of the embedded index, and which process has it."""
    name, lock = "Article index", home.vectors / "dabba.lock"
    if not lock.exists():
        return Check(name, False, "There is none yet.", "Run ./dabba, which adds the sample kitchen.")
    holder = holder_of(lock)
    return Check(name, True, f"{home.vectors}, {f'held by {holder}' if holder else 'free'}")


def holder_of(lock: Path, table: str = _LOCKS) -> str:
    """The process that holds a lock on a file, as Linux lists it; "" when nobody does or it can't be known."""
    try:
        inode = str(lock.stat().st_ino)
        with open(table, encoding="ascii") as lines:  # noqa: PTH123 - a file of the kernel
            held = [int(f[4]) for f in map(str.split, lines) if len(f) > 5 and f[5].split(":")[-1] == inode]
    except OSError:
        return ""
    return f"process {held[0]} ({_command(held[0])})" if held else ""


def _command(pid: int) -> str:
    try:
        return " ".join(psutil.Process(pid).cmdline())[:80] or "no command line"
    except psutil.Error:
        return "of another user"


def check_kitchen(home: Home, marker: str) -> Check:
    if (home.root / marker).is_file():
        return Check("Sample kitchen", True, "was added")
    return Check("Sample kitchen", False, "Not added yet.", "Run ./dabba, which adds it.")
