"""The rows of the Settings page as data over the settings model."""

from __future__ import annotations

from typing import Final

from console.settings.alert_rows import ALERTS
from console.settings.engine_rows import ENGINE
from console.settings.knowledge_rows import KNOWLEDGE
from console.settings.live_rows import LIVE
from console.settings.setting_types import (
    ChoiceInput,
    MappingInput,
    NumberInput,
    SecretField,
    SettingRow,
    SettingSection,
    TextField,
)
from console.settings.usage_rows import METRICS, PRICES

ORDER_KIND: Final = ":order_kind"
AUTH_VALUE: Final = ":auth_value"
DEMO, OWN = "demo", "own"
OWN_ORDERS: Final = (ORDER_KIND, OWN)

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
                "It answers GET /customers/…/orders.", only=OWN_ORDERS,
            ),
            SettingRow(
                "orders.auth_header", "Header", TextField("Authorization"),
                "The HTTP header in which the secret is sent.", only=OWN_ORDERS,
            ),
            SettingRow(
                AUTH_VALUE, "Secret", SecretField("such as Bearer …"),
                "Kept among the secrets of this machine, not in settings.toml.", only=OWN_ORDERS,
            ),
            SettingRow(
                "orders.statuses", "Status words", MappingInput("in_oven = preparing"),
                "Their word = placed, preparing, packed, out_for_delivery, delivered or cancelled. Of any other word "
                "the bot says “I do not know”.", only=OWN_ORDERS,
            ),
            SettingRow(
                "orders.fields", "Field names", MappingInput("eta.latest = expected_at", ours_first=True),
                "Their field = ours, where the names differ. Dots lead into objects.", only=OWN_ORDERS,
            ),
            SettingRow(
                "orders.clock_tolerance_s", "Clock tolerance", NumberInput("s", 0, 60, 1, 1),
                "A row whose as_of is further from this machine’s clock is not believed.", only=OWN_ORDERS,
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
    KNOWLEDGE,
    ENGINE,
    LIVE,
    ALERTS,
    PRICES,
    METRICS,
)  # fmt: skip
ROWS: Final = tuple(row for section in SECTIONS for row in section.rows)
