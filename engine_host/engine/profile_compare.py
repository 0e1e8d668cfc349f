"""How two profiles differ, option by option. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine_host.engine.options import option_groups
from engine_host.engine.options_values import value_text

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile


@dataclass(frozen=True, slots=True)
class Difference:
    """One row of a comparison, ready to show. `key` is the option's, or "model" or "extra"."""

    key: str
    group: str
    label: str
    left: str
    right: str


def differences(left: EngineProfile, right: EngineProfile) -> tuple[Difference, ...]:
    """In the order of the form; nothing for what is alike."""
    rows = [Difference("model", "Model", "Model", left.model.name, right.model.name)]
    for option in (option for group in option_groups() for option in group.options):
        texts = (value_text(option, one.value(option.key)) for one in (left, right))
        rows.append(Difference(option.key, option.group, option.label, *texts))
    rows.append(Difference("extra", "Extra", "Extra arguments", " ".join(left.extra), " ".join(right.extra)))
    return tuple(row for row in rows if row.left != row.right)
