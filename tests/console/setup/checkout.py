"""A checkout with nothing but the way in, for tests that really run `./dabba`."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[3]
NEEDED = ("console/__init__.py", "console/setup", "engine_host/__init__.py", "engine_host/engine", "storage")
TELL = """
import json, os, sys
print(json.dumps({"module": __spec__.name, "arguments": sys.argv[1:], "folder": os.getcwd(), "prefix": sys.prefix}))
"""


@dataclass(frozen=True, slots=True)
class Checkout:
    root: Path

    @property
    def environment(self) -> Path:
        return self.root / ".venv"

    @property
    def marker(self) -> Path:
        return self.environment / "dabba.json"

    @property
    def pip(self) -> Path:
        """The folder of the fake pip, with the files that say what it does."""
        return self.environment / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}" / "site-packages" / "pip"

    def pip_calls(self) -> list[str]:
        calls = self.pip / "calls"
        return calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []

    def with_fake_pip(self) -> Checkout:
        """An environment without a marker, as after an interruption, whose pip needs no network."""
        asked = [sys.executable, "-m", "venv", "--without-pip", str(self.environment)]
        subprocess.run(asked, check=True)
        self.pip.mkdir(parents=True)
        (self.pip / "__init__.py").touch()
        shutil.copy(ROOT / "tests" / "fakes" / "pip_module.py", self.pip / "__main__.py")
        return self

    def start(
        self, *arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [str(self.root / "dabba"), *arguments],
            cwd=cwd or self.root,
            env=os.environ | {"DABBA_PYTHON": sys.executable} | dict(environment or {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=_interruptible,  # noqa: PLW1509 - nothing else may be done between fork and exec
        )

    def run(
        self, *arguments: str, cwd: Path | None = None, environment: Mapping[str, str] | None = None
    ) -> tuple[int, dict[str, object], str]:
        """Exit code, what the started module saw, and stderr."""
        started = self.start(*arguments, cwd=cwd, environment=environment)
        out, err = started.communicate(timeout=60)
        return started.returncode, json.loads(out) if out else {}, err


def make_checkout(folder: Path, lock: str = "tiny==1.0 \\\n    --hash=sha256:00\n") -> Checkout:
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    shutil.copy(ROOT / "dabba", folder / "dabba")
    for module in ("__main__", "testing"):
        (folder / "console" / f"{module}.py").write_text(TELL, encoding="utf-8")
    (folder / "requirements").mkdir()
    (folder / "requirements" / "console.lock").write_text(lock, encoding="utf-8")
    (folder / "requirements" / "dev.lock").write_text(f"{lock}tools==2.0\n", encoding="utf-8")
    return Checkout(folder)


def wait_until(true: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + 30
    while not true():
        assert time.monotonic() < until, f"waited in vain for {what}"
        select.select([], [], [], 0.02)


def _interruptible() -> None:
    """Ctrl+C ends the program, also when the tests run in the background of a shell, which takes that from them."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
