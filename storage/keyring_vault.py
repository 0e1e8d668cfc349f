"""The system's keyring as a place for secrets. Loaded at first use: looking for a keyring takes a moment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.errors import SecretError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE = "dabba-console"


class KeyringVault:
    """Secrets of one home in the keyring of the person who runs this process."""

    def __init__(self, home: str) -> None:
        self._home = home

    def keep(self, name: str, value: str) -> bool:
        """Keep the secret; False when this process has no keyring. Raises SecretError when the keyring refuses."""
        keyring = _usable_keyring()
        if keyring is None:
            return False
        from keyring.errors import KeyringError

        try:
            keyring.set_password(SERVICE, self._account(name), value)  # pyright: ignore[reportUnknownMemberType]
        except KeyringError as error:
            raise SecretError(
                f"The keyring did not keep the secret {name}: {error}. Unlock it and try again."
            ) from error
        return True

    def get(self, name: str) -> str:
        """A secret that was kept before. Raises SecretError when it can't be had."""
        from keyring.errors import KeyringError

        keyring = _usable_keyring()
        if keyring is None:
            raise SecretError(_out_of_reach(name, "no keyring can be reached from here"))
        try:
            value = keyring.get_password(SERVICE, self._account(name))
        except KeyringError as error:
            raise SecretError(_out_of_reach(name, str(error))) from error
        if value is None:
            raise SecretError(_out_of_reach(name, "it has been deleted there"))
        return value

    def delete(self, name: str) -> None:
        """Forget a secret that was kept before; it may be gone already. Raises SecretError."""
        from keyring.errors import KeyringError, PasswordDeleteError

        keyring = _usable_keyring()
        if keyring is None:
            raise SecretError(_out_of_reach(name, "no keyring can be reached from here"))
        try:
            keyring.delete_password(SERVICE, self._account(name))
        except PasswordDeleteError:
            return
        except KeyringError as error:
            raise SecretError(_out_of_reach(name, str(error))) from error

    def _account(self, name: str) -> str:
        return f"{self._home}:{name}"


def _usable_keyring() -> KeyringBackend | None:
    """The keyring of this session; None where there is only keyring's stand-in, which has no priority."""
    import keyring

    backend = keyring.get_keyring()
    return backend if backend.priority > 0 else None


def _out_of_reach(name: str, reason: str) -> str:
    return (
        f"The secret {name} can't be read: it is in the system's keyring and {reason}. "
        "Log in to a session with that keyring, or set the secret again."
    )
