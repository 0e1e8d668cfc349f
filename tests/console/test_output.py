"""How commands speak when the terminal, the arguments or the moment are odd: real processes, real streams."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import console
from console.__main__ import INTERRUPTED

ROOT = Path(console.__file__).parents[1]
VALUE = {"title": "“डबा” é", "name": "half \udcff"}
SAY = f"""
from console.__main__ import main
from console.commands.output import print_json
from console import cli

def app():
    print({VALUE["title"]!r} + {VALUE["name"]!r})
    print_json({VALUE!r})

cli.app = app
main()
"""
INTERRUPTED_EARLY = """
import sys
from console.__main__ import main

class Interrupts:
    def find_spec(self, name, path=None, target=None):
        if name == "console.cli":
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupts())
main()
"""


def python(code: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=os.environ | environment, capture_output=True, check=False
    )


@pytest.mark.parametrize("encoding", ["utf-8:strict", "ascii", "latin-1"])
def test_that_letters_which_the_terminal_lacks_end_no_command(encoding: str) -> None:
    ran = python(SAY, PYTHONIOENCODING=encoding)
    assert (ran.returncode, ran.stderr) == (0, b"")
    _, value = ran.stdout.decode(encoding.split(":", maxsplit=1)[0]).split("\n", 1)
    assert json.loads(value) == VALUE


def test_that_ctrl_c_while_the_program_loads_is_told_by_the_exit_code_alone() -> None:
    ran = python(INTERRUPTED_EARLY)
    assert (ran.returncode, ran.stdout, ran.stderr) == (INTERRUPTED, b"", b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_that_a_full_output_ends_a_command_with_a_sentence(home_folder: Path) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        ended = subprocess.run(
            (sys.executable, "-m", "console", "usage"),
            cwd=ROOT,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert home_folder.exists()
