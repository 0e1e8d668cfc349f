"""Secrets: in the keyring where there is one, else in a private file; made once, whoever asks."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

from storage.errors import SecretError
from storage.paths import Home
from storage.secrets import SecretStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Drawer(KeyringBackend):
    """A keyring in memory."""

    priority = 5  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.locked = False

    def _open(self) -> dict[tuple[str, str], str]:
        if self.locked:
            raise KeyringLocked("it is locked")
        return self.kept

    def get_password(self, service: str, username: str) -> str | None:
        return self._open().get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._open()[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self._open().pop((service, username), None) is None:
            raise PasswordDeleteError("gone")


@pytest.fixture
def drawer() -> Iterator[Drawer]:
    before = keyring.get_keyring()
    keyring.set_keyring(one := Drawer())
    yield one
    keyring.set_keyring(before)


def test_that_without_a_keyring_a_private_file_keeps_secrets(home: Home) -> None:
    store = SecretStore(home)
    assert store.get("orders") is None
    store.set("orders", "s3cret ₹")
    assert SecretStore(home).get("orders") == "s3cret ₹"
    assert home.secrets_file.stat().st_mode & 0o777 == 0o600
    store.delete("orders")
    store.delete("orders")
    assert store.get("orders") is None


def test_that_with_a_keyring_no_secret_is_in_the_file(home: Home, drawer: Drawer) -> None:
    store = SecretStore(home)
    store.set("orders", "s3cret")
    assert store.get("orders") == "s3cret"
    assert "s3cret" not in home.secrets_file.read_text()
    assert list(drawer.kept.values()) == ["s3cret"]
    store.delete("orders")
    assert drawer.kept == {}
    assert store.get("orders") is None


def test_that_two_homes_have_their_own_secrets(tmp_path: Path, drawer: Drawer) -> None:
    secrets = {SecretStore(Home(tmp_path / name)).tenant_secret("kamala") for name in ("one", "two")}
    assert len(secrets) == 2


def test_that_a_tenant_has_one_secret_of_32_bytes(home: Home) -> None:
    store = SecretStore(home)
    secret = store.tenant_secret("kamala")
    assert len(secret) == 32
    assert SecretStore(home).tenant_secret("kamala") == secret
    assert store.tenant_secret("annapurna") != secret


def test_that_a_secret_in_a_keyring_out_of_reach_is_not_made_anew(home: Home, drawer: Drawer) -> None:
    secret = SecretStore(home).tenant_secret("kamala")
    drawer.locked = True
    with pytest.raises(SecretError, match="locked"):
        SecretStore(home).tenant_secret("kamala")
    drawer.locked = False
    drawer.priority = 0  # type: ignore[assignment]
    with pytest.raises(SecretError, match="no keyring can be reached"):
        SecretStore(home).tenant_secret("kamala")
    drawer.priority = 5  # type: ignore[assignment]
    assert SecretStore(home).tenant_secret("kamala") == secret


def test_that_a_keyring_emptied_by_someone_is_told(home: Home, drawer: Drawer) -> None:
    store = SecretStore(home)
    store.set("orders", "s3cret")
    drawer.kept.clear()
    with pytest.raises(SecretError, match="deleted there"):
        store.get("orders")
    store.delete("orders")
    assert store.get("orders") is None


@pytest.mark.parametrize("content", ["{", "[]", '{"orders": 3}', '{"orders": {"value": 3}}'])
def test_that_a_damaged_file_is_told_and_left_alone(home: Home, content: str) -> None:
    home.make().secrets_file.write_text(content)
    with pytest.raises(SecretError, match="not whole"):
        SecretStore(home).tenant_secret("kamala")
    assert home.secrets_file.read_text() == content


ASKER = """
import sys
from pathlib import Path
from storage.paths import Home
from storage.secrets import SecretStore
print(SecretStore(Home(Path(sys.argv[1]))).tenant_secret("kamala").hex())
"""


def test_that_processes_asking_at_once_get_the_same_secret(home: Home) -> None:
    askers = [
        subprocess.Popen([sys.executable, "-c", ASKER, str(home.root)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    secrets = {asker.communicate(timeout=60)[0] for asker in askers}
    assert len(secrets) == 1
    assert list(json.loads(home.secrets_file.read_text())) == ["tenant:kamala"]
