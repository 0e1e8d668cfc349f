"""Profiles as kept, written, compared, and held against a running engine."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_asyncio

from engine_host.engine.errors import ModelRefused, ProfileRefused
from engine_host.engine.models import QWEN_7B, SMOLLM2
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_check import profile_faults
from engine_host.engine.profile_compare import Difference, differences
from engine_host.engine.profile_file import body_of, profile_of, read_profiles, ready_made, write_profiles
from engine_host.engine.profile_reported import ask_engine, engine_has
from engine_host.engine.profile_shelf import ProfileShelf
from storage.database import Database
from storage.queries.engine_profiles import save_profile
from tests.fakes.fake_vllm import Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from storage.paths import Home

PAGE = Path(__file__).parents[2] / "fakes" / "metrics" / "v1_0.32.0_cpu__recorded_here.prom"
EVENING = EngineProfile("Evening", SMOLLM2, {"max_num_seqs": 8, "kv_space_gib": 0.5}, ("--seed", "7"))


@pytest_asyncio.fixture
async def database(home: Home) -> AsyncIterator[Database]:
    opened = await Database.open(home)
    yield opened
    await opened.close()


@pytest.fixture
def shelf(database: Database) -> ProfileShelf:
    return ProfileShelf(database)


async def test_that_each_save_is_a_version_and_all_can_be_had_again(shelf: ProfileShelf) -> None:
    first = await shelf.save(EVENING, "for Diwali")
    second = await shelf.save(EVENING.with_values(max_num_seqs=16))
    assert (first.profile.version, second.profile.version, first.note) == (1, 2, "for Diwali")
    assert (await shelf.get("evening")).profile.max_num_seqs == 16
    old = (await shelf.get("EVENING", 1)).profile
    assert (old.max_num_seqs, old.kv_space_gib, old.extra) == (8, 0.5, ("--seed", "7"))
    assert [one.profile.version for one in await shelf.versions("Evening")] == [2, 1]
    with pytest.raises(ProfileRefused, match="Evening has no version 3: there are 1, 2"):
        await shelf.get("Evening", 3)


async def test_that_a_ready_made_profile_is_hidden_by_a_saved_one_and_comes_back(shelf: ProfileShelf) -> None:
    names = [one.name for one in await shelf.profiles()]
    assert names == ["CPU demo", "Support chat on one GPU", "Throughput", "Small memory"]
    kept = await shelf.save(replace(EVENING, name="cpu-demo"))
    assert (kept.name, kept.ready_made) == ("CPU demo", False)
    assert [one.name for one in await shelf.profiles()] == names
    assert [one.profile.version for one in await shelf.versions("CPU demo")] == [1, 0]
    assert (await shelf.get("CPU demo", 0)).ready_made
    assert await shelf.delete("CPU demo") == 1
    assert (await shelf.get("CPU demo")).profile.max_num_seqs == 32
    with pytest.raises(ProfileRefused, match="comes with the program"):
        await shelf.delete("CPU demo")


async def test_that_an_unknown_profile_is_refused_with_the_nearest(shelf: ProfileShelf) -> None:
    with pytest.raises(ProfileRefused, match="The nearest is Throughput"):
        await shelf.get("thruput")


@pytest.mark.parametrize("name", ["", "…", "x" * 61])
async def test_that_a_name_that_cannot_be_written_is_refused(shelf: ProfileShelf, name: str) -> None:
    with pytest.raises(ProfileRefused):
        await shelf.save(replace(EVENING, name=name))
    assert len(await shelf.profiles()) == len(ready_made())


async def test_that_a_profile_of_a_newer_program_is_told_and_hides_nothing(
    shelf: ProfileShelf, database: Database
) -> None:
    await shelf.save(EVENING)
    body = {"model": SMOLLM2.name, "values": {"warp_speed": 9}, "extra": []}
    await database.run(lambda session: save_profile(session, "Future", body, "", datetime.now(UTC)))
    assert "Future" not in [one.name for one in await shelf.profiles()]
    assert (await shelf.get("Evening")).profile.max_num_seqs == 8
    (damage,) = await shelf.damaged()
    assert "There is no option warp_speed" in damage


async def test_that_a_file_of_profiles_is_kept_whole_or_not_at_all(shelf: ProfileShelf) -> None:
    saved = await shelf.save(EVENING, "for Diwali")
    text = write_profiles((saved, await shelf.get("Throughput")))
    read = read_profiles(text, "p.toml")
    assert next((one.name, one.note) for one in read) == ("Evening", "for Diwali")
    assert differences(read[0].profile, EVENING) == differences(read[1].profile, ready_made()[2].profile) == ()
    with pytest.raises(ProfileRefused):
        await shelf.save_all((*read, replace(read[0], profile=replace(EVENING, name="!"))))
    assert [one.profile.version for one in await shelf.versions("Throughput")] == [0]
    again = await shelf.save_all(read)
    assert [(one.name, one.profile.version) for one in again] == [("Evening", 1), ("Throughput", 1)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[profile", "p.toml is not valid TOML"),
        ("x = 1", "p.toml is no profile file: profile: Field required"),
        ('[[profile]]\nname = "a"\nmodel = "m"\ncolour = 1', "colour"),
        ('[[profile]]\nname = "a"\nmodel = "SmolLM2-135M-Instruct"\n[profile.values]\nmax_num_seqs = 0', "it must be"),
        ('[[profile]]\nname = "a"\nmodel = "SmolLM2-135M-Instruct"\n[profile.values]\nseqs = 1', "no option seqs"),
    ],
)
def test_that_a_file_that_is_no_profile_file_is_a_sentence(text: str, told: str) -> None:
    with pytest.raises(ProfileRefused, match=told):
        read_profiles(text, "p.toml")


def test_that_a_model_outside_the_catalogue_is_refused() -> None:
    with pytest.raises(ModelRefused, match="The model m is not in the catalogue"):
        read_profiles('[[profile]]\nname = "a"\nmodel = "m"', "p.toml")


def test_that_what_was_kept_does_not_change_with_the_defaults() -> None:
    body = body_of(EVENING)
    assert body["values"]["max_model_len"] == 4096
    assert profile_of("Evening", 3, body).version == 3


@pytest.mark.parametrize("on_gpu", [True, False])
def test_that_a_ready_made_profile_has_no_fault(on_gpu: bool) -> None:
    assert not [fault for one in ready_made() for fault in profile_faults(one.profile, on_gpu=on_gpu)]


def test_that_two_profiles_are_compared_option_by_option() -> None:
    other = replace(EVENING, model=QWEN_7B, extra=()).with_values(kv_space_gib=1.0, gpu_memory_utilization=0.5)
    assert differences(EVENING, EVENING) == ()
    assert differences(EVENING, other) == (
        Difference("model", "Model", "Model", SMOLLM2.name, QWEN_7B.name),
        Difference("gpu_memory_utilization", "Memory", "Share of the GPU", "vLLM decides (0.92)", "0.5 of 1"),
        Difference("kv_space_gib", "Memory", "KV space", "0.5 GiB", "1 GiB"),
        Difference("extra", "Extra", "Extra arguments", "--seed 7", ""),
    )


def test_that_what_the_engine_has_is_shown_beside_what_was_asked() -> None:
    has = engine_has(EVENING, PAGE.read_text(encoding="utf-8"), 4096, on_gpu=False)
    assert (has["kv_space_gib"].text, has["kv_space_gib"].as_asked) == ("1 GiB", False)
    assert (has["prefix_caching"].text, has["prefix_caching"].as_asked) == ("on", True)
    assert (has["block_size"].text, has["block_size"].as_asked) == ("128", True)
    assert (has["max_model_len"].text, has["max_model_len"].as_asked) == ("4,096 tok", True)
    assert not {"kv_offloading_gib", "gpu_kv_space_gib", "gpu_memory_utilization"} & set(has)
    assert engine_has(EVENING, "", None, on_gpu=False) == {}


async def test_that_a_running_engine_is_asked_for_what_it_has() -> None:
    async with FakeVllm(Behaviour(metrics_page=PAGE.read_text(encoding="utf-8"))) as fake:
        page, context = await ask_engine(fake.url)
        url = fake.url
    assert engine_has(EVENING, page, context, on_gpu=False)["kv_cache_dtype"].text == "auto"
    assert await ask_engine(url) == ("", None)
