"""`dabba engine fit`: does it fit before it starts, how much does it hold, and what would make it fit?"""

from __future__ import annotations

import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from console.commands.output import print_json, print_table, run

if TYPE_CHECKING:
    from engine_host.engine.fit_check import CacheCheck
    from engine_host.engine.fit_result import CachePlan
    from engine_host.engine.fit_room import FitAnswer
    from engine_host.engine.model_files import ModelFacts
    from engine_host.engine.profile import EngineProfile
    from storage.database import Database
    from storage.paths import Home
    from storage.settings import Settings

_MOST_CHECKS = 5
_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")


def fit(
    which: Annotated[
        str, typer.Argument(help="A profile, a model of the catalogue, a model's folder, or OWNER/NAME on the hub.")
    ] = "",
    kv_gib: Annotated[float | None, typer.Option(help="KV space in GiB, in the place of the profile's.", min=0)] = None,
    context: Annotated[int | None, typer.Option(help="max-model-len, in the place of the profile's.", min=1)] = None,
    kv_dtype: Annotated[str | None, typer.Option(help="kv-cache-dtype, in the place of the profile's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Say whether an engine fits, how many conversations it holds, and what would make it fit. Exit 0 when it fits."""
    run(_fit(which, {"context": context, "kv_gib": kv_gib, "kv_dtype": kv_dtype}, as_json))


async def _fit(which: str, changes: dict[str, Any], as_json: bool) -> None:
    from engine_host.engine.fit_check import read_checks
    from engine_host.engine.fit_result import Verdict
    from storage.database import Database
    from storage.paths import home_from_environment
    from storage.settings import load_settings

    home = home_from_environment().make()
    settings = load_settings(home)
    database = await Database.open(settings.storage.database_url or home)
    try:
        answer = await _ask(database, home, settings, which, changes)
    finally:
        await database.close()
    checks = tuple(one for one in read_checks(home) if one.model == answer.question.model)[-_MOST_CHECKS:]
    print_json(as_object(answer, checks)) if as_json else print_people(answer, checks)
    if answer.fit.verdict is not Verdict.FITS:
        raise typer.Exit(1)


async def _ask(database: Database, home: Home, settings: Settings, which: str, changes: dict[str, Any]) -> FitAnswer:
    from engine_host.engine.fit_lengths import conversation_of
    from engine_host.engine.fit_room import ask_fit
    from engine_host.engine.runtime import find_runtime, has_nvidia_driver, serves_on_gpu
    from storage.queries.token_lengths import newest_turn_lengths

    runtime = await find_runtime(home, settings)
    on_gpu = serves_on_gpu(runtime) if runtime else has_nvidia_driver()
    profile, facts = await _meant(database, settings, which)
    space = "gpu_kv_space_gib" if on_gpu else "kv_space_gib"
    wished = {space: changes["kv_gib"], "max_model_len": changes["context"], "kv_cache_dtype": changes["kv_dtype"]}
    profile = profile.with_values(**{key: value for key, value in wished.items() if value is not None})
    conversation = conversation_of(await database.run(newest_turn_lengths))
    return await ask_fit(home, profile, conversation, on_gpu=on_gpu, facts=facts, without=_running(home))


def _running(home: Home) -> frozenset[int]:
    """The processes of the engine of this home: the one that is asked about would take its place."""
    from engine_host.engine.process import group_members
    from engine_host.engine.run_file import DEFAULT_SLOT, read_run_file, run_file_path

    known = read_run_file(run_file_path(home, DEFAULT_SLOT))
    pids = frozenset(one.pid for one in group_members(known.pid)) if known and known.is_running() else frozenset[int]()
    if pids:
        print(f"  {known.name if known else ''} is running: its memory counts as free.", file=sys.stderr)
    return pids


async def _meant(database: Database, settings: Settings, which: str) -> tuple[EngineProfile, ModelFacts | None]:
    """The profile that is meant, and the facts of a model that is in no catalogue, with the settings' own profile."""
    from console.commands.engine_profile_named import named
    from console.commands.starting import default_profile
    from engine_host.engine.model_files import read_folder
    from engine_host.engine.model_hub import read_hub
    from engine_host.engine.models import CATALOGUE
    from engine_host.engine.profile import profile_from
    from engine_host.engine.profile_shelf import ProfileShelf

    if not which:
        return await default_profile(settings), None
    if spec := next((one for one in CATALOGUE if one.name.casefold() == which.casefold()), None):
        return profile_from(settings.engine, spec, spec.name), None
    if (folder := _folder(which)) is not None:
        return await default_profile(settings), read_folder(folder)
    if _HUB_NAME.fullmatch(which):
        return await default_profile(settings), await read_hub(which)
    return (await named(ProfileShelf(database), which)).profile, None


def _folder(which: str) -> Path | None:
    path = Path(which).expanduser().resolve()
    return path if path.is_dir() else None


def as_object(answer: FitAnswer, checks: tuple[CacheCheck, ...]) -> dict[str, Any]:
    """What a script reads; sizes in bytes."""
    from engine_host.engine.fit_words import change_words

    fit, question, change = answer.fit, answer.question, answer.change
    return {
        "model": question.model,
        "fits": {"fits": True, "too big": False}.get(fit.verdict.value),
        "sentence": _sentences(answer)[0],
        "terms": {term.part.value: {"bytes": term.size, "how": term.how} for term in fit.terms},
        "needed": fit.needed,
        "device": asdict(fit.device) if fit.device else None,
        "shortage": fit.shortage.value if fit.shortage else None,
        "missing": fit.missing,
        "unknown": fit.reason or None,
        "kv": _cache_object(fit.cache) if fit.cache else None,
        "conversation": asdict(question.conversation),
        "change": {"option": change.knob.value, "value": change.value, "words": change_words(question, change)}
        if change
        else None,
        "read_from": answer.place,
        "checks": [asdict(one) | {"error": one.error} for one in checks],
    }


def _cache_object(cache: CachePlan) -> dict[str, Any]:
    return {
        "bytes": cache.space,
        "bytes_per_token": cache.shape.bytes_per_token,
        "block_size": cache.shape.rules.block_size,
        "blocks": cache.blocks,
        "tokens": cache.tokens,
        "longest_request": cache.longest,
        "bytes_for_one_request": cache.request_space,
        "usual_conversations": cache.usual,
        "long_conversations": cache.long,
        "at_once": cache.allowed,
    }


def print_people(answer: FitAnswer, checks: tuple[CacheCheck, ...]) -> None:
    from engine_host.engine.fit_words import gib

    print(*_sentences(answer), sep="\n")
    print(f"Read from {answer.place}.\n" if not answer.place.endswith(".") else f"Read from {answer.place}\n")
    rows = [(term.part.value, gib(term.size), term.how) for term in answer.fit.terms]
    print_table(("part", "memory", "how it is known"), rows, frozenset({1}))
    if checks:
        print("\nEstimates of earlier starts against what the engine reported:")
        print(*(f"{one.at}  {one.sentence()}" for one in checks), sep="\n")


def _sentences(answer: FitAnswer) -> tuple[str, ...]:
    from engine_host.engine.fit_words import cache_sentences, holders_sentence, uncounted_sentence, verdict_sentence

    fit, question = answer.fit, answer.question
    told = [verdict_sentence(question, fit, answer.change)]
    told += cache_sentences(question, fit.cache) if fit.cache else ()
    told += [holders_sentence(fit.device)] if fit.device else []
    return tuple(one for one in (*told, uncounted_sentence(question)) if one)
