"""Secrets for code that runs in the loop: a keyring may block for seconds, so it is asked in a thread of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.secrets import SecretStore
from storage.worker import Worker

if TYPE_CHECKING:
    from storage.paths import Home


class SecretRoom:
    """A SecretStore behind one worker. A tenant's signing secret is read once and then remembered."""

    def __init__(self, home: Home) -> None:
        self._store = SecretStore(home)
        self._worker = Worker("secrets")
        self._tenants: dict[str, bytes] = {}

    async def get(self, name: str) -> str | None:
        """Raises SecretError."""
        return await self._worker.run(self._store.get, name)

    async def set(self, name: str, value: str) -> None:
        """Raises SecretError."""
        await self._worker.run_to_end(self._store.set, name, value)

    async def delete(self, name: str) -> None:
        """Raises SecretError; nothing happens when there is none of that name."""
        await self._worker.run_to_end(self._store.delete, name)

    async def tenant_secret(self, tenant_id: str) -> bytes:
        """32 random bytes, made at the first use. Raises SecretError."""
        if tenant_id not in self._tenants:
            self._tenants[tenant_id] = await self._worker.run(self._store.tenant_secret, tenant_id)
        return self._tenants[tenant_id]

    async def close(self) -> None:
        await self._worker.aclose()
