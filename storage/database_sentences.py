"""What a failing database says, as a sentence of ours."""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, ProgrammingError

from storage.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseUnreachable,
    DiskFull,
    RecordRefused,
    StorageError,
)

if TYPE_CHECKING:
    from collections.abc import Generator


@contextmanager
def told_plainly(where: str, *kinds: type[Exception]) -> Generator[None]:
    """Raise errors of these kinds as errors of this floor. A fault in our own SQL stays as it is."""
    try:
        yield
    except kinds as error:
        told = storage_error(error, where)
        if told is None:
            raise
        raise told from error


def storage_error(error: Exception, where: str) -> StorageError | None:
    """`error` of SQLAlchemy, a driver or the file system as a sentence about the database `where`; None = our fault."""
    cause = error.orig if isinstance(error, DBAPIError) else error
    code = _code(cause)
    if code in {"FULL", "53100", "ENOSPC"}:
        return DiskFull(f"Nothing more can be kept in {where}: the disk is full. Make room and try again.")
    if code in {"BUSY", "LOCKED", "55P03", "40P01"}:
        return DatabaseBusy(
            f"The database {where} is busy: another process has kept it locked. "
            "Wait for that process or end it, then try again."
        )
    if code in {"CORRUPT", "NOTADB"}:
        return DatabaseDamaged(damaged(where, "it is not a whole SQLite file"))
    if isinstance(error, IntegrityError):
        return RecordRefused(f"A record can't be kept in {where}: {_first_line(cause)}. Correct the record.")
    if isinstance(error, DataError | ProgrammingError) or code in {"ERROR", "MISUSE", "RANGE"}:
        return None
    return DatabaseUnreachable(
        f"The database {where} can't be opened or written: {_reason(cause, code)}. "
        "Check that its folder or server is there and that you may write it."
    )


def damaged(where: str, reason: str) -> str:
    return (
        f"The database {where} is damaged: {reason}. "
        "Put a backup in its place, or move it away to begin with an empty one."
    )


def _code(cause: BaseException | None) -> str:
    """SQLite's primary result name (BUSY), PostgreSQL's SQLSTATE (53100) or an errno name (ENOSPC); else empty."""
    name = getattr(cause, "sqlite_errorname", None)
    if isinstance(name, str):
        return name.removeprefix("SQLITE_").split("_")[0]
    state = getattr(cause, "sqlstate", None)
    if isinstance(state, str):
        return state
    return "ENOSPC" if isinstance(cause, OSError) and cause.errno == errno.ENOSPC else ""


def _reason(cause: BaseException | None, code: str) -> str:
    known = {"READONLY": "it is read-only for you", "CANTOPEN": "it can't be opened as a file"}
    if code in known:
        return known[code]
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return _first_line(cause)


def _first_line(cause: BaseException | None) -> str:
    return str(cause).strip().partition("\n")[0].rstrip(".") or "no reason was given"
