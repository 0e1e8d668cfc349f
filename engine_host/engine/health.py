"""Asks a vLLM server how it is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any, cast

import httpx

from engine_host.client.chunks import error_message
from engine_host.engine.errors import AttachFailed, TokenRefused
from engine_host.engine.pulse import pulse_from
from engine_host.http import client_for

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine_host.engine.canary import Pulse
    from engine_host.http import Tls

HEALTH_S = 2.0
FIRST_TOKEN_S = 120.0
TRIAL_S = 5.0
_REFUSED = (400, 404, 422)
_HELLO = [{"role": "user", "content": "Hello"}]
_ANY_TOOL = {"type": "function", "function": {"name": "nothing", "parameters": {"type": "object"}}}


class Health(StrEnum):
    """UNREACHABLE: nobody listens. SILENT: it takes the call and gives no answer. DEAD: it says that it cannot work."""

    WELL = "well"
    SILENT = "silent"
    UNREACHABLE = "unreachable"
    DEAD = "dead"


@dataclass(frozen=True, slots=True)
class ServedModel:
    """`context` is the longest prompt and answer together, in tokens; None when the server does not say.

    `tools`: the server takes tools and reads the calls that the model makes.
    """

    name: str
    context: int | None
    tools: bool = False


@dataclass(frozen=True, slots=True)
class WarmUp:
    """Tokens of our own requests: the engine counts them, the ledger does not."""

    prompt_tokens: int = 0
    output_tokens: int = 0

    def __add__(self, other: WarmUp) -> WarmUp:
        return WarmUp(self.prompt_tokens + other.prompt_tokens, self.output_tokens + other.output_tokens)


class EngineProbe:
    """Short questions to one server. Close it when done."""

    def __init__(self, url: str, key: str | None = None, tls: Tls | None = None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else None
        self._url = url.rstrip("/")
        self._http = client_for(self._url, timeout_s=HEALTH_S, headers=headers, tls=tls)

    @property
    def is_closed(self) -> bool:
        return self._http.is_closed

    async def health(self) -> Health:
        try:
            answer = await self._http.get("/health")
        except (httpx.ConnectError, httpx.ConnectTimeout):
            return Health.UNREACHABLE
        except httpx.TimeoutException:
            return Health.SILENT
        except httpx.HTTPError:
            return Health.UNREACHABLE
        return Health.DEAD if answer.status_code >= 500 else Health.WELL

    async def pulse(self) -> Pulse | None:
        """What its /metrics say of its work; None when there is no such page, or nothing of vLLM on it."""
        if self._http.is_closed:
            return None
        try:
            answer = await self._http.get("/metrics")
        except httpx.HTTPError:
            return None
        return pulse_from(answer.text) if answer.is_success else None

    async def make_a_token(self, model: str, limit_s: float = FIRST_TOKEN_S) -> WarmUp | None:
        """What one token cost, None when the engine did not make it. The first one after a start takes seconds.

        Raises TokenRefused when it takes no conversation at all: asking again would not help.
        """
        body = {"model": model, "messages": _HELLO, "max_tokens": 1}
        try:
            answer = await self._http.post("/v1/chat/completions", json=body, timeout=limit_s)
        except httpx.HTTPError:
            return None
        if answer.status_code in _REFUSED:
            raise TokenRefused(error_message(_json_of(answer)).rstrip("."))
        return _warm_up(answer) if answer.is_success else None

    async def get_json(self, path: str) -> Any:
        """The answer of a small question, None when there is none of that kind."""
        try:
            answer = await self._http.get(path)
            return answer.json() if answer.is_success else None
        except (httpx.HTTPError, ValueError):
            return None

    async def ask(self, path: str, limit_s: float) -> bool:
        """POST without a body; whether it was done within `limit_s` seconds."""
        try:
            return (await self._http.post(path, timeout=limit_s)).is_success
        except httpx.HTTPError:
            return False

    async def served_model(self) -> ServedModel:
        """The first model that the server offers. Raises AttachFailed with a sentence."""
        try:
            answer = await self._http.get("/v1/models")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise AttachFailed(_unreachable(self._url, error)) from error
        if answer.status_code in (401, 403):
            raise AttachFailed(f"The engine at {self._url} refused the key: it is missing or wrong. Enter its API key.")
        if found := _first_model(answer):
            return replace(found, tools=await self._takes_tools(found.name))
        raise AttachFailed(
            f"No engine can be attached: {self._url} answers, but offers no model as vLLM does. Check the address.",
        )

    async def _takes_tools(self, model: str) -> bool:
        """Tried with one token: vLLM says 400 when it was started without a tool parser. A slow server takes none.

        Only an attached server is asked. Its tokens are not held against the ledger, so this one disturbs nothing.
        """
        body = {"model": model, "messages": _HELLO, "max_tokens": 1, "tools": [_ANY_TOOL], "tool_choice": "auto"}
        try:
            answer = await self._http.post("/v1/chat/completions", json=body, timeout=TRIAL_S)
        except httpx.HTTPError:
            return False
        return answer.is_success

    async def aclose(self) -> None:
        await self._http.aclose()


def _unreachable(url: str, error: Exception) -> str:
    if "certificate" in str(error).lower():
        return (
            f"No engine can be attached: the certificate of {url} cannot be verified ({error}). "
            "Name the file of its certificate authority, or allow it unverified."
        )
    return f"No engine can be attached: nothing answers at {url}. Check the address and whether vLLM runs."


def _json_of(answer: httpx.Response) -> Any:
    try:
        body: Any = answer.json()
    except ValueError:
        return answer.text
    return cast("Mapping[str, Any]", body).get("error", body) if isinstance(body, dict) else body


def _warm_up(answer: httpx.Response) -> WarmUp | None:
    try:
        usage: Any = answer.json()["usage"]
        return WarmUp(int(usage["prompt_tokens"]), int(usage["completion_tokens"]))
    except (ValueError, KeyError, TypeError):
        return None


def _first_model(answer: httpx.Response) -> ServedModel | None:
    try:
        listed: Any = answer.json()["data"][0]
        context = cast("Mapping[str, Any]", listed).get("max_model_len")
        return ServedModel(str(listed["id"]), context if isinstance(context, int) else None)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None
