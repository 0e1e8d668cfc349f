"""The profiles of this home: those that come with the program, and every version that was saved."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING

from engine_host.engine.errors import EngineRoomError, ProfileRefused
from engine_host.engine.profile_file import KeptProfile, body_of, profile_of, ready_made
from storage.queries.engine_profiles import delete_profile, list_profiles, profile_versions, save_profile

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine_host.engine.profile import EngineProfile
    from storage.database import Database
    from storage.profile_records import ProfileRow


def folded(name: str) -> str:
    """By it a profile is found: "CPU demo", "cpu-demo" and "Cpu Demo" are one."""
    return re.sub(r"[\W_]+", "-", name.casefold()).strip("-")


class ProfileShelf:
    """A saved profile with the name of a ready-made one stands in its place; deleted, the ready-made one is back."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def profiles(self) -> tuple[KeptProfile, ...]:
        """The newest version of each that can be read: ready-made ones first, then others by name."""
        rows = await self._database.run(list_profiles)
        saved = {folded(row.name): _kept(row) for row in rows if not _damage(row)}
        first = [saved.pop(folded(one.name), one) for one in ready_made()]
        return (*first, *saved.values())

    async def damaged(self) -> tuple[str, ...]:
        """A sentence for each saved profile that this program cannot read: its model or an option is not known."""
        rows = await self._database.run(list_profiles)
        return tuple(damage for row in rows if (damage := _damage(row)))

    async def find(self, name: str) -> KeptProfile | None:
        """The newest version of the profile of that name, however it is spelt."""
        return next((one for one in await self.profiles() if folded(one.name) == folded(name)), None)

    async def get(self, name: str, version: int | None = None) -> KeptProfile:
        """The newest, or the named version. Raises ProfileRefused when there is none."""
        found = await self.find(name)
        if found is None:
            everyone = {folded(one.name): one.name for one in await self.profiles()}
            nearest = everyone[get_close_matches(folded(name), everyone, n=1, cutoff=0.0)[0]]
            raise ProfileRefused(f"There is no profile {name}. The nearest is {nearest}. Correct the name.")
        return found if version is None else await self._version(found.name, version)

    async def versions(self, name: str) -> tuple[KeptProfile, ...]:
        """All of a profile's versions, newest first; the ready-made one, when there is one, comes last as version 0."""
        newest = await self.get(name)
        rows = await self._database.run(lambda session: profile_versions(session, newest.name))
        made = (one for one in ready_made() if folded(one.name) == folded(newest.name))
        return (*(_kept(row) for row in rows), *made)

    async def save(self, profile: EngineProfile, note: str = "") -> KeptProfile:
        """Keep a new version under the profile's name; one that is kept already as it is makes no new one.

        Raises ProfileRefused for a name that cannot be written.
        """
        (kept,) = await self.save_all((KeptProfile(profile, note),))
        return kept

    async def save_all(self, wanted: Sequence[KeptProfile]) -> tuple[KeptProfile, ...]:
        """As `save` for each, in one step: all of them or none."""
        now = datetime.now(UTC)
        named = [(await self._name_for(one.name), body_of(one.profile), one.note) for one in wanted]
        for name, body, _ in named:
            profile_of(name, 0, body)
        rows = await self._database.run(lambda session: [save_profile(session, *one, now) for one in named])
        return tuple(_kept(row) for row in rows)

    async def delete(self, name: str) -> int:
        """Delete every saved version; returns how many. Raises ProfileRefused for one that was never saved."""
        found = await self.get(name)
        if found.ready_made:
            raise ProfileRefused(f"{found.name} comes with the program and cannot be deleted. Choose a saved profile.")
        return await self._database.run(lambda session: delete_profile(session, found.name))

    async def _version(self, name: str, version: int) -> KeptProfile:
        known = {one.profile.version: one for one in await self.versions(name)}
        if version not in known:
            told = ", ".join(str(number) for number in sorted(known))
            raise ProfileRefused(f"{name} has no version {version}: there are {told}. Choose one of them.")
        return known[version]

    async def _name_for(self, name: str) -> str:
        """The name as it is kept already, when it is the same but for its spelling."""
        if not folded(name):
            raise ProfileRefused("The profile was not saved: its name has no letter and no figure. Give it a name.")
        known = await self.find(name)
        return known.name if known else name.strip()


def _damage(row: ProfileRow) -> str:
    try:
        _kept(row)
    except EngineRoomError as error:
        return str(error)
    return ""


def _kept(row: ProfileRow) -> KeptProfile:
    return KeptProfile(profile_of(row.name, row.version, row.body), row.note, row.created_at)
