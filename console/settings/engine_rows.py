"""The rows of the section Engine on the Settings page."""

from __future__ import annotations

from typing import Final

from console.settings.setting_types import (
    NO,
    YES,
    ChoiceInput,
    EnginesInput,
    NumberInput,
    SettingRow,
    SettingSection,
    TextField,
)

MORE: Final = "engine.more"

ENGINE: Final = SettingSection(
    "Engine",
    (
        SettingRow(
            "engine.attach_url", "Attach at the start", TextField("empty: this console starts its own"),
            "A vLLM by its address. Its key is entered with Attach on the Engine page.", optional=True,
        ),
        SettingRow(
            "engine.attach_ca_file", "Certificates", TextField("empty: those of this machine"),
            "A PEM file by which an attached https engine is checked.", optional=True,
        ),
        SettingRow(
            "engine.attach_verify", "Check certificates",
            ChoiceInput(
                ((YES, "yes"), (NO, "no")),
                ((YES, "Of an attached https engine."), (NO, "Whoever stands between could read what is sent.")),
            ),
            "Of an attached https engine.",
        ),
        SettingRow(
            MORE, "Further engines", EnginesInput(),
            "Each gets requests by its weight: for 2 twice as many as for 1. An empty address is one that this "
            "console starts; one with a key is added with Attach on the Engine page.",
        ),
        SettingRow(
            "engine.weight", "Weight of the first", NumberInput("", 0.1, 1000, 0.5, 1),
            "Held against the weights of the further engines.",
        ),
        SettingRow(
            "engine.python", "Python with vLLM", TextField("empty: the one of the set-up"),
            "Runs the engine that this console starts.", optional=True,
        ),
        SettingRow(
            "engine.keep_running", "When it is closed",
            ChoiceInput(((NO, "its engine ends too"), (YES, "its engine keeps running"))),
            "Also when the console is killed. An engine that keeps running is taken back at the next start.",
        ),
        SettingRow(
            "engine.restarts", "Restarts after a death", NumberInput("", 0, 20, 1, 0),
            "An engine that dies is started again after 1, 2, 4 … s, so many times within the time below.",
        ),
        SettingRow(
            "engine.restart_window_s", "Restarts within", NumberInput("s", 10, 86_400, 60, 0),
            "A death longer ago does not count.",
        ),
        SettingRow(
            "engine.drain_s", "Time to finish", NumberInput("s", 0, 600, 1, 0),
            "For the answers under way when an engine is stopped; then they are cut.",
        ),
        SettingRow(
            "engine.start_limit_s", "Time to start", NumberInput("s", 10, 86_400, 60, 0),
            "An engine that is not ready by then is ended. A model from the hub must be fetched in it.",
        ),
        SettingRow(
            "engine.canary", "Check at rest", ChoiceInput(((YES, "yes"), (NO, "no"))),
            "One token a minute of an idle engine of ours, to see that it still makes one.",
        ),
    ),
)  # fmt: skip
