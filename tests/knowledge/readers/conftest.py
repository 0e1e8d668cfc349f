from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from knowledge.readers import Apart

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    """The process that parses, one for all tests of a module."""
    with Apart() as started:
        yield started
