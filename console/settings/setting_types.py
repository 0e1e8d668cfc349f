"""What a row of the Settings page is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

YES: Final = "yes"
NO: Final = "no"

Takes = Literal["at once", "next start"]


@dataclass(frozen=True, slots=True)
class TextField:
    placeholder: str = ""


@dataclass(frozen=True, slots=True)
class SecretField:
    """Typed in, never shown again. Empty = what is kept stays."""

    placeholder: str = ""


@dataclass(frozen=True, slots=True)
class NumberInput:
    unit: str
    least: float
    most: float
    step: float
    digits: int


@dataclass(frozen=True, slots=True)
class FolderInput:
    """A path, typed or chosen."""

    placeholder: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceInput:
    """Keys with their words. `effects`: what a chosen key means, in the place of the row's own effect."""

    choices: tuple[tuple[str, str], ...]
    effects: tuple[tuple[str, str], ...] = ()

    @property
    def is_switch(self) -> bool:
        """Its keys stand for True and False."""
        return {key for key, _ in self.choices} == {YES, NO}


@dataclass(frozen=True, slots=True)
class MappingInput:
    """One pair a line, such as `example`. `ours_first`: it is kept from our names to theirs."""

    example: str
    ours_first: bool = False


@dataclass(frozen=True, slots=True)
class EnginesInput:
    """The engines beside the first one: a tuple of MoreEngine."""


Input = EnginesInput | TextField | SecretField | FolderInput | NumberInput | ChoiceInput | MappingInput


@dataclass(frozen=True, slots=True)
class SettingRow:
    """`key` is the dotted name in settings.toml, or begins with ":" for what is not one value there.

    `optional`: an empty text means None. `only`: a row that is there while another one has this value.
    """

    key: str
    name: str
    input: Input
    effect: str
    takes: Takes = "next start"
    optional: bool = False
    only: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class SettingSection:
    title: str
    rows: tuple[SettingRow, ...]
