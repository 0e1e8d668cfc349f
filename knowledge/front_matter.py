"""Front matter of an article: YAML between two `---` lines at its top, or TOML between two `+++` lines. Pure."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from datetime import date, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, cast

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
_untyped_yaml: Any = yaml
_NO_TEXT: dict[str, str] = {}
_NULL = "tag:yaml.org,2002:null"
_MERGE = "<<"
_TOP_LINES = 12
_NOTHING = "\n \t\ufeff\u200b\u2060"
_RESTRICTS = re.compile(r"""[\W_]{0,8}(tenants|audience|valid_from|valid_to)["']?\s*[:=]""")
_EVERYBODY = ("all", "*")
_LONGEST_DAY = 40
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*")


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
    """The front matter ("" when there is none; with its fence before it when it is TOML) and the body after it.

    Empty lines and unseen characters above it are as nothing.
    """
    lines = text.lstrip(_NOTHING).split("\n")
    fence = lines[0].rstrip()
    if fence not in (FENCE, TOML_FENCE):
        _refuse_misplaced(lines[:_TOP_LINES])
        return "", text
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == fence:
            _refuse_misplaced(lines[number + 1 : number + 1 + _TOP_LINES])
            return "\n".join(lines[fence == FENCE : number]), "\n".join(lines[number + 1 :])
    raise ReadRefused(f"The front matter has no end: its first line is {fence}, and no second one follows. Add it.")


def _refuse_misplaced(top: list[str]) -> None:
    """Passed over, it would let everybody read what its author restricted."""
    for line in top:
        found = _RESTRICTS.match(line)
        if found:
            raise ReadRefused(
                f"It has a line with {found[1]} at its top that is no front matter. Put it at the very top, between "
                "two lines ---, or write it as a sentence."
            )


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
        language=_language(values),
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
        return {key: _written(value) for key, value in tomllib.loads(block.removeprefix(TOML_FENCE)).items()}
    except (ValueError, RecursionError) as error:  # also for a number of more digits than Python writes
        raise ReadRefused('The front matter can\'t be read: it is not TOML. Write lines like `title = "…"`.') from error


def _written(value: object) -> object:
    """A value as text, in a list when it is one; {} for what is in a table or in a list in a list."""
    if isinstance(value, list):
        return [_NO_TEXT if isinstance(one, list) else _written(one) for one in cast("list[object]", value)]
    return _NO_TEXT if isinstance(value, dict) else str(value)


def _yaml(block: str) -> Mapping[str, object]:
    """Only what is written is taken, no value is made of it: aliases in aliases, huge numbers and a `no` stay text."""
    try:
        root: yaml.Node | None = _untyped_yaml.compose(block, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark is not None else ""
        raise ReadRefused(
            f"The front matter can't be read: it is not YAML{where}. Write lines like `title: …`."
        ) from error
    except (LookupError, OverflowError, RecursionError, ValueError) as error:  # of a character that there is not
        raise ReadRefused(
            "The front matter can't be read: it has a value that YAML can't make. Write lines like `title: …`."
        ) from error
    if root is None or _scalar(root) is None:
        return {}
    if not isinstance(root, yaml.MappingNode):
        raise ReadRefused("The front matter can't be read: it is not a list of keys. Write lines like `title: …`.")
    return _keys(root)


def _keys(root: yaml.MappingNode) -> Mapping[str, object]:
    values: dict[str, object] = {}
    for key, value in cast("list[tuple[yaml.Node, yaml.Node]]", root.value):
        name = _scalar(key)
        if not isinstance(name, str):
            continue
        if name == _MERGE:
            raise ReadRefused("The front matter takes keys from another place with <<. Write them out.")
        if name in values and name in KEYS:
            raise ReadRefused(f"The front matter has {name} twice. Keep one of them.")
        values[name] = _listed(value) if isinstance(value, yaml.SequenceNode) else _scalar(value)
    return values


def _listed(node: yaml.SequenceNode) -> list[object]:
    return [_scalar(one) for one in cast("list[yaml.Node]", node.value)]


def _scalar(node: yaml.Node) -> object:
    """The text of a node, None when it says nothing, {} when it is no text."""
    if not isinstance(node, yaml.ScalarNode):
        return _NO_TEXT
    return None if node.tag == _NULL else cast("str", node.value)


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


def _language(values: Mapping[str, object]) -> str | None:
    text = _text(values, "language", 35)
    if text and not _LANGUAGE.fullmatch(text):
        raise ReadRefused(f"The front matter's language is {text}: that is no code. Write one such as en, hi or mr.")
    return text or None


def _tenants(value: object) -> tuple[str, ...]:
    if value is None:
        return ALL_TENANTS
    listed = value.split(",") if isinstance(value, str) else value
    if not isinstance(listed, list):
        raise ReadRefused("The front matter's tenants is neither `all` nor a list of tenant ids. Correct it.")
    if any(isinstance(name, dict) for name in cast("list[object]", listed)):
        raise ReadRefused("The front matter's tenants has a list in its list. Write one id after the other.")
    names = tuple(sorted({str(name).strip() for name in cast("list[object]", listed) if name is not None} - {""}))
    if not names:
        raise ReadRefused("The front matter's tenants names nobody. Write `all` or the ids of the tenants.")
    if any(name.lower() in _EVERYBODY for name in names):
        if len(names) > 1:
            raise ReadRefused("The front matter's tenants has all and some of them. Write `all` or the ids.")
        return ALL_TENANTS
    return names


def _day(values: Mapping[str, object], key: str) -> date | None:
    text = _text(values, key, _LONGEST_DAY)
    try:
        return datetime.fromisoformat(text).date() if text else None
    except ValueError as error:
        raise ReadRefused(f"The front matter's {key} is {text}: that is no day. Write it as 2026-11-30.") from error
