"""The walls of the house, read from every import in the tree."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
FLOORS = {"storage": 1, "knowledge": 2, "engine_host": 3, "console": 4}
AREAS = {"chat", "articles", "engine", "live", "tenants", "lab", "settings"}
QT = {"PySide6", "pyqtgraph", "shiboken6"}
HTTPX_ROOMS = {"engine_host/http.py"}


class Import(NamedTuple):
    file: str
    line: int
    module: str

    @property
    def package(self) -> str:
        return self.module.split(".")[0]

    def __str__(self) -> str:
        return f"{self.file}:{self.line} imports {self.module}"


def imports_of(path: Path) -> list[Import]:
    file = path.relative_to(ROOT).as_posix()
    found: list[Import] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [Import(file, node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{file}:{node.lineno} is a relative import. Name the room in full."
            found += [Import(file, node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def all_imports() -> list[Import]:
    files = [path for floor in FLOORS for path in (ROOT / floor).rglob("*.py")]
    assert len(files) > 20, "The import test saw almost no files: is it looking at the right folder?"
    return [found for path in files for found in imports_of(path)]


def test_that_no_room_imports_a_floor_above_it() -> None:
    wrong = [str(i) for i in all_imports() if i.package in FLOORS and FLOORS[i.package] > FLOORS[i.file.split("/")[0]]]
    assert not wrong, "A room imports only from its own floor and those below. Move the code down: " + str(wrong)


def test_that_qt_stays_on_the_top_floor() -> None:
    wrong = [str(i) for i in all_imports() if i.package in QT and not i.file.startswith("console/")]
    assert not wrong, "Only console/ may import Qt. Publish frozen records instead: " + str(wrong)


def test_that_commands_do_not_import_qt_when_they_load() -> None:
    wrong = [str(i) for i in all_imports() if i.package in QT and i.file.startswith("console/commands/")]
    assert not wrong, "Commands run without Qt. Import the window inside console/app.py: " + str(wrong)


def area_of(dotted: list[str]) -> str | None:
    return dotted[1] if len(dotted) > 2 and dotted[0] == "console" and dotted[1] in AREAS else None


def test_that_no_area_of_the_console_imports_another() -> None:
    wrong = [
        str(i)
        for i in all_imports()
        if (here := area_of(i.file.split("/"))) and (there := area_of(i.module.split("."))) and here != there
    ]
    assert not wrong, "Areas stay apart. Put what both need in console/widgets or lower: " + str(wrong)


def test_that_only_one_room_makes_http_clients() -> None:
    wrong: list[str] = []
    for floor in FLOORS:
        for path in (ROOT / floor).rglob("*.py"):
            file = path.relative_to(ROOT).as_posix()
            if file not in HTTPX_ROOMS and "httpx.AsyncClient(" in path.read_text(encoding="utf-8"):
                wrong.append(file)
    assert not wrong, "HTTP clients come from engine_host/http.py, with its time-outs: " + str(wrong)
