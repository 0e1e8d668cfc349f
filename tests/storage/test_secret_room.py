"""Secrets asked from the loop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from storage.paths import Home
from storage.secret_room import SecretRoom

if TYPE_CHECKING:
    from pathlib import Path


async def test_that_a_tenants_secret_is_made_once_and_found_again_by_another_room(tmp_path: Path) -> None:
    home = Home(tmp_path).make()
    first, second = SecretRoom(home), SecretRoom(home)
    try:
        made = await first.tenant_secret("kamala")
        assert len(made) == 32
        assert await first.tenant_secret("kamala") == made
        assert await second.tenant_secret("kamala") == made
        assert await second.tenant_secret("meridian") != made
        assert await second.get("never set") is None
    finally:
        await first.close()
        await second.close()
