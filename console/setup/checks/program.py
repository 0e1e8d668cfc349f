"""Is the program itself whole: Python, PySide6, packages, fonts, display."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from packaging.requirements import InvalidRequirement, Requirement

from console.setup.checks.check import Check
from console.setup.machine import display_of
from engine_host.engine.children import Finished, run_lines

ROOT: Final = Path(__file__).parents[3]
LOCK: Final = ROOT / "requirements" / "console.lock"
AGAIN: Final = "Run ./dabba, which installs what the lock names."
PYTHON: Final = sys.version_info[:3]
NONE_TAKEN_LIMIT: Final = 100
_PROBE_LIMIT_S: Final = 10.0
_FAMILIES: Final = ("Inter", "JetBrains Mono", "Noto Sans Devanagari")


def check_python(python: tuple[int, ...] = PYTHON) -> Check:
    told = f"Python {'.'.join(map(str, python))} in {sys.prefix}"
    if python < (3, 11):
        return Check("Python", False, f"{told} is too old.", "Install Python 3.11 or newer, then run ./dabba.")
    return Check("Python", True, told)


def check_packages(lock: Path = LOCK) -> Check:
    """Every package of the lock that this machine needs, in the version of the lock."""
    try:
        wanted = locked_here(lock.read_text(encoding="utf-8"))
    except OSError as error:
        return Check("Packages", False, f"The lock {lock} can't be read: {error.strerror}.", "Restore it from git.")
    wrong = [told for name, pinned in wanted.items() if (told := _deviation(name, pinned))]
    if wrong:
        more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
        return Check("Packages", False, f"Not as the lock says: {', '.join(wrong[:3])}{more}.", AGAIN)
    return Check("Packages", True, f"{len(wanted)} packages, each as the lock says")


def locked_here(lock_text: str) -> dict[str, str]:
    """Name -> version of the lock's lines that count on this machine."""
    found: dict[str, str] = {}
    for line in re.findall(r"^[A-Za-z0-9][^\\\n]*==[^\\\n]*", lock_text, re.MULTILINE):
        try:
            requirement = Requirement(line.strip())
        except InvalidRequirement:
            continue
        if requirement.marker is None or requirement.marker.evaluate():
            found[requirement.name] = str(requirement.specifier).removeprefix("==")
    return found


def _deviation(name: str, pinned: str) -> str:
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f"{name} is missing"
    return "" if installed == pinned else f"{name} is {installed}, not {pinned}"


async def qt_checks() -> list[Check]:
    """PySide6, fonts and display, as a process of its own found them."""
    display = display_of(os.environ)
    probe, said = await probe_qt(None if display else "offscreen")
    checks: list[Check] = []
    if display and probe is None:
        checks.append(check_closed_display(display, await missing_libraries(), said))
        probe, said = await probe_qt("offscreen")
    elif probe:
        told = f"{display}, by Qt's {probe['platform']}" if display else "none: the program runs offscreen"
        checks.append(Check("Display", True, told))
    return [check_pyside(probe, said), *checks, check_fonts(probe)]


def check_closed_display(display: str, missing: list[str], said: Finished | None) -> Check:
    """A display on which Qt opens no window: libraries of the system that are missing, else what Qt says."""
    fact = f"No window can be opened on {display}"
    if missing:
        step = f"On Debian and Ubuntu: apt install {' '.join(map(debian_package, missing))}"
        return Check("Display", False, f"{fact}: {', '.join(missing)} is not installed.", step)
    step = "Start the display, or set QT_QPA_PLATFORM=offscreen to go on without a window."
    return Check("Display", False, f"{fact}: {_reason(said)}.", step)


async def missing_libraries() -> list[str]:
    """What Qt's X11 plugin needs and the system lacks, by the names of the files; Qt itself names only one of them."""
    found = find_spec("PySide6")
    if found is None or found.origin is None or shutil.which("ldd") is None:
        return []
    lines: list[str] = []
    await run_lines(["ldd", str(Path(found.origin).parent / "Qt/plugins/platforms/libqxcb.so")], lines.append)
    return sorted({line.split()[0] for line in lines if line.endswith("=> not found")})


def debian_package(library: str) -> str:
    """`libxcb-icccm.so.4` is in libxcb-icccm4, `libxkbcommon-x11.so.0` in libxkbcommon-x11-0."""
    name, _, number = library.lower().partition(".so.")
    return f"{name}-{number}" if name[-1].isdigit() else f"{name}{number}"


async def probe_qt(platform: str | None) -> tuple[dict[str, Any] | None, Finished | None]:
    """What qt_probe found on `platform` (None = the display of this session); None when it did not get that far."""
    lines: list[str] = []
    extra = {"PYTHONPATH": str(ROOT)} | ({"QT_QPA_PLATFORM": platform} if platform else {})
    try:
        async with asyncio.timeout(_PROBE_LIMIT_S):
            done = await run_lines([sys.executable, "-P", "-m", "console.setup.qt_probe"], lines.append, extra)
    except TimeoutError:
        return None, None
    found = [line for line in lines if line.startswith('{"version"')]
    return (json.loads(found[-1]) if done.returncode == 0 and found else None), done


def check_pyside(
    probe: dict[str, Any] | None, said: Finished | None, python: tuple[int, ...] = sys.version_info[:2]
) -> Check:
    """On Python 3.11 PySide6 6.12.0 takes a reference from None with every call, until the program dies."""
    pair = f"PySide6 {_installed('PySide6-Essentials')} on Python {python[0]}.{python[1]}"
    if probe is None:
        return Check("PySide6", False, f"{pair} does not start: {_reason(said)}.", AGAIN)
    if probe["none_taken"] > NONE_TAKEN_LIMIT and python < (3, 12):
        fact = f"{pair} would end the program: {probe['none_taken']} references of None are lost in 1,000 calls."
        return Check("PySide6", False, fact, "Run ./dabba, which installs the version of the lock, or use Python 3.12.")
    return Check("PySide6", True, pair)


def check_fonts(probe: dict[str, Any] | None) -> Check:
    if probe is None:
        return Check("Fonts", False, "The shipped fonts can't be read while PySide6 does not start.", AGAIN)
    lacking = [family for family in _FAMILIES if family not in probe["families"]]
    if lacking or not probe["devanagari"]:
        fact = f"{', '.join(lacking) or 'A font with Devanagari'} is missing."
        return Check("Fonts", False, fact, "Restore assets/fonts from the repository.")
    return Check("Fonts", True, f"shipped: {', '.join(_FAMILIES)} (Hindi and Marathi)")


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "(not installed)"


def _reason(said: Finished | None) -> str:
    if said is None:
        return f"Qt did not answer within {_PROBE_LIMIT_S:.0f} s"
    lines = [line.strip().rstrip(".") for line in said.tail if line.strip()]
    for sign in ("could not connect", "Error", "plugin"):
        if told := [line for line in lines if sign in line]:
            return told[0].removeprefix("qt.qpa.xcb: ").removeprefix("qt.qpa.plugin: ")
    return lines[0] if lines else f"it ended with {said.returncode}"
