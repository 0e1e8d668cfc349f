"""The remembered place of the window."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from console.shell.geometry import Frame, Geometry, fitted, load_geometry, save_geometry

if TYPE_CHECKING:
    from pathlib import Path

SCREEN = Frame(0, 0, 1920, 1080)
SECOND = Frame(1920, 0, 1280, 800)


def test_that_what_was_saved_is_read_back(tmp_path: Path) -> None:
    file = tmp_path / "home" / "window.json"
    for geometry in (Geometry(Frame(10, 20, 1440, 900), True, "live"), Geometry()):
        save_geometry(file, geometry)
        assert load_geometry(file) == geometry


@pytest.mark.parametrize("text", ["", "[]", "{", '{"frame": 3, "maximised": 0, "page": ""}', '{"frame": {}}', "null"])
def test_that_a_damaged_file_costs_only_the_place(tmp_path: Path, text: str) -> None:
    file = tmp_path / "window.json"
    file.write_text(text, encoding="utf-8")
    assert load_geometry(file) == Geometry()


def test_that_a_folder_which_cannot_be_written_does_not_stop_the_exit(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "home").write_text("not a folder")
    save_geometry(tmp_path / "home" / "window.json", Geometry())
    assert "cannot be kept" in caplog.text


@pytest.mark.parametrize(("frame", "expected"), [
    (Frame(100, 100, 1440, 900), Frame(100, 100, 1440, 900)),
    (Frame(900, 600, 1440, 900), Frame(480, 180, 1440, 900)),
    (Frame(0, 0, 300, 200), Frame(0, 0, 1024, 640)),
    (Frame(2000, 50, 1600, 700), Frame(1920, 50, 1280, 700)),
    (Frame(9000, 50, 1600, 700), None),
])  # fmt: skip
def test_that_a_window_always_lies_on_a_screen_that_exists(frame: Frame, expected: Frame | None) -> None:
    assert fitted(frame, (SCREEN, SECOND)) == expected
