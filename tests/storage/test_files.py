"""Sizes of folders that others fill and empty meanwhile."""

from __future__ import annotations

import shutil
import threading
from typing import TYPE_CHECKING

from storage.files import bytes_below

if TYPE_CHECKING:
    from pathlib import Path


def test_that_all_files_below_a_folder_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "one").write_bytes(b"12")
    (tmp_path / "a" / "b" / "two").write_bytes(b"345")
    assert bytes_below(tmp_path) == 5
    assert bytes_below(tmp_path / "not there") == 0


def test_that_folders_may_vanish_while_they_are_counted(tmp_path: Path) -> None:
    stop = threading.Event()

    def churn() -> None:
        while not stop.is_set():
            for number in range(20):
                (tmp_path / f"folder {number}" / "deep").mkdir(parents=True, exist_ok=True)
                (tmp_path / f"folder {number}" / "deep" / "file").write_bytes(b"x")
            for number in range(20):
                shutil.rmtree(tmp_path / f"folder {number}")

    churning = threading.Thread(target=churn)
    churning.start()
    try:
        assert all(bytes_below(tmp_path) >= 0 for _ in range(300))
    finally:
        stop.set()
        churning.join()
