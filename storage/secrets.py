"""Secrets by name: in the system's keyring where there is one, else in a file that only its owner reads."""

from __future__ import annotations

import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal

from filelock import FileLock, Timeout
from pydantic import BaseModel, ConfigDict, TypeAdapter

from storage.errors import SecretError
from storage.files import write_atomically
from storage.keyring_vault import KeyringVault

if TYPE_CHECKING:
    from collections.abc import Generator

    from storage.paths import Home

LOCK_TIMEOUT_S = 10.0


class Entry(BaseModel):
    """Where one secret is kept; `value` is empty when it is in the keyring."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kept: Literal["file", "keyring"]
    value: str = ""


_ENTRIES = TypeAdapter(dict[str, Entry])


class SecretStore:
    """The secrets of one home. Blocking and quick; several processes may use the same home.

    The file says of each secret where it is kept, so that a process without the keyring refuses instead of making
    another secret with the same name.
    """

    def __init__(self, home: Home) -> None:
        self._home = home
        self._vault = KeyringVault(str(home.root))

    def get(self, name: str) -> str | None:
        """The secret, or None when there is none of that name. Raises SecretError."""
        entry = self._read().get(name)
        if entry is None:
            return None
        return self._vault.get(name) if entry.kept == "keyring" else entry.value

    def set(self, name: str, value: str) -> None:
        """Keep `value` under `name`. Raises SecretError."""
        with self._locked():
            self._set(name, value)

    def delete(self, name: str) -> None:
        """Forget the secret; nothing happens when there is none of that name. Raises SecretError."""
        with self._locked():
            entries = self._read()
            entry = entries.pop(name, None)
            if entry is None:
                return
            if entry.kept == "keyring":
                self._vault.delete(name)
            self._write(entries)

    def tenant_secret(self, tenant_id: str) -> bytes:
        """The 32 random bytes that sign this tenant's customer tokens; made at the first use. Raises SecretError."""
        name = f"tenant:{tenant_id}"
        with self._locked():
            kept = self.get(name)
            if kept is None:
                kept = secrets.token_hex(32)
                self._set(name, kept)
        return bytes.fromhex(kept)

    def _set(self, name: str, value: str) -> None:
        entries = self._read()
        entries[name] = Entry(kept="keyring") if self._vault.keep(name, value) else Entry(kept="file", value=value)
        self._write(entries)

    @contextmanager
    def _locked(self) -> Generator[None]:
        lock = FileLock(self._home.make().run / "secrets.lock", timeout=LOCK_TIMEOUT_S)
        try:
            lock.acquire()
        except Timeout as error:
            raise SecretError("The secrets are busy: another process has kept them locked. Try again.") from error
        try:
            yield
        finally:
            lock.release()

    def _read(self) -> dict[str, Entry]:
        file = self._home.secrets_file
        try:
            return _ENTRIES.validate_json(file.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SecretError(f"{file} can't be read: {error.strerror}. Check its permissions.") from error
        except ValueError as error:
            raise SecretError(
                f"{file} can't be read: it is not whole. Put a backup in its place, or delete it and set them again."
            ) from error

    def _write(self, entries: dict[str, Entry]) -> None:
        file = self._home.secrets_file
        try:
            write_atomically(file, _ENTRIES.dump_json(entries, indent=1))
        except OSError as error:
            raise SecretError(f"{file} can't be written: {error.strerror}. Make room there and try again.") from error
