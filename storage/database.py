"""The database: opened and brought to the newest schema once, then written by one thread."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from storage.connect import database_url, make_engine
from storage.database_sentences import told_plainly
from storage.migrate import bring_to_head
from storage.paths import Home
from storage.worker import Worker

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import URL, Engine

T = TypeVar("T")
BUSY_TIMEOUT_S = 10.0


class Database:
    """Runs functions over a Session, each in one transaction, one after the other, in its own thread."""

    def __init__(self, engine: Engine, worker: Worker, where: str) -> None:
        """Use `Database.open`."""
        self._engine = engine
        self._worker = worker
        self._where = where

    @classmethod
    async def open(cls, url_or_home: str | Home, *, busy_timeout_s: float = BUSY_TIMEOUT_S) -> Database:
        """Open the SQLite file of a home, or a `sqlite:///` or `postgresql://` URL, and bring it to the newest schema.

        An existing SQLite file is copied beside itself before it changes. Raises StorageError; nothing stays open then.
        """
        if isinstance(url_or_home, Home):
            url = database_url("sqlite:///x").set(database=str(url_or_home.database_file))
        else:
            url = database_url(url_or_home)
        worker = Worker("database")
        where = str(url.database) if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)
        try:
            engine = await worker.run(_open, url, where, busy_timeout_s)
        except BaseException:
            await worker.aclose()
            raise
        return cls(engine, worker, where)

    async def run(self, fn: Callable[[Session], T]) -> T:
        """Run `fn` in one transaction and return what it returns: frozen records, never rows.

        An exception of `fn` undoes the transaction and is raised. Once given, `fn` runs even if the caller is
        cancelled. Raises StorageError when the database fails.
        """
        return await self._worker.run_to_end(self._in_transaction, fn)

    async def close(self) -> None:
        """Finish what was given and close the connection. A second call does nothing."""
        if not self._worker.closed:
            await self._worker.run(self._engine.dispose)
            await self._worker.aclose()

    def _in_transaction(self, fn: Callable[[Session], T]) -> T:
        with (
            told_plainly(self._where, DBAPIError),
            Session(self._engine, expire_on_commit=False) as session,
            session.begin(),
        ):
            return fn(session)


def _open(url: URL, where: str, busy_timeout_s: float) -> Engine:
    with told_plainly(where, DBAPIError, sqlite3.Error, OSError):
        migrating = make_engine(url, busy_timeout_s, foreign_keys=False)
        try:
            bring_to_head(migrating, where)
        finally:
            migrating.dispose()
        return make_engine(url, busy_timeout_s)
