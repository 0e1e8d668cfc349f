"""Test set-up for every floor: offscreen Qt before Qt is imported, and nothing left behind by a test."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


@pytest.fixture(autouse=True)
def _no_threads_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fails a test that leaves a thread of ours behind; daemon threads of libraries are not ours."""
    before = set(threading.enumerate())
    yield
    left = [t for t in threading.enumerate() if t not in before and not t.daemon and t.is_alive()]
    for thread in left:
        thread.join(timeout=2)
    alive = [t.name for t in left if t.is_alive()]
    assert not alive, f"{request.node.nodeid} left threads behind: {alive}. Close what starts them."


@pytest.fixture
def home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty DABBA_HOME for one test."""
    folder = tmp_path / "home"
    monkeypatch.setenv("DABBA_HOME", str(folder))
    return folder
