from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest

from engine_host.engine import options_dump
from engine_host.engine.errors import FlagsUnknown
from engine_host.engine.options_parser import flags_path, installed_flags, kept_flags
from engine_host.engine.runtime import EngineRuntime, RuntimeKind
from tests.engine_host.engine.flag_tables import FLAGS

if TYPE_CHECKING:
    from pathlib import Path

    from storage.paths import Home


def python_that_says(folder: Path, *lines: str, code: int = 0) -> EngineRuntime:
    """A Python that prints `lines` whatever it is asked, and counts how often it was."""
    answer, python = folder / "answer", folder / "python"
    answer.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    python.write_text(f"#!/bin/sh\necho asked >> {folder}/asked\ncat {answer}\nexit {code}\n", encoding="utf-8")
    python.chmod(0o755)
    return EngineRuntime(python, RuntimeKind.NAMED, "0.9.9")


def told(*, noise: str = "INFO vLLM is loading") -> tuple[str, ...]:
    return noise, options_dump.MARK + json.dumps([asdict(flag) for flag in FLAGS])


async def test_that_vllm_is_asked_once_for_each_version(home: Home, tmp_path: Path) -> None:
    runtime = python_that_says(tmp_path, *told())
    assert kept_flags(home, runtime) is None
    table = await installed_flags(home, runtime)
    assert (table.version, table.flags) == ("0.9.9", FLAGS)
    assert await installed_flags(home, runtime) == table == kept_flags(home, runtime)
    assert (tmp_path / "asked").read_text().split() == ["asked"]


async def test_that_another_python_of_the_same_version_is_asked_again(home: Home, tmp_path: Path) -> None:
    await installed_flags(home, python_that_says(tmp_path, *told()))
    (tmp_path / "other").mkdir()
    other = python_that_says(tmp_path / "other", *told())
    assert kept_flags(home, other) is None
    assert (await installed_flags(home, other)).python == str(other.python)


async def test_that_a_damaged_answer_on_disk_is_asked_for_again(home: Home, tmp_path: Path) -> None:
    runtime = python_that_says(tmp_path, *told())
    await installed_flags(home, runtime)
    flags_path(home, "0.9.9").write_text("{", encoding="utf-8")
    assert (await installed_flags(home, runtime)).flags == FLAGS


@pytest.mark.parametrize("said", [(), ("ModuleNotFoundError: no vllm",), (options_dump.MARK + '[{"names": 1}]',)])
async def test_that_a_vllm_that_does_not_tell_is_a_sentence(home: Home, tmp_path: Path, said: tuple[str, ...]) -> None:
    with pytest.raises(FlagsUnknown, match=r"vLLM 0\.9\.9 did not tell its flags"):
        await installed_flags(home, python_that_says(tmp_path, *said, code=1))
    assert not flags_path(home, "0.9.9").exists()


async def test_that_a_python_that_is_gone_is_a_sentence(home: Home, tmp_path: Path) -> None:
    with pytest.raises(FlagsUnknown, match="cannot be asked for its flags"):
        await installed_flags(home, EngineRuntime(tmp_path / "none", RuntimeKind.NAMED, "0.9.9"))


def test_that_what_a_flag_takes_is_found_by_trying() -> None:
    def size(text: str) -> int:
        return int(text.removesuffix("k"))

    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", type=float)
    parser.add_argument("--length", type=size)
    parser.add_argument("--json", type=json.loads)
    parser.add_argument("--name", nargs="+")
    parser.add_argument("--mode", choices=["a", "b"])
    parser.add_argument("--on", action=argparse.BooleanOptionalAction)
    kinds = {flag["names"][0]: (flag["kind"], flag["takes"]) for flag in map(options_dump.flag_of, parser._actions)}
    kinds.pop("-h")
    assert kinds == {
        "--seed": ("integer", "one"),
        "--share": ("number", "one"),
        "--length": ("size", "one"),
        "--json": ("json", "one"),
        "--name": ("text", "several"),
        "--mode": ("text", "one"),
        "--on": ("switch", "none"),
    }
