"""The commands as people type them, on the sample kitchen: what they print, what it rests on, and how they end."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
import pytest_asyncio

from console.house import open_house
from knowledge.readers import read_article
from tests.journeys.program import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.journeys.program import Program

pytestmark = [pytest.mark.journey, pytest.mark.timeout(1200), pytest.mark.usefixtures("running_engine")]

ARTICLES = REPOSITORY / "assets" / "sample_kitchen" / "articles"
KOLKATA = ZoneInfo("Asia/Kolkata")
MEERA, HER_ORDER, ANOTHERS_ORDER = "C-2291", "KD-4821", "KD-4823"
PLACE_OR_TIME = re.compile(r"KD-\d|\d\d:\d\d")
SAYS = {"packed": "packed", "delivered": "marked as delivered"}
"""Words of the English statement by which a person knows the status."""


def source_name_of(articles: list[dict[str, Any]], article_id: str) -> str:
    return next(one["text"]["source_name"] for one in articles if one["article_id"] == article_id)


def events_of(answer: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in answer["events"] if event["event"] == kind]


async def order(dabba: Program, customer: str = MEERA) -> dict[str, Any]:
    (found,) = await dabba.json("orders", "list", "--customer", customer)
    return found


async def about_order(dabba: Program, question: str = "Where is my dabba?") -> dict[str, Any]:
    return await dabba.json("ask", question, "--customer", MEERA)


@pytest.fixture(autouse=True, scope="module")
def _a_new_day(dabba: Program) -> None:
    asyncio.run(dabba.run("orders", "reset"))


@pytest_asyncio.fixture
async def order_system(dabba: Program) -> AsyncIterator[None]:
    """Served by hand for the whole test, so that no command has to start its own."""
    serving = await dabba.start("orders", "serve")
    assert serving.process.stdout is not None
    assert b"takes questions at" in await serving.process.stdout.readline()
    yield
    if serving.process.returncode is None:
        serving.process.terminate()
    assert (await serving.end(20)).code == 0
    (dabba.home.run / "orders.json").unlink()  # what was stopped by hand stays stopped; the next test wants its own


async def test_that_doctor_finds_nothing_wrong(dabba: Program) -> None:
    diagnosis = await dabba.json("doctor")
    assert diagnosis["ok"], [check for check in diagnosis["checks"] if not check["ok"]]
    assert {"name", "ok", "fact", "next_step"} <= set(diagnosis["checks"][0])


async def test_that_a_help_question_is_answered_from_the_article_that_it_names(dabba: Program) -> None:
    answer = await dabba.json("ask", "When do I get my refund?")
    assert answer["outcome"] == "answered"
    source = answer["sources"][0]
    assert source["title"] == "Refunds and cancellations"
    name = source_name_of(await dabba.json("articles", "list"), source["article"])
    kept = read_article(ARTICLES / name, name).body[source["start"] : source["end"]]
    assert kept == source["text"]
    assert set(re.findall(r"\d+", answer["answer"])) <= set(re.findall(r"\d+", kept))
    for event in events_of(answer, "Quoted"):
        assert event["text"] in kept
    assert events_of(answer, "Quoted") or events_of(answer, "Text")
    assert events_of(answer, "Writing"), "the model did not write"
    assert answer["tokens"]["output"] > 0


async def test_that_an_order_question_tells_what_the_order_system_lists(dabba: Program, order_system: None) -> None:
    before = await order(dabba)
    answer = await about_order(dabba)
    after = await order(dabba)
    assert answer["outcome"] == "order_stated"
    stated = events_of(answer, "Stated")[0]["order"]
    assert stated["order_id"] == HER_ORDER
    assert before["version"] <= stated["version"] <= after["version"]
    assert stated["status"] in (before["status"], after["status"])
    assert answer["tokens"]["output"] == 0


@pytest.mark.parametrize("status", SAYS)
async def test_that_an_order_moved_by_hand_is_told_as_moved(dabba: Program, status: str) -> None:
    moved = await dabba.json("orders", "move", HER_ORDER, status)
    answer = await about_order(dabba)
    assert moved["status"] == status == events_of(answer, "Stated")[0]["order"]["status"]
    assert (await order(dabba))["version"] == events_of(answer, "Stated")[0]["order"]["version"]
    assert SAYS[status] in answer["answer"]
    as_of = datetime.fromisoformat(events_of(answer, "Stated")[0]["order"]["as_of"]).astimezone(KOLKATA)
    assert f"{as_of:%H:%M:%S}" in answer["answer"]


async def test_that_someone_elses_order_and_an_unknown_one_get_the_same_answer(
    dabba: Program, order_system: None
) -> None:
    told = [
        await dabba.run("ask", f"Where is order {number}?", "--customer", MEERA)
        for number in (ANOTHERS_ORDER, "KD-9999")
    ]
    assert told[0].out == told[1].out
    assert not PLACE_OR_TIME.search(told[0].out)


async def test_that_a_stopped_order_system_is_not_known_soon_and_known_again_when_served(dabba: Program) -> None:
    assert (await dabba.json("orders", "stop"))["stopped"]
    silent = await about_order(dabba)
    assert silent["outcome"] == "does_not_know"
    assert not PLACE_OR_TIME.search(silent["answer"])
    assert silent["times_ms"]["total"] < 5000
    refused = await dabba.run("orders", "list", code=1)
    assert "is stopped" in refused.err
    serving = await dabba.start("orders", "serve")
    assert serving.process.stdout is not None
    await serving.process.stdout.readline()
    assert (await about_order(dabba))["outcome"] == "order_stated"
    serving.process.terminate()
    assert (await serving.end(20)).code == 0
    assert (await about_order(dabba))["outcome"] == "does_not_know"
    (dabba.home.run / "orders.json").unlink()


async def test_that_nobody_signed_in_hears_of_no_order(dabba: Program) -> None:
    answer = await dabba.json("ask", "Where is my dabba?")
    assert answer["outcome"] == "does_not_know"
    assert not events_of(answer, "ToolCalled")
    assert not PLACE_OR_TIME.search(answer["answer"])


@pytest.mark.parametrize(
    ("language", "of_order", "of_help", "article"),
    [
        (
            "hi",
            "मेरा डब्बा कहाँ है?",
            "आधे घंटे की देरी पर कुछ मिलता है क्या?",
            "late-dabba.hi.md",
        ),
        (
            "mr",
            "माझा डबा कुठे आहे?",
            "कार्डने पैसे भरले होते, रद्द केल्यावर किती दिवसांत परत येतील?",
            "refunds-and-cancellations.mr.md",
        ),
    ],
    ids=("Hindi", "Marathi"),
)
async def test_that_a_question_is_answered_in_its_language(
    dabba: Program, order_system: None, language: str, of_order: str, of_help: str, article: str
) -> None:
    stated = await about_order(dabba, of_order)
    assert stated["outcome"] == "order_stated"
    assert HER_ORDER in stated["answer"]
    helped = await about_order(dabba, of_help)
    assert helped["outcome"] == "answered"
    articles = await dabba.json("articles", "list")
    assert source_name_of(articles, helped["sources"][0]["article"]) == article
    for answer in (stated, helped):
        assert events_of(answer, "Opened")[0]["language"] == language
        assert re.search("[\u0900-\u097f]", answer["answer"])


async def test_that_an_article_answers_from_its_adding_to_its_removal(dabba: Program, tmp_path: Path) -> None:
    text = "Dabbas with a blue lid are for the night kitchen of Wagholi. They are washed on Sundays at the river gate."
    file = tmp_path / "blue-lid.en.md"
    file.write_text(f"---\ntitle: The blue lid\nlanguage: en\naudience: customers\n---\n\n{text}\n", encoding="utf-8")
    question = "who gets the dabbas with a blue lid?"
    (added,) = await dabba.json("articles", "add", str(file))
    assert added["verdict"] == "added"
    (again,) = await dabba.json("articles", "add", str(file))
    assert again["verdict"] == "unchanged"
    found = await dabba.json("articles", "search", question)
    assert found["passages"][0]["article_id"] == added["article_id"]
    assert found["passages"][0]["text"] in text
    assert added["article_id"] in [one["article_id"] for one in await dabba.json("articles", "list")]
    assert (await dabba.json("articles", "remove", added["article_id"])) == {"removed": added["article_id"]}
    left = await dabba.json("articles", "search", question)
    assert added["article_id"] not in [one["article_id"] for one in left["passages"]]
    assert added["article_id"] not in [one["article_id"] for one in await dabba.json("articles", "list")]


async def test_that_a_refused_file_is_named_and_the_command_fails(dabba: Program, tmp_path: Path) -> None:
    empty = tmp_path / "empty.md"
    empty.touch()
    ran = await dabba.run("articles", "add", str(empty), "--json", code=1)
    assert ran.json[0]["verdict"] == "refused"
    assert "empty.md" in ran.json[0]["sentence"]
    assert "1 of 1 files were refused." in ran.err


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("ask", "Where is my dabba?", "--tenant", "nobody"), 1, "Tenant 'nobody' is not known"),
        (("articles", "remove", "no-such-article"), 1, "no-such-article"),
        (("orders", "move", HER_ORDER, "eaten"), 1, "eaten is not a status"),
        (("orders", "move", "KD-0000", "packed"), 1, "KD-0000"),
        (("orders", "list", "--customer", "C-0000"), 1, "C-0000 is not known"),
        (("orders",), 2, ""),
        (("cook",), 2, "No such command"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
async def test_that_a_command_that_did_not_do_it_says_so(
    dabba: Program, arguments: tuple[str, ...], code: int, said: str
) -> None:
    ran = await dabba.run(*arguments, code=code)
    assert said in ran.err


async def test_that_the_engine_and_the_usage_are_told_as_json(dabba: Program) -> None:
    assert (await dabba.json("engine", "status"))["status"] == "ready"
    usage = await dabba.json("usage")
    assert {day["tenant"] for day in usage["days"]} <= {"kamala", "annapurna", "meridian"}


async def test_that_an_index_in_use_is_told_and_orders_are_answered_all_the_same(dabba: Program) -> None:
    house = await open_house(dabba.home)
    try:
        await house.library.warm()
        searching = await dabba.start("articles", "search", "refund", "--json")
        asking = await dabba.start("ask", "When do I get my refund?")
        ordering = await about_order(dabba)
        searched, asked = await searching.end(60), await asking.end(60)
    finally:
        await house.close()
    assert ordering["outcome"] == "order_stated"
    for ran in (searched, asked):
        assert ran.code == 1
        assert "The article index is in use" in ran.err
        assert "Traceback" not in ran.err
