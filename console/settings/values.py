"""The settings as the fields hold them, back into settings, and what is wrong with them. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from console.settings.embedder_values import embedder_faults, embedder_of, embedder_values
from console.settings.engine_rows import MORE
from console.settings.knowledge_rows import EMBEDDER_KEY, EMBEDDER_KIND, NAMED
from console.settings.mapping_lines import fault_of, lines_of, pairs_of
from console.settings.setting_rows import AUTH_VALUE, DEMO, ORDER_KIND, OWN, ROWS
from console.settings.setting_types import NO, YES, ChoiceInput, MappingInput, NumberInput, SettingRow
from storage.settings import MoreEngine
from storage.settings_room import faults_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from storage.settings import Settings

Value = str | float | tuple[MoreEngine, ...]
EMBEDDER_NAMES: Final = frozenset(row.name for row in ROWS if row.key in (EMBEDDER_KIND, *NAMED.values()))
EMBEDDER_CHANGE: Final = "The embedder then reads every article beside the old one, which answers until it has all."
AUTH_SECRET: Final = "order-system-auth"  # noqa: S105 - the name of a secret, not one
EMBEDDER_SECRET: Final = "embedding-server-key"  # noqa: S105 - as above
SECRETS: Final = {AUTH_VALUE: AUTH_SECRET, EMBEDDER_KEY: EMBEDDER_SECRET}
"""The name under which what is typed into a row is kept among the secrets."""


def values_of(settings: Settings) -> dict[str, Value]:
    """What the fields show; a secret is never among it."""
    values: dict[str, Value] = {row.key: _value(settings, row) for row in ROWS if not row.key.startswith(":")}
    orders = {ORDER_KIND: OWN if settings.orders.base_url else DEMO, AUTH_VALUE: ""}
    return values | orders | embedder_values(settings.knowledge.embedder)


def with_values(kept: Settings, values: Mapping[str, Value]) -> Settings:
    """`kept` with the values of the fields that are shown; not checked."""
    sections: dict[str, dict[str, Any]] = {}
    for row in shown_rows(values):
        section, _, key = row.key.partition(".")
        if key:
            sections.setdefault(section, {})[key] = _stored(row, values[row.key])
    if values[ORDER_KIND] == DEMO:
        sections["orders"]["base_url"] = None
    sections["knowledge"]["embedder"] = embedder_of(values)
    if values[EMBEDDER_KEY]:
        sections["knowledge"]["embedder_key_secret"] = EMBEDDER_SECRET
    if values[AUTH_VALUE]:
        sections["orders"]["auth_value_secret"] = AUTH_SECRET
    changed = {name: getattr(kept, name).model_copy(update=fields) for name, fields in sections.items()}
    return kept.model_copy(update=changed)


def derive_faults(kept: Settings, values: Mapping[str, Value]) -> dict[str, str]:
    """A sentence for each row whose value is not allowed."""
    faults = faults_of(with_values(kept, values))
    if values[ORDER_KIND] == OWN and not values["orders.base_url"]:
        faults["orders.base_url"] = "Enter the address of the order system, or choose the demo."
    faults |= _knowledge_faults(faults, values) | _engine_faults(faults)
    if two_ways := faults.pop("prices", ""):
        faults["prices.machine_per_hour"] = two_ways
    return faults | {row.key: fault for row in shown_rows(values) if (fault := _unread_line(row, values))}


def _knowledge_faults(faults: dict[str, str], values: Mapping[str, Value]) -> dict[str, str]:
    """At the fields what the settings say of the embedder, and of two values that don't go together."""
    together, embedder = faults.pop("knowledge", ""), faults.pop("knowledge.embedder", "")
    named = embedder_faults(values)
    if embedder and not named:
        named = {NAMED[str(values[EMBEDDER_KIND])]: embedder}
    if together and not named:
        named = {"knowledge.chunk_overlap": "It must be less than the tokens of a chunk."}
    return named


def _engine_faults(faults: dict[str, str]) -> dict[str, str]:
    """All that is said of the further engines, at their list."""
    said = [faults.pop(key) for key in tuple(faults) if key == "engine" or key.startswith(f"{MORE}.")]
    return {MORE: said[0]} if said else {}


def with_running(opened: Settings, more: tuple[MoreEngine, ...]) -> Settings:
    """What the program runs with: engines that were added or removed meanwhile count at once."""
    return opened.model_copy(update={"engine": opened.engine.model_copy(update={"more": more})})


def rebased(values: Mapping[str, Value], before: Settings, now: Settings) -> dict[str, Value]:
    """What the fields hold when the file was changed elsewhere: a field that was not touched follows it."""
    old, new = values_of(before), values_of(now)
    return {key: new[key] if value == old[key] else value for key, value in values.items()}


def _unread_line(row: SettingRow, values: Mapping[str, Value]) -> str:
    if not isinstance(row.input, MappingInput):
        return ""
    return fault_of(str(values[row.key]), row.input.example, ours_first=row.input.ours_first)


def shown_rows(values: Mapping[str, Value]) -> tuple[SettingRow, ...]:
    """Without the rows of what is not chosen: an own order system, a kind of embedder."""
    return tuple(row for row in ROWS if row.only is None or values[row.only[0]] == row.only[1])


def derive_pending(opened: Settings, saved: Settings) -> tuple[str, ...]:
    """Names of what is saved but counts only from the next start of the console."""
    before, now = values_of(opened), values_of(saved)
    return tuple(row.name for row in ROWS if row.takes == "next start" and before[row.key] != now[row.key])


def derive_line(pending: tuple[str, ...], *, dirty: bool, faults: bool) -> str:
    """The line of truth beside the page's title."""
    if faults:
        return "A value is not allowed; nothing was written."
    if dirty:
        return "Not saved yet."
    if pending:
        read = f" {EMBEDDER_CHANGE}" if EMBEDDER_NAMES & set(pending) else ""
        return f"Saved. From the next start of the console: {', '.join(pending)}.{read}"
    return "Saved in settings.toml."


def _value(settings: Settings, row: SettingRow) -> Value:
    section, _, key = row.key.partition(".")
    value = getattr(getattr(settings, section), key)
    if isinstance(row.input, MappingInput):
        return lines_of(value, ours_first=row.input.ours_first)
    if isinstance(value, bool):
        return YES if value else NO
    return "" if value is None else value


def _stored(row: SettingRow, value: Value) -> Any:
    if isinstance(value, tuple):
        return value
    if isinstance(row.input, NumberInput):
        return float(value) if row.input.digits else int(value)
    if isinstance(row.input, MappingInput):
        return pairs_of(str(value), ours_first=row.input.ours_first)
    if isinstance(row.input, ChoiceInput) and row.input.is_switch:
        return value == YES
    text = str(value).strip()
    return text or None if row.optional or row.key == "orders.base_url" else text
