"""What can go wrong on this floor. `str(error)` is a finished sentence for the person at the desk."""

from __future__ import annotations


class StorageError(Exception):
    """Something kept on disk could not be read or written."""


class HomeUnusable(StorageError):
    """The home folder can't be made or written."""


class SettingsError(StorageError):
    """settings.toml can't be read or written, or says something that isn't allowed."""


class SecretError(StorageError):
    """A secret can't be read or kept."""


class WorkerClosed(StorageError):
    """Work was given to a worker after it was closed."""


class DatabaseUnreachable(StorageError):
    """The database can't be opened: its folder, its server or its driver."""


class DatabaseBusy(StorageError):
    """Another process kept the database to itself for too long."""


class DatabaseDamaged(StorageError):
    """The database file is not a database, or no longer a whole one."""


class DatabaseNewer(StorageError):
    """The database was made by a newer version of this program."""


class DiskFull(StorageError):
    """Nothing more can be written: the disk is full."""


class NoSuchRecord(StorageError):
    """A record that was named does not exist."""


class RecordRefused(StorageError):
    """A record can't be kept: it breaks a rule of the database."""
