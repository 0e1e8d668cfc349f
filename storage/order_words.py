"""How a kitchen's own order system may differ from the order API: its status words and its field names."""

from __future__ import annotations

from typing import Final, cast

STATUSES: Final = ("placed", "preparing", "packed", "out_for_delivery", "delivered", "cancelled")
FIELDS: Final = (
    "orders", "order", "order_id", "customer_id", "status", "status_changed_at", "version",
    "items", "items.name", "items.quantity", "items.diet", "total", "total.amount", "total.currency",
    "placed_at", "left_kitchen_at", "expected_at", "delivered_at", "courier_first_name", "as_of",
)  # fmt: skip
LONGEST: Final = 120


def flattened(fields: object) -> object:
    """TOML reads `total.amount = "sum"` as a table in a table: one level, dotted names."""
    if not isinstance(fields, dict):
        return fields
    flat: dict[object, object] = {}
    for name, value in cast("dict[object, object]", fields).items():
        if isinstance(value, dict):
            flat |= {f"{name}.{part}": inner for part, inner in cast("dict[object, object]", value).items()}
        else:
            flat[name] = value
    return flat


def checked_statuses(statuses: dict[str, str]) -> dict[str, str]:
    """Raises ValueError: a clause that goes on after the name of the setting."""
    meant: dict[str, str] = {}
    for word, status in statuses.items():
        folded = word.strip().casefold()
        if not folded or len(folded) > LONGEST:
            raise ValueError(f"a status word of your order system has 1 to {LONGEST} characters")
        if status not in STATUSES:
            raise ValueError(f'"{word}" stands for "{status}": it must stand for one of {", ".join(STATUSES)}')
        if meant.setdefault(folded, status) != status:
            raise ValueError(f'"{word}" stands for both {meant[folded]} and {status}: case and blanks do not count')
    return statuses


def checked_fields(fields: dict[str, str]) -> dict[str, str]:
    """Raises ValueError: a clause that goes on after the name of the setting."""
    for name, path in fields.items():
        if name not in FIELDS:
            raise ValueError(f'"{name}" is no field of the order API: choose from {", ".join(FIELDS)}')
        if not _is_path(path):
            raise ValueError(f'"{path}" for {name} is no field name, such as eta or eta.latest')
    taken: dict[str, str] = {}
    for name in FIELDS[2:]:  # the first two lead to the rows, the others are in a row
        path = fields.get(name, name)
        if name.startswith("items."):
            path = f"{fields.get('items', 'items')}.{path.removeprefix('items.')}"
        if taken.setdefault(path, name) != name:
            raise ValueError(f'{taken[path]} and {name} both read "{path}": each needs a field of its own')
    return fields


def _is_path(path: str) -> bool:
    parts = path.split(".")
    return len(path) <= LONGEST and path.isprintable() and all(part and part == part.strip() for part in parts)
