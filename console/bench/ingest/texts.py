"""Articles for the bench: sections of the sample kitchen's English ones, put together anew."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SECTIONS: Final = (4, 7)
_HEADING: Final = re.compile(r"^## (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Section:
    heading: str
    text: str


def sample_sections() -> tuple[Section, ...]:
    """Every section of the sample kitchen's English articles."""
    found: list[Section] = []
    with as_file(files("assets") / "sample_kitchen" / "articles") as folder:
        for path in sorted(folder.glob("*.en.md")):
            _, *parts = _HEADING.split(path.read_text(encoding="utf-8"))
            found += [Section(head.strip(), text.strip()) for head, text in zip(parts[::2], parts[1::2], strict=True)]
    return tuple(section for section in found if section.text)


def article(sections: Sequence[Section], number: int, seed: int = 1) -> str:
    """Article `number` as Markdown; no two say the same, and the same number always says the same."""
    chosen = random.Random(f"{seed}/{number}")  # noqa: S311 - a repeatable choice, no secret
    picked = chosen.sample(sections, chosen.randint(*SECTIONS))
    body = "\n\n".join(f"## {one.heading}\n\nKitchen {number}: {one.text}" for one in picked)
    return f"---\ntitle: House rules of kitchen {number}\nlanguage: en\n---\n\n{body}\n"
