"""The rows of the section Alerts on the Settings page."""

from __future__ import annotations

from typing import Final

from console.settings.setting_types import NO, YES, ChoiceInput, SettingRow, SettingSection, TextField

ALERTS: Final = SettingSection(
    "Alerts",
    (
        SettingRow(
            "alerts.desktop_notice", "Desktop message", ChoiceInput(((YES, "yes"), (NO, "no"))),
            "When an alert begins to fire, where the desktop shows messages. The console’s own notice always comes.",
        ),
        SettingRow(
            "alerts.webhook_url", "Webhook", TextField("empty: nobody else is told"),
            "Gets one JSON body by POST when an alert fires and when it clears. Limits are in alerts.toml.",
            optional=True,
        ),
    ),
)  # fmt: skip
