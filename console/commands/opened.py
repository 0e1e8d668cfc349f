"""The house of the home that the environment names, for one command."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from console.house import House


@asynccontextmanager
async def opened_house() -> AsyncGenerator[House]:
    from console.house import open_house
    from storage.paths import home_from_environment

    house = await open_house(home_from_environment())
    try:
        yield house
    finally:
        await house.close()
