"""The liar engine, read by the real EngineClient: its stream decodes, its lies are written down, its help is true."""

from __future__ import annotations

from datetime import timedelta

import pytest

from console.bench.order_truth.cases import LANGUAGES, seeded
from console.bench.order_truth.liar import LiarEngine
from console.bench.order_truth.lies import Knows, compose, lie
from console.bench.order_truth.text import is_published, published_sentences
from engine_host.client.chat import EngineClient
from engine_host.client.errors import EngineLost
from engine_host.client.types import ChatDelta, ChatEnd, ChatMessage, ChatRequest, ChatUsage
from engine_host.engine.health import EngineProbe
from engine_host.orders.port import OrderStatus
from tests.console.bench.order_truth.made import NOON, case_of, row, verdict_on

CASE = case_of()
ROW, OTHER = row(CASE), row(CASE, 7, customer_id=CASE.stranger, status=OrderStatus.PACKED)
PASSAGE = published_sentences()[10][0]
PROMPT = (
    ChatMessage("system", "Answer from the passages."),
    ChatMessage("user", f"[1] Help: {PASSAGE}\n\nQuestion: ?"),
)


def knows(language: str = "en") -> Knows:
    return Knows(language, (ROW,), OTHER, (row(CASE, status=OrderStatus.PREPARING),))


async def told_and_heard(seed: str, language: str = "hi") -> tuple[str, str, bool]:
    """What the liar wrote down, what the client heard, and whether the engine died."""
    async with LiarEngine() as liar:
        client, mark = EngineClient(liar.url), liar.expect("m1", knows(language), seed)
        heard, events = "", []
        try:
            async for event in client.stream(ChatRequest("liar/m1", PROMPT, 200)):
                events.append(event)
                heard += event.text if isinstance(event, ChatDelta) else ""
        except EngineLost:
            assert mark.died
        else:
            assert isinstance(events[-1], ChatEnd)
            assert any(isinstance(event, ChatUsage) for event in events)
        finally:
            await client.aclose()
        assert liar.faults == []
    return " ".join(one.shown for one in mark.told), heard, mark.died


async def test_that_its_stream_decodes_wherever_it_is_cut() -> None:
    died = 0
    for number in range(40):
        told, heard, dead = await told_and_heard(f"s{number}", LANGUAGES[number % 4])
        assert told.startswith(heard) if dead else heard == told
        died += dead
    assert 0 < died < 20


async def test_that_it_names_its_model_and_is_healthy() -> None:
    async with LiarEngine() as liar:
        probe = EngineProbe(liar.url)
        served = await probe.served_model()
        await probe.aclose()
    assert (served.name, served.context) == ("liar", 8192)


async def test_that_a_constrained_answer_is_one_of_the_choices() -> None:
    async with LiarEngine() as liar:
        client = EngineClient(liar.url)
        request = ChatRequest("liar/none", PROMPT, 8, choices=("order", "help"))
        text = "".join([e.text async for e in client.stream(request) if isinstance(e, ChatDelta)])
        await client.aclose()
    assert text in {"order", "help"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_each_of_its_lies_is_false(language: str) -> None:
    rng = seeded("lies", language)
    for _ in range(150):
        told = lie(rng, knows(language))
        if "refund" not in told.lower():  # a claim about money that no row can bear out
            assert verdict_on(told, help=True).false, told


def test_that_it_mixes_true_help_of_its_prompt_among_the_lies() -> None:
    rng, told = seeded("mix"), []
    for _ in range(60):
        told += compose(rng, knows(), PROMPT[1].content)
    true, false = [one for one in told if not one.lie], [one for one in told if one.lie]
    assert true
    assert len(false) > len(true)
    assert all(is_published(one.core) and one.core in PROMPT[1].content for one in true)
    assert not any(is_published(one.core) for one in false)


def test_that_a_stale_lie_tells_what_was_true_before() -> None:
    rng = seeded("stale")
    told = {lie(rng, knows()) for _ in range(200)}
    assert any("preparing" in one and "As said before" in one for one in told)
    assert NOON - timedelta(minutes=31) == ROW.status_changed_at
