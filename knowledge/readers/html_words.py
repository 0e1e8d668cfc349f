"""What the readers know about HTML elements, from assets/reading/html.toml."""

from __future__ import annotations

import tomllib
from importlib.resources import files

_LISTS: dict[str, str] = tomllib.loads(files("assets").joinpath("reading/html.toml").read_text(encoding="utf-8"))


def _set(name: str) -> frozenset[str]:
    return frozenset(_LISTS[name].split())


UNREAD = _set("unread")
FURNITURE = _set("furniture")
ROLES = _set("roles")
STRUCK = _set("struck")
BLOCKS = _set("blocks")
VOID = _set("void")
HIDDEN_CLASSES = _set("hidden_classes")
ELEMENTS = UNREAD | FURNITURE | BLOCKS | VOID | _set("inline")
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
