"""docs/beyond-one-machine.md prints what the command prints."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from console.commands.engine import app

PAGE = (Path(__file__).parents[2] / "docs" / "beyond-one-machine.md").read_text(encoding="utf-8")
COMMAND = re.compile(r"^\$ dabba engine ((?:.*\\\n)*.*)\n", re.M)


@pytest.mark.usefixtures("home_folder")
def test_that_every_output_on_the_page_is_that_of_its_command() -> None:
    blocks = re.findall(r"```console\n(.*?)```", PAGE, re.S)
    assert len(blocks) == 4
    for block in blocks:
        asked = COMMAND.findall(block)
        printed = [CliRunner().invoke(app, shlex.split(command.replace("\\\n", ""))) for command in asked]
        assert [result.exit_code for result in printed] == [0] * len(asked)
        said = "".join(
            f"$ dabba engine {command}\n{result.stdout}" for command, result in zip(asked, printed, strict=True)
        )
        assert said == block
