"""The one frozen state of the profiles: which are kept, in use and in the form, and what is known of that one."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from engine_host.engine.models import SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_check import EXTRA, Fault, profile_faults
from engine_host.engine.profile_compare import differences
from engine_host.engine.profile_places import Way, placement_of
from engine_host.engine.profile_shelf import folded

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from engine_host.engine.fit_check import CacheCheck
    from engine_host.engine.fit_room import FitAnswer
    from engine_host.engine.models import ModelSpec
    from engine_host.engine.options_parser import FlagTable
    from engine_host.engine.profile_file import KeptProfile
    from engine_host.engine.profile_reported import Has

DESCRIBED = "settings:"
"""The key of the profile that the settings describe; no kept profile has a colon in its folded name."""
NO_PROFILE = EngineProfile("", SMOLLM2)


@dataclass(frozen=True, slots=True)
class FitKnown:
    """What was worked out for one draft, when; `checks` are estimates of earlier starts, newest last."""

    draft: EngineProfile
    answer: FitAnswer
    at: datetime
    checks: tuple[CacheCheck, ...] = ()


@dataclass(frozen=True, slots=True)
class ProfilesView:
    """`base` is what is kept, `draft` what the form holds, `extra` its further arguments as typed.

    `in_use` names the profile that a start uses, "" = `described`, that of the settings. `models` are those whose files
    are here, None = not known yet. `has` is what a running engine reports. `table` None = its flags are not known.
    """

    described: EngineProfile = NO_PROFILE
    base: EngineProfile = NO_PROFILE
    draft: EngineProfile = NO_PROFILE
    extra: str = ""
    kept: tuple[KeptProfile, ...] = ()
    damaged: tuple[str, ...] = ()
    in_use: str = ""
    table: FlagTable | None = None
    unchecked: str = ""
    on_gpu: bool = False
    models: tuple[ModelSpec, ...] | None = None
    has: Mapping[str, Has] = field(default_factory=dict[str, "Has"])
    fit: FitKnown | None = None
    saving: bool = False

    @property
    def dirty(self) -> bool:
        return bool(differences(self.base, self.draft)) or bool(self._open_quote())

    @property
    def faults(self) -> tuple[Fault, ...]:
        return (*profile_faults(self.draft, on_gpu=self.on_gpu, table=self.table), *self._open_quote())

    @property
    def is_described(self) -> bool:
        """The form holds what the settings describe, under no name of its own."""
        return self.base == self.described

    @property
    def key(self) -> str:
        return DESCRIBED if self.is_described and not self.described_is_kept else folded(self.base.name)

    @property
    def described_is_kept(self) -> bool:
        """What the settings describe is a kept profile, word for word: it needs no row of its own."""
        kept = self.kept_of(folded(self.described.name))
        return kept is not None and not differences(self.described, kept.profile)

    @property
    def in_use_key(self) -> str:
        if self.in_use:
            return folded(self.in_use)
        return folded(self.described.name) if self.described_is_kept else DESCRIBED

    @property
    def elsewhere(self) -> bool:
        """It is for more than this machine: it cannot be started from here."""
        broken = any(fault.key != EXTRA for fault in self.faults)
        return not broken and placement_of(self.draft).way is not Way.HERE

    def find(self, key: str) -> EngineProfile | None:
        if key == DESCRIBED:
            return self.described
        return next((one.profile for one in self.kept if folded(one.name) == key), None)

    def kept_of(self, key: str) -> KeptProfile | None:
        return next((one for one in self.kept if folded(one.name) == key), None)

    def _open_quote(self) -> tuple[Fault, ...]:
        return () if words_of(self.extra) is not None else (Fault(EXTRA, "A quotation mark is open. Close it."),)


def words_of(typed: str) -> tuple[str, ...] | None:
    """Arguments as a shell would read them; None while a quotation mark is open."""
    try:
        return tuple(shlex.split(typed))
    except ValueError:
        return None
