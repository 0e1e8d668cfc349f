"""Makes `.venv` from the lock: alone, resumable, with one line that says how far it is. Standard library only."""

from __future__ import annotations

import contextlib
import fcntl
import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NoReturn, cast

from console.setup.environment import (
    MARKER,
    Kind,
    environment_folder,
    environment_python,
    is_ready,
    lock_file,
    wanted_marker,
)
from console.setup.lines import DONE, FAILED, RUNNING, STOPPED, StepLine, duration_text, step_line
from console.setup.pip_run import PipCount, run_watched
from console.setup.way_in import own_environment
from storage.files import write_atomically

if TYPE_CHECKING:
    import io
    from collections.abc import Generator
    from types import FrameType

TITLES: Final[dict[Kind, str]] = {"console": "Console packages", "dev": "Test packages"}
NEEDED_BYTES: Final = 1_500_000_000
LOG: Final = "dabba-pip.log"
_AGAIN: Final = "Run ./dabba again: what was downloaded is kept."


class InstallRefused(Exception):
    """The environment could not be made; `str(e)` is a finished sentence."""


def make_ready_or_exit(root: Path, kind: Kind) -> None:
    """Make the environment, showing one line on stderr; exits with a sentence when that is not possible."""
    stream = cast("io.TextIOWrapper", sys.stderr)
    stream.reconfigure(errors="replace")  # a terminal may know ASCII only
    for sign in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(sign) is not signal.SIG_IGN:  # nohup
            signal.signal(sign, _leave)
    step = StepLine(stream)
    title, begun = TITLES[kind], time.monotonic()
    try:
        told = make_ready(root, kind, step)
    except InstallRefused as refused:
        step.end(step_line(FAILED, title, (str(refused),)))
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        step.end(step_line(STOPPED, title, (f"stopped. {_AGAIN}",)))
        raise SystemExit(130) from None
    step.end(step_line(DONE, title, (told, duration_text(time.monotonic() - begun))))


def _leave(number: int, _frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


def make_ready(root: Path, kind: Kind, step: StepLine) -> str:
    """Finish, update or remake the environment; returns what there is now. Raises InstallRefused.

    May be ended at any moment and run again: the marker is taken away first and written last.
    """
    title = TITLES[kind]
    try:
        with _alone(root, step, title) as held:
            if is_ready(root, kind):
                return "made by another ./dabba"
            _check_space(root)
            (environment_folder(root) / MARKER).unlink(missing_ok=True)
            _make_environment(root, step, title)
            count = _install(root, kind, step, title, held)
            _finish(root, kind)
            return count
    except OSError as error:
        raise InstallRefused(
            f"The environment in {environment_folder(root)} can't be made: {error.strerror or error}. "
            "Check the folder's permissions and its disk, then run ./dabba again."
        ) from error


@contextlib.contextmanager
def _alone(root: Path, step: StepLine, title: str) -> Generator[int]:
    with (root / ".venv.lock").open("a") as file:
        if not _take(file, fcntl.LOCK_NB):
            step.show(step_line(RUNNING, title, ("another ./dabba makes them, waiting for it",)))
            _take(file, 0)
        yield file.fileno()


def _take(file: IO[str], how: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | how)
    except BlockingIOError:
        return False
    return True


def _check_space(root: Path) -> None:
    free = shutil.disk_usage(root).free
    if free < NEEDED_BYTES and not environment_python(root).exists():
        raise InstallRefused(
            f"The environment needs {NEEDED_BYTES / 1e9:.1f} GB: the disk of {root} has {free / 1e9:.1f} GB free. "
            "Make room there, then run ./dabba again."
        )


def _make_environment(root: Path, step: StepLine, title: str) -> None:
    """Keep an environment whose Python and pip run; make anything else anew."""
    folder, python = environment_folder(root), environment_python(root)
    if _runs([str(python), "-I", "-c", "import pip"]):
        return
    step.show(step_line(RUNNING, title, ("making the Python environment",)))
    base: str = getattr(sys, "_base_executable", sys.executable)  # the environment's own Python is about to go
    made = subprocess.run(  # noqa: S603 - our own Python
        [base, "-m", "venv", "--clear", str(folder)], capture_output=True, text=True, env=own_environment(), check=False
    )
    if made.returncode != 0:
        said = (made.stdout + made.stderr).strip().splitlines()
        raise InstallRefused(
            f"The environment in {folder} can't be made: {said[-1].rstrip('.') if said else 'Python gave no reason'}. "
            "On Debian and Ubuntu install the package python3-venv, then run ./dabba again."
        )


def _runs(argv: list[str]) -> bool:
    try:
        return subprocess.run(argv, capture_output=True, env=own_environment(), check=False).returncode == 0  # noqa: S603
    except OSError:
        return False


def _install(root: Path, kind: Kind, step: StepLine, title: str, held: int) -> str:
    folder, lock = environment_folder(root), lock_file(root, kind)
    scratch = folder / "tmp"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir()
    count, begun = PipCount(lock.read_text(encoding="utf-8"), scratch, folder), time.monotonic()
    pip = [str(environment_python(root)), "-m", "pip", "install", "--no-input", "--no-deps", "--progress-bar=off"]
    argv = [*pip, "--disable-pip-version-check", "--require-hashes", "-r", str(lock)]
    environment = own_environment() | {"TMPDIR": str(scratch), "PIP_USER": "0", "PYTHONUNBUFFERED": "1"}

    def on_tick() -> None:
        step.show(step_line(RUNNING, title, (count.text(), duration_text(time.monotonic() - begun))))

    with (folder / LOG).open("w", encoding="utf-8") as log:

        def on_line(line: str) -> None:
            log.write(f"{line}\n")
            count.feed(line)

        code = run_watched(argv, environment, on_line, on_tick, held)
    shutil.rmtree(scratch, ignore_errors=True)
    if code != 0:
        raise InstallRefused(
            f"The packages can't be installed: {count.reader.reason()}. "
            f"Check the network or pip's settings, then run ./dabba again. All that pip said: {folder / LOG}"
        )
    return f"{count.met} packages"


def _finish(root: Path, kind: Kind) -> None:
    """Put the checkout on the environment's path and, last of all, say that it is whole."""
    folder = environment_folder(root)
    python = str(environment_python(root))
    asked = "import sysconfig, sys; print(sysconfig.get_path('purelib')); print('%d.%d' % sys.version_info[:2])"
    told = subprocess.run([python, "-I", "-c", asked], capture_output=True, text=True, check=True)  # noqa: S603
    packages, version = told.stdout.splitlines()
    _write(Path(packages) / "dabba-console.pth", f"{root}\n")
    _write(folder / MARKER, json.dumps(wanted_marker(root, kind) | {"python": version}))


def _write(path: Path, text: str) -> None:
    write_atomically(path, text.encode())
    path.chmod(0o644)  # one user may make the environment and another use it
