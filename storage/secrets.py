"""Secrets by name: in the system's keyring where there is one, else in a file that only its owner reads."""

from __future__ import annotations

import json
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from filelock import FileLock, Timeout

from storage.errors import SecretError
from storage.files import write_atomically
from storage.keyring_vault import KeyringVault

if TYPE_CHECKING:
    from collections.abc import Generator

    from storage.paths import Home

IN_KEYRING = {"kept": "keyring"}
LOCK_TIMEOUT_S = 10.0


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
        return self._vault.get(name) if entry == IN_KEYRING else str(entry["value"])

    def set(self, name: str, value: str) -> None:
        """Keep `value` under `name`. Raises SecretError."""
        with self._locked():
            self._set(name, value)

    def delete(self, name: str) -> None:
        """Forget the secret; nothing happens when there is none of that name. Raises SecretError."""
        with self._locked():
            entries = self._read()
            if entries.get(name) == IN_KEYRING:
                self._vault.delete(name)
            if entries.pop(name, None) is not None:
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
        entries[name] = IN_KEYRING if self._vault.keep(name, value) else {"value": value}
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

    def _read(self) -> dict[str, Any]:
        file = self._home.secrets_file
        try:
            return json.loads(file.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise SecretError(f"{file} can't be read: {error.strerror}. Check its permissions.") from error
        except ValueError as error:
            raise SecretError(
                f"{file} can't be read: it is not whole. Put a backup in its place, or delete it and set them again."
            ) from error

    def _write(self, entries: dict[str, Any]) -> None:
        file = self._home.secrets_file
        try:
            write_atomically(file, json.dumps(entries, indent=1, sort_keys=True).encode())
        except OSError as error:
            raise SecretError(f"{file} can't be written: {error.strerror}. Make room there and try again.") from error
