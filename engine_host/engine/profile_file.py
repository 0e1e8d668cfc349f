"""Profiles outside the program: JSON for the database, and one TOML file that people export, read, and import."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import tomli_w
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine_host.engine.errors import ProfileRefused
from engine_host.engine.models import model_named
from engine_host.engine.options import Kind, option_named
from engine_host.engine.options_values import value_fault
from engine_host.engine.profile import EngineProfile

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from engine_host.engine.options import OptionValue, Values


@dataclass(frozen=True, slots=True)
class KeptProfile:
    """A profile with what is known of it. `created_at` None = it comes with the program and was never saved."""

    profile: EngineProfile
    note: str
    created_at: datetime | None = None

    @property
    def name(self) -> str:
        return self.profile.name

    @property
    def ready_made(self) -> bool:
        return self.created_at is None


class _Written(BaseModel):
    """One profile as written in a file."""

    model_config = ConfigDict(extra="forbid", strict=True)

    name: str = Field(min_length=1, max_length=60)
    model: str
    note: str = ""
    extra: list[str] = Field(default_factory=list)
    values: dict[str, bool | int | float | str] = Field(default_factory=dict)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    profile: list[_Written] = Field(min_length=1)


def body_of(profile: EngineProfile) -> dict[str, Any]:
    """All that a start needs, defaults included: a later program's other defaults do not change what was kept."""
    return {"model": profile.model.name, "values": profile.all_values(), "extra": list(profile.extra)}


def profile_of(name: str, version: int, body: Mapping[str, Any]) -> EngineProfile:
    """Raises ProfileRefused for what is not a body, ModelRefused for a model that is not in the catalogue."""
    try:
        written = _Written.model_validate({"name": name, **body})
    except ValidationError as error:
        raise ProfileRefused(f"The profile {name} cannot be read: {_first(error)}.") from error
    return _profile(written, version)


def write_profiles(kept: Sequence[KeptProfile]) -> str:
    """The text of a profile file."""
    return tomli_w.dumps({"profile": [_row(one) for one in kept]}, multiline_strings=True)


def read_profiles(text: str, source: str) -> tuple[KeptProfile, ...]:
    """The profiles of a file; `source` is its name for the sentence. Raises ProfileRefused or ModelRefused."""
    try:
        written = _File.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ProfileRefused(f"{source} is not valid TOML: {error}. Correct that line.") from error
    except ValidationError as error:
        raise ProfileRefused(f"{source} is no profile file: {_first(error)}. Correct it.") from error
    return tuple(KeptProfile(_profile(one, 0), one.note) for one in written.profile)


@cache
def ready_made() -> tuple[KeptProfile, ...]:
    """The profiles that come with the program."""
    return read_profiles(files("assets").joinpath("engine/profiles.toml").read_text(encoding="utf-8"), "profiles.toml")


def _row(kept: KeptProfile) -> dict[str, Any]:
    body = body_of(kept.profile)
    row = {"name": kept.name, "model": body["model"], "note": kept.note, "extra": body["extra"]}
    return row | {"values": body["values"]}


def _profile(written: _Written, version: int) -> EngineProfile:
    values: Values = {key: _checked(written.name, key, value) for key, value in written.values.items()}
    return EngineProfile(written.name, model_named(written.model), values, tuple(written.extra), version)


def _checked(name: str, key: str, value: OptionValue) -> OptionValue:
    option = option_named(key)
    if option.kind in (Kind.NUMBER, Kind.SIZE) and isinstance(value, int) and not isinstance(value, bool):
        value = float(value)
    if fault := value_fault(option, value):
        raise ProfileRefused(f"The profile {name} cannot be used: {fault}")
    return value


def _first(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
