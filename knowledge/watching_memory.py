"""What was taken in from the watched folder, kept from one start to the next.

Without it an article that was corrected or deleted here would come back from its old file at the next start.
"""

from __future__ import annotations

import logging
from dataclasses import field
from datetime import datetime  # noqa: TC003 - pydantic reads it
from typing import TYPE_CHECKING

from pydantic import TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass

from knowledge.importing import Verdict  # noqa: TC001 - pydantic reads it
from storage.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from storage.paths import Home

_log = logging.getLogger(__name__)
_FILE = "watched-folder.json"


@dataclass(frozen=True)
class TakenRow:
    """What came of one file, or of one in a zip: as an import's row, with when it was."""

    source_name: str
    verdict: Verdict
    sentence: str
    at: datetime
    article_id: str | None = None


@dataclass(frozen=True)
class Taken:
    """A file as it was when it was taken in or refused."""

    size: int
    mtime_ns: int
    digest: str
    rows: tuple[TakenRow, ...] = ()


@dataclass(frozen=True)
class Memory:
    """The files of a folder by their path inside it."""

    folder: str = ""
    files: dict[str, Taken] = field(default_factory=dict[str, Taken])


_MEMORY = TypeAdapter(Memory)


def recall(home: Home, folder: Path) -> Memory:
    """What is remembered of this folder; nothing when another was watched last."""
    path = home.root / _FILE
    try:
        memory = _MEMORY.validate_json(path.read_bytes())
    except FileNotFoundError:
        return Memory(str(folder))
    except (OSError, ValidationError) as error:
        _log.warning("%s can't be read, so that every file of the watched folder is compared again: %s", path, error)
        return Memory(str(folder))
    return memory if memory.folder == str(folder) else Memory(str(folder))


def remember(home: Home, memory: Memory) -> None:
    """Raises OSError."""
    write_atomically(home.root / _FILE, _MEMORY.dump_json(memory, indent=1))
