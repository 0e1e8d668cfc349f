"""What the admin is told about text that a file hides from its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from knowledge.readers.instructions import instruction_in
from knowledge.readers.record import Note
from storage.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST: Final = 80


def hidden_notes(hidden: Sequence[str], comments: int = 0) -> tuple[Note, ...]:
    """Notes about these hidden texts, all left out of the article, and about this many comments."""
    notes: list[Note] = []
    if hidden:
        places = "1 place" if len(hidden) == 1 else f"{len(hidden):,} places"
        sentence = f"Hidden text was left out ({places}): “{shortened(hidden[0])}”. Look at the file."
        notes.append(Note(sentence, flag=True))
        found = next((words for words in map(instruction_in, hidden) if words), "")
        if found:
            told = f"The hidden text reads like an instruction to a model: “{shortened(found)}”."
            notes.append(Note(f"{told} Ask where the file comes from.", flag=True))
    if comments:
        count = "1 comment was" if comments == 1 else f"{comments:,} comments were"
        notes.append(Note(f"{count} left out: readers of the file don't see comments.", flag=True))
    return tuple(notes)


def shortened(text: str) -> str:
    """A quotation of at most 80 characters on one line."""
    line = one_line(" ".join(text.split()))
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1].rstrip() + "…"
