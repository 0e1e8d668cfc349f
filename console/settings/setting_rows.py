"""The rows of the Settings page as data over the settings model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

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
class ChoiceInput:
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class MappingInput:
    """One pair a line, such as `example`. `ours_first`: it is kept from our names to theirs."""

    example: str
    ours_first: bool = False


Input = TextField | SecretField | NumberInput | ChoiceInput | MappingInput


@dataclass(frozen=True, slots=True)
class SettingRow:
    """`key` is the dotted name in settings.toml, or begins with ":" for what is not one value there.

    `optional`: an empty text means None. `own_orders`: only for a kitchen's own order system.
    """

    key: str
    name: str
    input: Input
    effect: str
    takes: Takes = "next start"
    optional: bool = False
    own_orders: bool = False


@dataclass(frozen=True, slots=True)
class SettingSection:
    title: str
    rows: tuple[SettingRow, ...]


ORDER_KIND: Final = ":order_kind"
AUTH_VALUE: Final = ":auth_value"
DEMO, OWN = "demo", "own"

SECTIONS: Final = (
    SettingSection(
        "Appearance",
        (
            SettingRow(
                "appearance.theme", "Theme",
                ChoiceInput((("system", "as the system"), ("light", "light"), ("dark", "dark"))),
                "The colours of every page.", takes="at once",
            ),
        ),
    ),
    SettingSection(
        "Kitchen",
        (
            SettingRow(
                "kitchen.timezone", "Time zone", TextField("Asia/Kolkata"),
                "Every clock and day of the console; the validity of articles.",
            ),
            SettingRow(
                "kitchen.phone", "Phone", TextField("020 5550 0142"),
                "Named in an answer when a tenant has no phone of its own.",
            ),
        ),
    ),
    SettingSection(
        "Order system",
        (
            SettingRow(
                ORDER_KIND, "Orders come from", ChoiceInput(((DEMO, "the bundled demo"), (OWN, "our own system"))),
                "The demo moves orders through the day by itself.",
            ),
            SettingRow(
                "orders.base_url", "Address", TextField("https://orders.example/api"),
                "It answers GET /customers/…/orders.", own_orders=True,
            ),
            SettingRow(
                "orders.auth_header", "Header", TextField("Authorization"),
                "The HTTP header in which the secret is sent.", own_orders=True,
            ),
            SettingRow(
                AUTH_VALUE, "Secret", SecretField("such as Bearer …"),
                "Kept among the secrets of this machine, not in settings.toml.", own_orders=True,
            ),
            SettingRow(
                "orders.statuses", "Status words", MappingInput("in_oven = preparing"),
                "Their word = placed, preparing, packed, out_for_delivery, delivered or cancelled. Of any other word "
                "the bot says “I do not know”.", own_orders=True,
            ),
            SettingRow(
                "orders.fields", "Field names", MappingInput("eta.latest = expected_at", ours_first=True),
                "Their field = ours, where the names differ. Dots lead into objects.", own_orders=True,
            ),
            SettingRow(
                "orders.clock_tolerance_s", "Clock tolerance", NumberInput("s", 0, 60, 1, 1),
                "A row whose as_of is further from this machine’s clock is not believed.", own_orders=True,
            ),
            SettingRow(
                "orders.lookup_timeout_s", "Look-up limit", NumberInput("s", 0.5, 60, 0.5, 1),
                "A slower look-up counts as none: the answer is “I do not know”.",
            ),
            SettingRow(
                "orders.statement_max_age_s", "Age of a statement", NumberInput("s", 0.5, 60, 0.5, 1),
                "An older row is read again before it is stated.",
            ),
        ),
    ),
    SettingSection(
        "Knowledge",
        (
            SettingRow(
                "knowledge.threshold", "Threshold", NumberInput("", 0, 1, 0.01, 2),
                "Passages below this score are not given to the model.",
            ),
            SettingRow(
                "knowledge.passages", "Passages", NumberInput("", 1, 20, 1, 0),
                "The most that one answer may use. More: a longer prompt and TTFT.",
            ),
        ),
    ),
    SettingSection(
        "Engine",
        (
            SettingRow(
                "engine.attach_url", "Attach at the start", TextField("empty: this console starts its own"),
                "A vLLM by its address. Its key is entered with Attach on the Engine page.", optional=True,
            ),
            SettingRow(
                "engine.python", "Python with vLLM", TextField("empty: the one of the set-up"),
                "Runs the engine that this console starts.", optional=True,
            ),
        ),
    ),
)  # fmt: skip
ROWS: Final = tuple(row for section in SECTIONS for row in section.rows)
