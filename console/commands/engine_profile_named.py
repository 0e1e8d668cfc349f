"""Which profile a command means, what it changes in it, and how one is printed."""

from __future__ import annotations

import shlex
import sys
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.output import fail

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_file import KeptProfile
    from engine_host.engine.profile_ready import Readiness
    from engine_host.engine.profile_shelf import ProfileShelf
    from storage.paths import Home
    from storage.settings import Settings

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Which = Annotated[str, typer.Argument(help="As `list` shows it; NAME@2 is its second version.")]


@dataclass(frozen=True, slots=True)
class Changes:
    """What `save` is asked to change; texts as typed. `extra` and `note` None = as they were."""

    model: str
    given: tuple[str, ...]
    dropped: tuple[str, ...]
    extra: str | None
    note: str | None


@asynccontextmanager
async def opened_shelf() -> AsyncGenerator[tuple[ProfileShelf, Home, Settings]]:
    """The profiles of the home that the environment names."""
    from engine_host.engine.profile_shelf import ProfileShelf
    from storage.database import Database
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    home = home_from_environment()
    home.make()
    settings = load_settings(home)
    database = await Database.open(settings.storage.database_url or home)
    try:
        yield ProfileShelf(database), home, settings
    finally:
        await database.close()


async def named(shelf: ProfileShelf, which: str) -> KeptProfile:
    """NAME or NAME@VERSION. Raises ProfileRefused."""
    name, at, version = which.rpartition("@")
    return await shelf.get(name, int(version)) if at and version.isdecimal() else await shelf.get(which)


def changed(profile: EngineProfile, changes: Changes) -> EngineProfile:
    """Raises ProfileRefused or ModelRefused."""
    from engine_host.engine.models import model_named
    from engine_host.engine.options import option_named
    from engine_host.engine.options_values import read_value

    if changes.model:
        profile = replace(profile, model=model_named(changes.model))
    for key, text in (_pair(told) for told in changes.given):
        profile = profile.with_values(**{key: read_value(option_named(key), text)})
    profile = profile.with_values(**dict.fromkeys(option_named(key).key for key in changes.dropped))
    return profile if changes.extra is None else replace(profile, extra=_words(changes.extra))


def _pair(told: str) -> tuple[str, str]:
    key, equals, text = told.partition("=")
    if not equals:
        fail(f"--set {told} cannot be read: a value is missing. Write it as {told}=VALUE.")
    return key.strip(), text


def _words(told: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(told))
    except ValueError:
        fail(f"--extra {told} cannot be read: a quotation mark is open. Close it.")


def profile_object(kept: KeptProfile) -> dict[str, Any]:
    """What a script reads of a profile."""
    profile = kept.profile
    return {
        "name": profile.name,
        "version": profile.version,
        "ready_made": kept.ready_made,
        "model": profile.model.name,
        "note": kept.note,
        "created_at": kept.created_at.isoformat() if kept.created_at else None,
        "values": profile.all_values(),
        "changed": profile.changed(),
        "extra": list(profile.extra),
    }


def readiness_object(ready: Readiness) -> dict[str, Any]:
    return {
        "vllm": ready.runtime.version if ready.runtime else None,
        "on_gpu": ready.on_gpu,
        "unchecked": ready.unchecked,
        "faults": [asdict(fault) for fault in ready.faults],
    }


def version_text(kept: KeptProfile) -> str:
    return "ready-made" if kept.ready_made else f"version {kept.profile.version}"


def say(sentence: str) -> None:
    """A remark beside the answer, on stderr."""
    if sentence:
        print(f"  {sentence}", file=sys.stderr)
