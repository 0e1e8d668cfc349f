"""What the profiles of the Engine page are read from: the shelf, the installed vLLM, the machine, a running engine."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Protocol

from console.engine.profiles_state import FitKnown
from console.setup.best_model import best_model
from engine_host.engine.errors import EngineRoomError, ProfileRefused
from engine_host.engine.fetch import model_location
from engine_host.engine.fit_check import read_checks
from engine_host.engine.fit_lengths import conversation_of
from engine_host.engine.fit_room import ask_fit
from engine_host.engine.install import VLLM_VERSION
from engine_host.engine.options_parser import installed_flags
from engine_host.engine.process import group_members
from engine_host.engine.profile import profile_from
from engine_host.engine.profile_file import read_profiles, write_profiles
from engine_host.engine.profile_plan import Target, plan_of
from engine_host.engine.profile_ready import readiness
from engine_host.engine.profile_reported import ask_engine, engine_has
from engine_host.engine.profile_shelf import ProfileShelf
from engine_host.engine.runtime import EngineRuntime, RuntimeKind, find_runtime, runtime_python
from storage.files import write_atomically
from storage.queries.token_lengths import newest_turn_lengths
from storage.settings_room import change_settings, read_settings
from storage.worker import run_once

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.engine.options_parser import FlagTable
    from engine_host.engine.profile import EngineProfile
    from engine_host.engine.profile_file import KeptProfile
    from engine_host.engine.profile_reported import Has
    from storage.database import Database
    from storage.paths import Home
    from storage.settings import Settings


class ProfileRooms(Protocol):
    @property
    def home(self) -> Home: ...
    @property
    def database(self) -> Database: ...


@dataclass(frozen=True, slots=True)
class ShelfRead:
    kept: tuple[KeptProfile, ...]
    damaged: tuple[str, ...]
    described: EngineProfile
    in_use: str


@dataclass(frozen=True, slots=True)
class Saved:
    """`settings` None = they did not change."""

    kept: tuple[KeptProfile, ...]
    settings: Settings | None = None


@dataclass(frozen=True, slots=True)
class FlagsRead:
    """`unchecked` says why `table` is None."""

    table: FlagTable | None
    unchecked: str


async def read_shelf(rooms: ProfileRooms) -> ShelfRead:
    """Every profile, and what the settings on disk say of them."""
    shelf = ProfileShelf(rooms.database)
    settings = (await read_settings(rooms.home)).engine
    described = profile_from(settings, await best_model())
    return ShelfRead(await shelf.profiles(), await shelf.damaged(), described, settings.profile)


async def read_flags(rooms: ProfileRooms) -> FlagsRead:
    """Asks the installed vLLM once per version: about 10 s then."""
    try:
        runtime = await find_runtime(rooms.home, await read_settings(rooms.home))
        if runtime is None:
            return FlagsRead(None, "No vLLM is installed here: flags are not checked.")
        return FlagsRead(await installed_flags(rooms.home, runtime), "")
    except EngineRoomError as error:
        return FlagsRead(None, str(error))


async def read_fit(rooms: ProfileRooms, draft: EngineProfile, group: int | None, *, on_gpu: bool) -> FitKnown:
    """`group` is the running engine that `draft` would take the place of: its memory counts as free."""
    conversation = conversation_of(await rooms.database.run(newest_turn_lengths))
    members = await run_once("engine group", group_members, group) if group is not None else ()
    without = frozenset(one.pid for one in members)
    answer = await ask_fit(rooms.home, draft, conversation, on_gpu=on_gpu, without=without)
    checks = tuple(one for one in read_checks(rooms.home) if one.model == draft.model.name)
    return FitKnown(draft, answer, datetime.now(UTC), checks)


async def save_profiles(rooms: ProfileRooms, wanted: tuple[KeptProfile, ...], *, use: bool) -> Saved:
    """All as new versions, or none; `use`: a start uses the first one from now on."""
    kept = await ProfileShelf(rooms.database).save_all(wanted)
    return Saved(kept, await use_profile(rooms, kept[0].name) if use else None)


async def use_profile(rooms: ProfileRooms, name: str) -> Settings:
    """ "" = what the settings describe."""

    def change(kept: Settings) -> Settings:
        return kept.model_copy(update={"engine": kept.engine.model_copy(update={"profile": name})})

    return await change_settings(rooms.home, change)


async def import_file(rooms: ProfileRooms, path: Path) -> Saved:
    """Every profile of the file. Raises ProfileRefused or ModelRefused."""
    try:
        text = await run_once("profiles", path.read_text, encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ProfileRefused(f"{path.name} cannot be read as text: {error}. Choose a profile file.") from error
    return await save_profiles(rooms, read_profiles(text, path.name), use=False)


async def export_file(kept: KeptProfile, path: Path) -> None:
    """Raises ProfileRefused when it cannot be written."""
    try:
        await run_once("profiles", write_atomically, path, write_profiles((kept,)).encode())
    except OSError as error:
        raise ProfileRefused(f"{path} was not written: {error.strerror}. Choose another place.") from error


async def read_steps(rooms: ProfileRooms, profile: EngineProfile) -> str:
    """What to type where to start it without this program. Raises ProfileRefused."""
    ready = await readiness(rooms.home, await read_settings(rooms.home), profile)
    ready.refuse(profile)
    kind = RuntimeKind.CUDA if ready.on_gpu else RuntimeKind.CPU
    runtime = ready.runtime or EngineRuntime(runtime_python(rooms.home.engine_runtime), kind, VLLM_VERSION)
    flags = ready.table.names if ready.table else None
    place = Target(runtime, model_location(rooms.home, profile.model), ready.on_gpu, flags=flags)
    plan = plan_of(profile, place)
    told = [f"# {step.where}{f': save as {step.file}' if step.file else ''}\n{step.text}\n" for step in plan.steps]
    if plan.variables:
        told.append(f"# Put addresses in the place of {' and '.join(plan.variables)}.")
    return "\n".join([*told, f"# {plan.note}"])


async def read_has(url: str, profile: EngineProfile, *, on_gpu: bool) -> dict[str, Has]:
    """What the engine at `url` has, option by option; empty when it says nothing."""
    page, context = await ask_engine(url)
    return engine_has(profile, page, context, on_gpu=on_gpu)
