"""What a failing database says, as a sentence of ours."""

from __future__ import annotations

from sqlalchemy.exc import DBAPIError, IntegrityError

from storage.errors import (
    DatabaseBusy,
    DatabaseDamaged,
    DatabaseUnreachable,
    DiskFull,
    RecordRefused,
    StorageError,
)


def storage_error(error: Exception, where: str) -> StorageError:
    """`error` of SQLAlchemy, a driver or the file system as an error of this floor. `where` names the database."""
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
    return "ENOSPC" if isinstance(cause, OSError) and cause.errno == 28 else ""


def _reason(cause: BaseException | None, code: str) -> str:
    known = {"READONLY": "it is read-only for you", "CANTOPEN": "it can't be opened as a file"}
    if code in known:
        return known[code]
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return _first_line(cause)


def _first_line(cause: BaseException | None) -> str:
    return str(cause).strip().partition("\n")[0].rstrip(".") or "no reason was given"
