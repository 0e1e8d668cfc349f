"""Every option at its least, its default and its most, read by the parser of the vLLM that is installed. No engine."""

from __future__ import annotations

import asyncio
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import pytest_asyncio

from engine_host.engine import options_dump
from engine_host.engine.command import profile_argv
from engine_host.engine.models import QWEN_7B, SMOLLM2
from engine_host.engine.options import NUMERIC, Kind, option_groups
from engine_host.engine.options_arguments import argument_faults
from engine_host.engine.options_parser import installed_flags
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_check import profile_faults
from engine_host.engine.profile_file import ready_made
from engine_host.engine.profile_plan import Target, plan_of
from engine_host.engine.runtime import installed_runtime

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from engine_host.engine.options import Option, OptionValue, Values
    from engine_host.engine.options_parser import FlagTable
    from engine_host.engine.runtime import EngineRuntime
    from storage.paths import Home

pytestmark = [pytest.mark.journey, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(300)]

OPTIONS = [option for group in option_groups() for option in group.options]
PARSE = """
import contextlib, importlib.util, io, json, sys
spec = importlib.util.spec_from_file_location("options_dump", sys.argv[1])
dump = importlib.util.module_from_spec(spec)
spec.loader.exec_module(dump)
parser = dump.server_parser()
check = dump.first(dump.FILLERS, "validate_parsed_serve_args")
for line in sys.stdin:
    said = []
    for argv in json.loads(line):
        heard = io.StringIO()
        try:
            with contextlib.redirect_stderr(heard):
                check(parser.parse_args(argv))
            said.append("")
        except SystemExit:
            said.append(heard.getvalue().strip().splitlines()[-1])
        except (TypeError, ValueError) as error:
            said.append(str(error))
    print("parsed " + json.dumps(said), flush=True)
"""


@pytest.fixture(scope="module")
def runtime(ready_home: Home) -> EngineRuntime:
    found = installed_runtime(ready_home)
    assert found is not None
    return found


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def table(ready_home: Home, runtime: EngineRuntime) -> FlagTable:
    return await installed_flags(ready_home, runtime)


class Parser:
    """The parser of the installed vLLM, loaded once: that takes seconds."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._into, self._out = process.stdin, process.stdout

    async def parse(self, argvs: Sequence[Sequence[str]]) -> list[str]:
        """What it says against each, "" = nothing."""
        self._into.write(json.dumps([list(argv) for argv in argvs]).encode() + b"\n")
        async for line in self._out:
            if line.startswith(b"parsed "):
                said: Any = json.loads(line.removeprefix(b"parsed "))
                assert len(said) == len(argvs)
                return said
        raise AssertionError("The parser ended without an answer.")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def parser(runtime: EngineRuntime) -> AsyncIterator[Parser]:
    process = await asyncio.create_subprocess_exec(
        *(str(runtime.python), "-c", PARSE, str(Path(options_dump.__file__))),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        limit=2**22,
    )
    yield Parser(process)
    await process.communicate(b"")  # closes its input, at which it ends


def values_of(option: Option) -> Iterator[OptionValue]:
    """The least, the default, the most; each word of a choice, both sides of a switch, the example of a text."""
    if option.default is not None:
        yield option.default
    if option.kind in NUMERIC and option.minimum is not None and option.maximum is not None:
        whole = option.kind is Kind.INTEGER
        yield from (int(edge) if whole else float(edge) for edge in (option.minimum, option.maximum))
    if option.kind is Kind.SWITCH:
        yield from (True, False)
    yield from option.choices
    if option.example:
        yield option.example


def cases() -> Iterator[tuple[str, tuple[str, ...]]]:
    for on_gpu in (True, False):
        for option in (option for option in OPTIONS if option.counts(on_gpu=on_gpu)):
            for value in values_of(option):
                profile = EngineProfile("x", QWEN_7B).with_values(**{option.key: value})
                yield f"{option.key}={value}", profile_argv(profile, on_gpu=on_gpu)
        for edge in ("minimum", "default", "maximum"):
            values: Values = {
                option.key: type(option.step)(told) if option.kind is Kind.INTEGER else told
                for option in OPTIONS
                if (told := getattr(option, edge)) is not None
            }
            yield f"all at their {edge}", profile_argv(EngineProfile("x", SMOLLM2, values), on_gpu=on_gpu)
    for kept in ready_made():
        yield kept.name, profile_argv(kept.profile, on_gpu=True)


async def test_that_vllm_reads_every_option_at_its_least_default_and_most(parser: Parser, table: FlagTable) -> None:
    named = list(cases())
    assert len(named) > 250
    said = await parser.parse([argv for _, argv in named])
    assert not [f"{name}: {fault}" for (name, _), fault in zip(named, said, strict=True) if fault]
    assert not [f"{name}: {faults}" for name, argv in named if (faults := argument_faults(argv, table))]


async def test_that_what_we_refuse_vllm_would_refuse_too(parser: Parser, table: FlagTable) -> None:
    wrong = [
        "--max-num-seqz 8",
        "--seed x",
        "--seed 1.5",
        "--watermark high",
        "--max-model-len 16kb",
        "--compilation-config {",
        "--seed",
        "--enable-lora=yes",
        "--uvicorn-log-level loud",
        "--seed 1 2",
        "--kv-cache-dtype fp9",
        "--max-lora-rank 7",
        "--enable-auto-tool-choice",
        "--speculative-config [",
        "--lora-modules",
        "--data-parallel-size two",
    ]
    argvs = [shlex.split(told) for told in wrong]
    ours = [bool(argument_faults(argv, table)) for argv in argvs]
    theirs = [bool(fault) for fault in await parser.parse(argvs)]
    missed = [told for told, our, their in zip(wrong, ours, theirs, strict=True) if our != their]
    stray = "--seed 1 2"  # vLLM takes the 2 for the name of a model, and then serves --model all the same
    assert missed == [stray, "--enable-auto-tool-choice"], "only what two flags say together is left to vLLM"


async def test_that_an_option_that_is_not_said_is_the_engines_own_default(table: FlagTable) -> None:
    silent = [option for option in OPTIONS if option.flag and option.default is not None and not option.spoken]
    assert silent
    for option in silent:
        flag = table.named(option.flag)
        assert flag is not None
        assert flag.default is None or str(flag.default).lower() == str(option.default).lower(), option.key


async def test_that_the_commands_for_several_machines_are_read_by_vllm(runtime: EngineRuntime, parser: Parser) -> None:
    gpu = EngineProfile("x", QWEN_7B)
    sizes: Values = {"nodes": 2, "gpus_per_node": 4, "tensor_parallel_size": 4, "pipeline_parallel_size": 2}
    profiles = (
        gpu.with_values(way="ray", **sizes),
        gpu.with_values(way="ray", nodes=2, gpus_per_node=4, tensor_parallel_size=4, data_parallel_size=2),
        gpu.with_values(way="data parallel", nodes=2, gpus_per_node=2, data_parallel_size=4),
    )
    argvs: list[list[str]] = []
    for profile in profiles:
        assert profile_faults(profile, on_gpu=True) == ()
        plan = plan_of(profile, Target(runtime, "Qwen/Qwen2.5-7B-Instruct", on_gpu=True))
        lines = [shlex.split(step.text.replace("\\\n", "")) for step in plan.steps]
        argvs += [words[words.index("serve") + 1 :] for words in lines if "serve" in words]
    assert len(argvs) == 4
    assert await parser.parse(argvs) == [""] * 4
