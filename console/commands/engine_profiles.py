"""`dabba engine profiles`: what engines are started with, by name and version."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from console.commands.engine_profile_named import (
    Changes,
    Json,
    Which,
    changed,
    named,
    opened_shelf,
    profile_object,
    readiness_object,
    say,
    version_text,
)
from console.commands.output import fail, print_json, print_table, run

if TYPE_CHECKING:
    from engine_host.engine.profile_file import KeptProfile
    from engine_host.engine.profile_reported import Has

app = typer.Typer(help="Profiles: a model with a value for each engine option.", no_args_is_help=True)


@app.command("list")
def list_profiles(as_json: Json = False) -> None:
    """List the profiles that come with the program and the saved ones."""
    run(_list(as_json))


@app.command()
def show(
    which: Which,
    url: Annotated[str, typer.Option(help="An engine that runs: what it has is shown beside each option.")] = "",
    as_json: Json = False,
) -> None:
    """Show every option of a profile, and what the installed vLLM would refuse. Exit 0 only when that is nothing."""
    run(_show(which, url, as_json))


@app.command()
def save(
    name: Annotated[str, typer.Argument(help="Under which name it is kept.")],
    base: Annotated[str, typer.Option("--from", help="The profile it is made of; its own last version.")] = "",
    model: Annotated[str, typer.Option(help="A model of the catalogue.")] = "",
    given: Annotated[list[str] | None, typer.Option("--set", help="An option, as max_num_seqs=16.")] = None,
    dropped: Annotated[list[str] | None, typer.Option("--unset", help="An option that gets its default back.")] = None,
    extra: Annotated[str | None, typer.Option(help="Further vLLM arguments, as one text.")] = None,
    note: Annotated[str | None, typer.Option(help="What it is for.")] = None,
    as_json: Json = False,
) -> None:
    """Keep a new version of a profile. Nothing is kept that the installed vLLM would refuse."""
    changes = Changes(model, tuple(given or ()), tuple(dropped or ()), extra, note)
    run(_save(name, base, changes, as_json))


@app.command()
def compare(left: Which, right: Which, as_json: Json = False) -> None:
    """Show how two profiles, or two versions of one, differ."""
    run(_compare(left, right, as_json))


@app.command()
def export(
    file: Annotated[Path, typer.Argument(help="The file that is written.")],
    names: Annotated[list[str] | None, typer.Argument(help="Which ones; all saved ones when left out.")] = None,
    as_json: Json = False,
) -> None:
    """Write profiles into one file."""
    run(_export(file, names or [], as_json))


@app.command("import")
def import_profiles(
    file: Annotated[Path, typer.Argument(help="A file that `export` wrote.")], as_json: Json = False
) -> None:
    """Keep every profile of a file, as a new version where the name is known. A file with a fault changes nothing."""
    run(_import(file, as_json))


@app.command()
def delete(name: Annotated[str, typer.Argument(help="A saved profile.")], as_json: Json = False) -> None:
    """Delete every saved version; a profile that comes with the program is then as it was."""
    run(_delete(name, as_json))


async def _list(as_json: bool) -> None:
    async with opened_shelf() as (shelf, _, _):
        profiles = await shelf.profiles()
        for damage in await shelf.damaged():
            say(damage)
    if as_json:
        print_json([profile_object(one) for one in profiles])
        return
    rows = [(one.name, version_text(one), one.profile.model.name, one.note) for one in profiles]
    print_table(("name", "version", "model", "note"), rows)


async def _show(which: str, url: str, as_json: bool) -> None:
    from engine_host.engine.profile_ready import readiness
    from engine_host.engine.profile_reported import ask_engine, engine_has

    async with opened_shelf() as (shelf, home, settings):
        kept = await named(shelf, which)
        versions = await shelf.versions(kept.name)
        ready = await readiness(home, settings, kept.profile)
    has = engine_has(kept.profile, *await ask_engine(url), on_gpu=ready.on_gpu) if url else {}
    if url and not has:
        say(f"The engine at {url} does not tell what it has: it publishes no metrics, or nothing answers there.")
    if as_json:
        told = {"versions": [one.profile.version for one in versions], **readiness_object(ready)}
        print_json(profile_object(kept) | told | {"engine_has": {key: asdict(one) for key, one in has.items()}})
    else:
        _print_profile(kept, has, on_gpu=ready.on_gpu)
        say(ready.unchecked)
    if ready.faults:
        fail("\n".join(fault.sentence for fault in ready.faults))


def _print_profile(kept: KeptProfile, has: dict[str, Has], *, on_gpu: bool) -> None:
    from engine_host.engine.options import option_groups
    from engine_host.engine.options_values import value_text

    profile = kept.profile
    print(f"{profile.name}, {version_text(kept)}: {profile.model.name}. {kept.note}".rstrip())
    changed_keys = profile.changed()
    for group in option_groups():
        print(f"\n{group.title}")
        for option in group.options:
            mark = "*" if option.key in changed_keys else " "
            beside = (
                _beside(has.get(option.key)) if option.counts(on_gpu=on_gpu) else f"   (on a {option.where.upper()})"
            )
            print(f"{mark} {option.key:<30} {value_text(option, profile.value(option.key))}{beside}")
    if profile.extra:
        print(f"\nExtra arguments\n* {' '.join(profile.extra)}")


def _beside(one: Has | None) -> str:
    return "" if one is None else f"   the engine has {one.text}{'' if one.as_asked else ' (!)'}"


async def _save(name: str, base: str, changes: Changes, as_json: bool) -> None:
    from engine_host.engine.profile_ready import readiness

    async with opened_shelf() as (shelf, home, settings):
        known = await shelf.find(name)
        old = await named(shelf, base) if base else known
        if old is None:
            fail(f"There is no profile {name} yet. Say with --from which one it is made of.")
        profile = replace(changed(old.profile, changes), name=known.name if known else name, version=0)
        ready = await readiness(home, settings, profile)
        ready.refuse(profile)
        say(ready.unchecked)
        kept = await shelf.save(profile, old.note if changes.note is None else changes.note)
    print_json(profile_object(kept)) if as_json else print(f"{kept.name} is kept as {version_text(kept)}.")


async def _compare(left: str, right: str, as_json: bool) -> None:
    from engine_host.engine.profile_compare import differences

    async with opened_shelf() as (shelf, _, _):
        pair = await named(shelf, left), await named(shelf, right)
    found = differences(pair[0].profile, pair[1].profile)
    if as_json:
        print_json([asdict(one) for one in found])
    elif found:
        print_table(("option", left, right), [(one.label, one.left or "none", one.right or "none") for one in found])
    else:
        print(f"{left} and {right} say the same.")


async def _export(file: Path, names: list[str], as_json: bool) -> None:
    from engine_host.engine.profile_file import write_profiles

    async with opened_shelf() as (shelf, _, _):
        saved = [one for one in await shelf.profiles() if not one.ready_made]
        wanted = [await named(shelf, name) for name in names] if names else saved
    if not wanted:
        fail("Nothing was written: no profile was saved yet. Name one that comes with the program, or save one.")
    _write(file, write_profiles(wanted))
    told = [one.name for one in wanted]
    print_json({"file": str(file), "profiles": told}) if as_json else print(f"{file} holds {', '.join(told)}.")


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}. Choose another place.")


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except OSError as error:
        fail(f"{file} cannot be read: {error.strerror}. Name another file.")
    except UnicodeDecodeError:
        fail(f"{file} cannot be read: it is not UTF-8 text. Export it again.")


async def _import(file: Path, as_json: bool) -> None:
    from engine_host.engine.profile_file import read_profiles

    read = read_profiles(_read(file), str(file))
    async with opened_shelf() as (shelf, _, _):
        kept = await shelf.save_all(read)
    if as_json:
        print_json([profile_object(one) for one in kept])
        return
    for one in kept:
        print(f"{one.name} is kept as {version_text(one)}.")


async def _delete(name: str, as_json: bool) -> None:
    async with opened_shelf() as (shelf, _, _):
        versions = await shelf.delete(name)
    told = f"{name} is deleted with its {versions} version{'s' if versions > 1 else ''}."
    print_json({"deleted": name, "versions": versions}) if as_json else print(told)
