"""Reads what pip prints (with --progress-bar=raw) and says how far it is. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine_host.engine.progress import StepProgress

_PROGRESS = re.compile(r"Progress (\d+) of (\d+)$")
_FILE = re.compile(r"(?:Downloading|Using cached|Processing) (\S+)")
_INSTALLING = "Installing collected packages: "
_NETWORK = re.compile(
    r"NewConnectionError|NameResolutionError|ConnectTimeout|Read timed out|ReadTimeoutError|ConnectionResetError"
    r"|Connection refused|Max retries exceeded|Network is unreachable|ProtocolError|ProxyError",
)
_NOWHERE = "have no matching distributions available for your environment:"
_NOT_FOUND = re.compile(
    r"(?:No matching distribution found for|satisfies the requirement|requested \(constraint\)) ([\w.-]+)"
)


_VERSION = re.compile(r"pip (\d+)\.(\d+)")
_FIRST_WITH_BYTES = (24, 1)


def progress_options(version_line: str) -> list[str]:
    """How to ask this pip for bytes, from its `pip --version`; a pip before 24.1 cannot tell them."""
    found = _VERSION.match(version_line)
    told = found is not None and (int(found[1]), int(found[2])) >= _FIRST_WITH_BYTES
    return ["--progress-bar=raw"] if told else []


def file_title(location: str) -> str:
    """`…/torch-2.13.0%2Bcpu-cp311-….whl` -> `torch 2.13.0+cpu`; other names are kept."""
    name = location.rstrip("/").rsplit("/", 1)[-1].replace("%2B", "+").removesuffix(".metadata")
    parts = name.split("-")
    return f"{parts[0]} {parts[1]}" if len(parts) >= 3 and name.endswith(".whl") else name


@dataclass(slots=True)
class PipReader:
    """Fed with pip's lines, in order. `to_install` is the number of packages once pip has decided."""

    to_install: int = 0
    errors: list[str] = field(default_factory=list[str])
    missing: list[str] = field(default_factory=list[str])
    _file: str = ""
    _seen: set[str] = field(default_factory=set[str])
    _unreachable: bool = False
    _naming_missing: bool = False

    def feed(self, line: str) -> StepProgress | None:
        """The progress that this line means, or None when it says nothing new."""
        text = line.strip()
        if bytes_now := _PROGRESS.match(text):
            return StepProgress(self._text("Downloading"), int(bytes_now[1]), int(bytes_now[2]))
        if text.startswith(_INSTALLING):
            self.to_install = text.removeprefix(_INSTALLING).count(",") + 1
            return StepProgress(f"Unpacking {self.to_install} packages")
        if named := _FILE.match(text):
            return self._named(text, named[1])
        self._note(text)
        return None

    def _named(self, text: str, location: str) -> StepProgress | None:
        if ".metadata" in location:
            return None
        self._file = file_title(location)
        self._seen.add(self._file)
        return StepProgress(self._text("Downloading" if text.startswith("Downloading") else "Found"))

    def _text(self, verb: str) -> str:
        return f"{verb} {self._file} (package {len(self._seen)})"

    def _note(self, text: str) -> None:
        self._unreachable = self._unreachable or bool(_NETWORK.search(text))
        if text.startswith("ERROR:"):
            self.errors.append(text.removeprefix("ERROR:").strip())
        if self._naming_missing and text:
            self.missing.append(text)
        elif found := _NOT_FOUND.search(text):
            self.missing.append(found[1])
        self._naming_missing = text.endswith(_NOWHERE) or (self._naming_missing and bool(text))

    @property
    def torch_unresolved(self) -> bool:
        """pip knows no torch that vLLM's pin allows: it is on PyTorch's own index only."""
        return "torch" in self.missing

    def reason(self) -> str:
        """Why pip gave up, as half a sentence without a full stop."""
        said = " ".join(self.errors)
        if "No space left" in said or "Errno 28" in said:
            return "the disk is full"
        if self._unreachable:
            return "the package index cannot be reached"
        if self.missing:
            return f"the package index has no {self.missing[-1]} that fits this machine"
        return self.errors[-1].rstrip(".") if self.errors else "pip ended without saying why"
