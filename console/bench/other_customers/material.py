"""Attack texts that other people published, read from a folder that is not part of this project.

Understood: attacks/purplellama, attacks/bipia, attacks/garak, attacks/hinglish_pi, and the customers' instructions of
orders/tau_bench. What is not there is left out.
"""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def attack_texts(folder: Path) -> tuple[str, ...]:
    """Every text, each once. Raises OSError, ValueError, KeyError or TypeError for a file of another make."""
    texts = (
        text
        for pattern, read in _READERS.items()
        for file in sorted(folder.glob(pattern))
        for text in read(file.read_text(encoding="utf-8"))
    )
    return tuple(dict.fromkeys(text.strip() for text in texts if text.strip()))


def _user_inputs(text: str) -> list[str]:
    return [row["user_input"] for row in json.loads(text)]


def _grouped(text: str) -> list[str]:
    groups: dict[str, list[str]] = json.loads(text)
    return [one for group in groups.values() for one in group]


def _blocked(text: str) -> list[str]:
    return [row["hinglish"] for row in csv.DictReader(text.splitlines()) if row["expected"] == "BLOCK"]


def _instructions(text: str) -> list[str]:
    rows: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines() if line.strip()]
    return [row["instruction"] for row in rows]


_READERS: dict[str, Callable[[str], list[str]]] = {
    "attacks/purplellama/prompt_injection.json": _user_inputs,
    "attacks/bipia/text_attack_*.json": _grouped,
    "attacks/garak/attacks.json": _grouped,
    "attacks/hinglish_pi/hinglish-stealth-*.csv": _blocked,
    "orders/tau_bench/tasks_*.jsonl": _instructions,
}
