"""Asks whether a profile fits on this machine now, and holds a start that became ready against its estimate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import httpx

from engine_host.engine.fit import plan
from engine_host.engine.fit_change import Change, change_that_fits
from engine_host.engine.fit_check import CacheCheck, ReportedCache, compare, keep_check, read_reported
from engine_host.engine.fit_machine import has_fp8_cache, read_devices
from engine_host.engine.fit_profile import facts_from_catalogue, facts_here, facts_of, question_of
from engine_host.engine.fit_reserve import default_conversation
from engine_host.engine.models import CATALOGUE
from engine_host.http import client_for
from storage.worker import run_once

if TYPE_CHECKING:
    from engine_host.engine.fit_question import FitQuestion
    from engine_host.engine.fit_reserve import Conversation
    from engine_host.engine.fit_result import Fit
    from engine_host.engine.model_files import ModelFacts
    from engine_host.engine.profile import EngineProfile
    from storage.paths import Home

CHECK_LIMIT_S = 3.0


@dataclass(frozen=True, slots=True)
class FitAnswer:
    """`place` says where the model's figures were read."""

    question: FitQuestion
    fit: Fit
    change: Change | None
    place: str


async def ask_fit(
    home: Home,
    profile: EngineProfile,
    conversation: Conversation,
    *,
    on_gpu: bool,
    facts: ModelFacts | None = None,
    without: frozenset[int] = frozenset(),
) -> FitAnswer:
    """`facts` of another model than the profile's, by their own name; `without`: processes that count as ended.

    Takes a second where a GPU is asked, and as long as the hub takes for a model that is not here.
    """
    known = facts or await facts_of(home, profile.model)
    devices = await read_devices(on_gpu=on_gpu, without=without)
    fp8 = has_fp8_cache(on_gpu=on_gpu)
    question = question_of(profile, known, devices, conversation, on_gpu=on_gpu, fp8_cache=fp8)
    return answer(replace(question, model=facts.name) if facts else question, known.place)


def answer(question: FitQuestion, place: str) -> FitAnswer:
    """Pure: the plan, and the change with the catalogue's models as the smaller ones."""
    fit = plan(question)
    return FitAnswer(question, fit, change_that_fits(question, fit, smaller=_smaller(question)), place)


async def check_start(home: Home, profile: EngineProfile, run: str, url: str, *, on_gpu: bool) -> CacheCheck | None:
    """Compare what a ready engine says of its cache with the estimate, and keep it; None when either is missing.

    Never raises: an engine that is ready does not fail for a figure.
    """
    reported = await ask_cache(url)
    if reported is None:
        return None
    devices = await read_devices(on_gpu=on_gpu)
    facts = await run_once("model facts", facts_here, home, profile.model)
    question = question_of(profile, facts, devices, default_conversation(), on_gpu=on_gpu, fp8_cache=True)
    at = datetime.now(UTC).isoformat(timespec="seconds")
    check = compare(plan(question), reported, at=at, run=run, model=question.model, context=question.context)
    if check is not None:
        keep_check(home, check)
    return check


async def ask_cache(url: str, key: str | None = None) -> ReportedCache | None:
    """What the engine at `url` says of its cache; None when it does not answer or does not say."""
    headers = {"Authorization": f"Bearer {key}"} if key else None
    try:
        async with client_for(url, timeout_s=CHECK_LIMIT_S, headers=headers) as http:
            page = await http.get("/metrics")
    except (httpx.HTTPError, httpx.InvalidURL):
        return None
    return read_reported(page.text) if page.is_success else None


def _smaller(question: FitQuestion) -> tuple[FitQuestion, ...]:
    """The same question for the smaller models of the catalogue, the strongest first."""
    size = question.weights_in_memory
    specs = [spec for spec in CATALOGUE if size is None or spec.weights_bytes < size]
    found: list[FitQuestion] = []
    for spec in sorted(specs, key=lambda one: one.weights_bytes, reverse=True):
        facts = facts_from_catalogue(spec, "")
        context = min(question.context, spec.shape.context)
        other = replace(question, model=spec.name, config=facts.config, weights=facts.weights, dtype="auto")
        found.append(replace(other, context=context))
    return tuple(found)
