"""Front matter of an article: YAML between two `---` lines at its top, or TOML between two `+++` lines. Pure."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, cast

import yaml

from knowledge.article import ALL_TENANTS, Audience
from knowledge.errors import ReadRefused

if TYPE_CHECKING:
    from collections.abc import Mapping

FENCE = "---"
TOML_FENCE = "+++"
LONGEST_BLOCK = 20_000
KEYS = ("title", "owner", "audience", "tenants", "language", "valid_from", "valid_to")
LONGEST_TITLE = 160


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What the front matter says; None = it doesn't say. Both days are inclusive."""

    title: str | None = None
    owner: str = ""
    audience: Audience = Audience.CUSTOMERS
    tenants: tuple[str, ...] = ALL_TENANTS
    language: str | None = None
    valid_from: date | None = None
    valid_to: date | None = None


def split_front_matter(text: str) -> tuple[str, str]:
    """The front matter ("" when there is none; with its fence before it when it is TOML) and the body after it."""
    lines = text.split("\n")
    fence = lines[0].rstrip()
    if fence not in (FENCE, TOML_FENCE):
        return "", text
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == fence:
            return "\n".join(lines[fence == FENCE : number]), "\n".join(lines[number + 1 :])
    raise ReadRefused(f"The front matter has no end: its first line is {fence}, and no second one follows. Add it.")


def parse_front_matter(block: str) -> FrontMatter:
    """Front matter from its YAML. Other tools' keys are ignored, a misspelt key of ours is refused."""
    if len(block) > LONGEST_BLOCK:
        raise ReadRefused(
            f"The front matter is too long: {len(block):,} of {LONGEST_BLOCK:,} characters. Move text below it."
        )
    values = _toml(block) if block.startswith(TOML_FENCE) else _yaml(block)
    _refuse_misspelt(values)
    matter = FrontMatter(
        title=_text(values, "title", LONGEST_TITLE) or None,
        owner=_text(values, "owner", LONGEST_TITLE),
        audience=_audience(values),
        tenants=_tenants(values.get("tenants")),
        language=_text(values, "language", 35) or None,
        valid_from=_day(values, "valid_from"),
        valid_to=_day(values, "valid_to"),
    )
    if matter.valid_from and matter.valid_to and matter.valid_from > matter.valid_to:
        raise ReadRefused(
            f"The validity is empty: valid_from {matter.valid_from} is after valid_to {matter.valid_to}. "
            "Exchange or correct the two days."
        )
    return matter


def _toml(block: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(block.removeprefix(TOML_FENCE))
    except (ValueError, RecursionError) as error:
        raise ReadRefused('The front matter can\'t be read: it is not TOML. Write lines like `title = "…"`.') from error


def _yaml(block: str) -> Mapping[str, object]:
    try:
        loaded: object = yaml.safe_load(block)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark is not None else ""
        raise ReadRefused(
            f"The front matter can't be read: it is not YAML{where}. Write lines like `title: …`."
        ) from error
    except (AttributeError, LookupError, RecursionError, TypeError) as error:  # YAML's own tree does not cover its tags
        raise ReadRefused(
            "The front matter can't be read: it has a value that YAML can't make. Write lines like `title: …`."
        ) from error
    except ValueError as error:  # a day such as 2026-02-30 already fails in the YAML reader
        raise ReadRefused(f"The front matter has an impossible day: {error}. Correct it.") from error
    if loaded is None:
        return {}
    if not isinstance(loaded, dict):
        raise ReadRefused("The front matter can't be read: it is not a list of keys. Write lines like `title: …`.")
    return {key: value for key, value in cast("dict[object, object]", loaded).items() if isinstance(key, str)}


def _refuse_misspelt(values: Mapping[str, object]) -> None:
    for key in values:
        close = get_close_matches(key.lower().replace("-", "_"), KEYS, n=1, cutoff=0.8)
        if key not in KEYS and close:
            raise ReadRefused(f"The front matter has an unknown key: {key}. Write {close[0]} instead.")


def _text(values: Mapping[str, object], key: str, longest: int) -> str:
    value = values.get(key)
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        raise ReadRefused(f"The front matter's {key} is not one line of text. Write it on one line.")
    text = " ".join(str(value).split())
    if len(text) > longest:
        raise ReadRefused(f"The front matter's {key} is too long: {len(text)} of {longest} characters. Shorten it.")
    return text


def _audience(values: Mapping[str, object]) -> Audience:
    text = _text(values, "audience", 40).lower() or Audience.CUSTOMERS.value
    allowed = [audience.value for audience in Audience]
    if text not in allowed:
        raise ReadRefused(f"The front matter's audience is {text}: only {' or '.join(allowed)} is known. Choose one.")
    return Audience(text)


def _tenants(value: object) -> tuple[str, ...]:
    if value is None or value == "all":
        return ALL_TENANTS
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list):
        raise ReadRefused("The front matter's tenants is neither `all` nor a list of tenant ids. Correct it.")
    if any(isinstance(name, (dict, list)) for name in cast("list[object]", listed)):
        raise ReadRefused("The front matter's tenants has a list in its list. Write one id after the other.")
    names = tuple(sorted({str(name).strip() for name in cast("list[object]", listed)} - {""}))
    if not names:
        raise ReadRefused("The front matter's tenants names nobody. Write `all` or the ids of the tenants.")
    return names


def _day(values: Mapping[str, object], key: str) -> date | None:
    value = values.get(key)
    if isinstance(value, datetime):
        return value.date()
    if value is None or isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError as error:
        raise ReadRefused(f"The front matter's {key} is {value}: that is no day. Write it as 2026-11-30.") from error
