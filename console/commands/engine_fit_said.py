"""What a start says of its memory, beside its answer on stderr: too little before it, the size of its cache after."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine_host.engine.profile import EngineProfile
    from storage.settings import Settings

_LIMIT_S = 5.0


async def say_when_too_big(profile: EngineProfile, settings: Settings) -> None:
    """A remark and no refusal: parts of it are estimates, and the engine has the last word."""
    from engine_host.engine.fit_reserve import default_conversation
    from engine_host.engine.fit_result import Verdict
    from engine_host.engine.fit_room import ask_fit
    from engine_host.engine.fit_words import verdict_sentence
    from engine_host.engine.runtime import find_runtime, serves_on_gpu
    from storage.paths import home_from_environment

    home = home_from_environment()
    runtime = await find_runtime(home, settings)
    if runtime is None:
        return
    try:
        async with asyncio.timeout(_LIMIT_S):
            told = await ask_fit(home, profile, default_conversation(), on_gpu=serves_on_gpu(runtime))
    except TimeoutError:
        return
    if told.fit.verdict is Verdict.TOO_BIG:
        print(f"  {verdict_sentence(told.question, told.fit, told.change)}", file=sys.stderr)


def say_what_it_holds(run: str | None) -> None:
    """What the engine reported of its cache against the estimate; nothing when it did not say."""
    from engine_host.engine.fit_check import read_checks
    from storage.paths import home_from_environment

    for check in read_checks(home_from_environment()):
        if check.run == run:
            print(f"  {check.sentence()}", file=sys.stderr)
