"""What a person reads about a settings.toml that isn't right: the key, its value and what is allowed."""

from __future__ import annotations

import json
from difflib import get_close_matches
from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import ErrorDetails


def sentence_for(errors: Sequence[ErrorDetails], model: type[BaseModel]) -> str:
    """One sentence for the first of `errors` (never empty), with how many more there are."""
    more = f" {len(errors) - 1} more of its values are not right." if len(errors) > 1 else ""
    return f"settings.toml: {_fact(errors[0], model)}{more}"


def sentences_by_key(errors: Sequence[ErrorDetails]) -> dict[str, str]:
    """What each wrong key must be, to stand below its field: `{"kitchen.timezone": "It must be …."}`."""
    return {_key(error): _at_the_field(_allowed(error)) for error in errors}


def _at_the_field(allowed: str) -> str:
    return f"{allowed[:1].upper()}{allowed[1:]}."


def _key(error: ErrorDetails) -> str:
    return ".".join(str(part) for part in error["loc"])


def known_keys(model: type[BaseModel], prefix: str = "") -> list[str]:
    """Every key of `model` and of the sections in it, dotted, sections included."""
    keys: list[str] = []
    for name, field in model.model_fields.items():
        keys.append(prefix + name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            keys += known_keys(field.annotation, f"{prefix}{name}.")
    return keys


def _fact(error: ErrorDetails, model: type[BaseModel]) -> str:
    key = _key(error)
    if error["type"] == "extra_forbidden":
        return _unknown_key(key, model)
    if key == "version":
        return (
            f"it was written for version {_shown(error['input'])} of the settings, and this program reads version 1. "
            "Use the newer program, or move the file away."
        )
    if error["type"] in {"model_type", "model_attributes_type", "dict_type"}:
        return f"{key} is {_shown(error['input'])}: it must be a section. Write it as [{key}] with its keys below."
    return f"{key}{_value(error['input'])}: {_allowed(error)}. Correct it, or delete it to get the default."


def _unknown_key(key: str, model: type[BaseModel]) -> str:
    known = known_keys(model)
    nearest = get_close_matches(key, known, n=1, cutoff=0.0)[0]
    by_name = [name for name in known if name.rsplit(".", 1)[-1] == key.rsplit(".", 1)[-1]]
    return f"there is no setting {key}. The nearest is {(by_name or [nearest])[0]}. Rename it or delete it."


def _value(value: object) -> str:
    return "" if isinstance(value, dict | BaseModel) else f" is {_shown(value)}"


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def _allowed(error: ErrorDetails) -> str:
    told = error["msg"].removeprefix("Value error, ")
    return told.replace("Input should be", "it must be").replace("String should", "it must").replace("'", '"')
