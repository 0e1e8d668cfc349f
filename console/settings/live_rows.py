"""The rows of the section Live on the Settings page."""

from __future__ import annotations

from typing import Final

from console.settings.setting_types import NO, YES, ChoiceInput, SettingRow, SettingSection

LIVE: Final = SettingSection(
    "Live",
    (
        SettingRow(
            "live.twice_a_second", "While Live is open",
            ChoiceInput(((NO, "read every second"), (YES, "read twice a second"))),
            "Twice moves running, waiting and KV sooner; charts, alerts and history stay at whole seconds.",
        ),
    ),
)  # fmt: skip
