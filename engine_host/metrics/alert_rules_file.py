"""The ready-made alerts of assets/alerts, with what alerts.toml in the home folder changes."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

from pydantic import ValidationError

from engine_host.metrics.alert_rules import Rule

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

    from storage.paths import Home

FILE: Final = "alerts.toml"


class AlertRulesRefused(ValueError):
    """alerts.toml is not right. `str(e)` is a sentence with a next step."""


@cache
def ready_made() -> tuple[Rule, ...]:
    return tuple(Rule.model_validate({"key": key, **told}) for key, told in _ready_made_tables().items())


def rules_of(home: Home) -> tuple[Rule, ...]:
    """Every alert of this home, those that are switched off too. Raises AlertRulesRefused."""
    try:
        text = home.alerts_file.read_bytes().decode()
    except FileNotFoundError:
        return ready_made()
    except UnicodeDecodeError as error:
        raise AlertRulesRefused(
            f"{FILE} can't be read: byte {error.start + 1} is not UTF-8 text. Save the file as UTF-8."
        ) from error
    except OSError as error:
        raise AlertRulesRefused(
            f"{FILE} can't be read: {error.strerror}. Check the permissions of the file."
        ) from error
    return parse_rules(text)


def parse_rules(text: str) -> tuple[Rule, ...]:
    """The ready-made alerts as the text of an alerts.toml changes them, and its own. Raises AlertRulesRefused."""
    try:
        changes = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise AlertRulesRefused(f"{FILE} is not valid TOML: {error}. Correct that line.") from error
    tables = dict(_ready_made_tables())
    for key, change in changes.items():
        if not isinstance(change, dict):
            raise AlertRulesRefused(f"{FILE}: {key} must be a section. Write it as [{key}] with its keys below.")
        if key not in tables and "title" not in change:
            raise AlertRulesRefused(_no_such_alert(key, tuple(tables)))
        tables[key] = _merged(tables.get(key, {}), cast("Mapping[str, Any]", change))
    return tuple(_rule(key, told) for key, told in tables.items())


def _rule(key: str, told: Mapping[str, Any]) -> Rule:
    try:
        return Rule.model_validate({**told, "key": key})
    except ValidationError as error:
        raise AlertRulesRefused(_sentence(key, error.errors(include_url=False)[0])) from error


@cache
def _ready_made_tables() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads(files("assets").joinpath("alerts/ready_made.toml").read_text(encoding="utf-8"))


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    made = dict(below)
    for key, value in above.items():
        old = made.get(key)
        made[key] = _merged(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value  # pyright: ignore[reportUnknownArgumentType]
    return made


def _no_such_alert(key: str, known: tuple[str, ...]) -> str:
    nearest = get_close_matches(key, known, n=1, cutoff=0.0)[0]
    return (
        f"{FILE}: there is no alert {key}. The nearest is {nearest}: rename it, or give a new one a title and a when."
    )


def _sentence(key: str, error: ErrorDetails) -> str:
    where = ".".join((key, *(str(part) for part in error["loc"])))
    if error["type"] == "extra_forbidden":
        return (
            f"{FILE}: {where} is no value of an alert. Delete it; assets/alerts/ready_made.toml shows which there are."
        )
    if error["type"] == "missing":
        return f"{FILE}: {where} is missing. An alert of your own needs it; ready_made.toml shows how it is written."
    value = error["input"]
    shown = "" if isinstance(value, dict) else f" is {json.dumps(value, ensure_ascii=False, default=str)}"
    told = error["msg"].removeprefix("Value error, ").replace("Input should be", "it must be").replace("'", '"')
    return f"{FILE}: {where}{shown}: {told}. Correct it, or delete it to get the ready-made value."
