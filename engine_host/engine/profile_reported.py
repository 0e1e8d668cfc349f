"""What a running engine says that it has, option by option, beside what its profile asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import httpx
from prometheus_client.parser import text_string_to_metric_families

from engine_host.engine.options import Kind, option_groups
from engine_host.engine.options_values import GIB, ON_WORDS, shown, value_text
from engine_host.http import client_for

if TYPE_CHECKING:
    from engine_host.engine.options import Option, OptionValue, Reported
    from engine_host.engine.profile import EngineProfile

NOT_SAID: Final = ("", "None")
_LIMIT_S: Final = 5.0


@dataclass(frozen=True, slots=True)
class Has:
    """Ready to show. `as_asked` False: it is not what the profile says."""

    text: str
    as_asked: bool


async def ask_engine(url: str, key: str | None = None) -> tuple[str, int | None]:
    """The engine's metrics page and its context in tokens; empty and None for what it does not tell."""
    headers = {"Authorization": f"Bearer {key}"} if key else None
    async with client_for(url, timeout_s=_LIMIT_S, headers=headers) as http:
        return await _page(http), await _context(http)


async def _page(http: httpx.AsyncClient) -> str:
    try:
        answer = await http.get("/metrics")
    except httpx.HTTPError:
        return ""
    return answer.text if answer.is_success else ""


async def _context(http: httpx.AsyncClient) -> int | None:
    try:
        told: Any = (await http.get("/v1/models")).json()
        return int(told["data"][0]["max_model_len"])
    except (httpx.HTTPError, ValueError, KeyError, IndexError, TypeError):
        return None


def engine_has(profile: EngineProfile, page: str, context: int | None, *, on_gpu: bool) -> dict[str, Has]:
    """By option that counts there, only for what the engine reports on its metrics page; its context when known."""
    told: dict[str, Has] = {}
    for option in (option for group in option_groups() for option in group.options):
        text = _label(page, option.reported) if option.reported and option.counts(on_gpu=on_gpu) else ""
        if text not in NOT_SAID:
            told[option.key] = _has(option, profile.value(option.key), text)
    if context is not None:
        told["max_model_len"] = Has(f"{context:,} tok", context == profile.max_model_len)
    return told


def _label(page: str, reported: Reported) -> str:
    """The label of the series; the first engine's when several are behind one page, empty when it is not there."""
    line = next((line for line in page.splitlines() if line.startswith(f"{reported.series}{{")), "")
    try:
        families = tuple(text_string_to_metric_families(f"{line}\n"))
    except ValueError:
        return ""
    return families[0].samples[0].labels.get(reported.label, "") if families else ""


def _has(option: Option, asked: OptionValue | None, text: str) -> Has:
    value = _reported_value(option, text)
    return Has(value_text(option, value), asked is None or asked == "auto" or _same(value, asked))


def _same(value: OptionValue, asked: OptionValue) -> bool:
    if isinstance(value, float) and isinstance(asked, int | float):
        return abs(value - asked) < 1e-6 * max(1.0, abs(value))
    return shown(value) == shown(asked)


def _reported_value(option: Option, text: str) -> OptionValue:
    try:
        match option.kind:
            case Kind.INTEGER:
                return int(text)
            case Kind.NUMBER:
                return float(text)
            case Kind.SIZE:
                return int(text) / GIB
            case Kind.SWITCH:
                return ON_WORDS.get(text.casefold(), text)
            case _:
                return text
    except ValueError:
        return text
