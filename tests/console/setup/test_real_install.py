"""`./dabba` with the real venv and the real pip, and a package index that is a folder."""

from __future__ import annotations

import hashlib
import subprocess
import zipfile
from typing import TYPE_CHECKING

from tests.console.setup.checkout import make_checkout

if TYPE_CHECKING:
    from pathlib import Path


def tiny_wheel(folder: Path, version: str) -> str:
    """Make a wheel with one module and return its line of a lock."""
    wheel, info = folder / f"tiny-{version}-py3-none-any.whl", f"tiny-{version}.dist-info"
    contents = {
        "tiny.py": f"VERSION = {version!r}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: tiny\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": f"tiny.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
    }
    with zipfile.ZipFile(wheel, "w") as file:
        for name, text in contents.items():
            file.writestr(name, text)
    return f"tiny=={version} \\\n    --hash=sha256:{hashlib.sha256(wheel.read_bytes()).hexdigest()}\n"


def test_that_an_environment_is_made_updated_and_refuses_a_file_with_another_hash(tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    offline = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": "/dev/null", "PIP_USER": "1"}
    first, second = tiny_wheel(wheels, "1.0"), tiny_wheel(wheels, "1.1")
    checkout = make_checkout(tmp_path / "checkout", first)
    lock = checkout.root / "requirements" / "console.lock"

    def version() -> str:
        asked = [str(checkout.environment / "bin" / "python"), "-c", "import tiny; print(tiny.VERSION)"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()

    code, seen, said = checkout.run(environment=offline)
    assert code == 0, said
    assert seen["prefix"] == str(checkout.environment)
    assert version() == "1.0"
    assert "1 packages" in said

    lock.write_text(second, encoding="utf-8")
    assert checkout.run(environment=offline)[0] == 0
    assert version() == "1.1"

    lock.write_text(first.replace("sha256:", "sha256:00")[:-3] + "\n", encoding="utf-8")
    code, _, said = checkout.run(environment=offline)
    assert code == 1
    assert "Traceback" not in said
    assert not checkout.marker.exists()

    (checkout.environment / "bin" / "python").unlink()
    lock.write_text(first, encoding="utf-8")
    assert checkout.run(environment=offline)[0] == 0
    assert version() == "1.0"
