"""The rows of the Settings page about what usage costs, and about our own metrics."""

from __future__ import annotations

from typing import Final

from console.settings.setting_types import NO, YES, ChoiceInput, NumberInput, SettingRow, SettingSection, TextField

PRICES: Final = SettingSection(
    "Prices",
    (
        SettingRow(
            "prices.currency", "Currency", TextField("₹"), "Stands before every cost on the Tenants page.",
        ),
        SettingRow(
            "prices.in_per_million", "Tokens in, computed", NumberInput("a million", 0, 1_000_000, 1, 4),
            "0: no price. Costs are told once one is set.",
        ),
        SettingRow(
            "prices.cached_per_million", "Tokens in, cached", NumberInput("a million", 0, 1_000_000, 1, 4),
            "Of tokens that the engine found in its prefix cache.",
        ),
        SettingRow(
            "prices.out_per_million", "Tokens out", NumberInput("a million", 0, 1_000_000, 1, 4),
            "Of tokens that the engine wrote.",
        ),
        SettingRow(
            "prices.machine_per_hour", "Or the machine", NumberInput("an hour", 0, 1_000_000, 1, 4),
            "In the place of token prices: each day’s hours, shared by the KV memory that the tenants’ turns held.",
        ),
    ),
)  # fmt: skip
METRICS: Final = SettingSection(
    "Metrics for Prometheus",
    (
        SettingRow(
            "metrics.serve", "Offer /metrics",
            ChoiceInput(((NO, "no"), (YES, "while the console runs"))),
            "What the ledger counts, on this machine only. No text of a customer is in it.",
        ),
        SettingRow(
            "metrics.port", "Port", NumberInput("", 1024, 65_535, 1, 0), "Of 127.0.0.1.",
        ),
    ),
)  # fmt: skip
