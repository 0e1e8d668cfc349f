from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from engine_host.client.chat import EngineClient
from engine_host.client.errors import EngineBusy, EngineError, EngineLost, EngineRefused
from engine_host.client.types import ChatDelta, ChatEnd, ChatEvent, ChatMessage, ChatRequest, ChatToolCall, ChatUsage
from tests.fakes.fake_vllm import Behaviour, FakeVllm

QUESTION = ChatRequest("fake-model", (ChatMessage("user", "When do I get my refund?"),), max_tokens=50)


async def ask(fake: FakeVllm, request: ChatRequest = QUESTION, key: str | None = None) -> list[ChatEvent]:
    client = EngineClient(fake.url, key)
    try:
        return [event async for event in client.stream(request)]
    finally:
        await client.aclose()


async def collect(client: EngineClient, into: list[ChatEvent]) -> None:
    async for event in client.stream(QUESTION):
        into.append(event)  # noqa: PERF401 - what came before the error counts


def text_of(events: list[ChatEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ChatDelta))


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(),
        Behaviour(piece_bytes=1),
        Behaviour(piece_bytes=7, comments=True, line_end="\r\n"),
        Behaviour(first_delay_s=0.05, comments=True),
    ],
)
async def test_that_the_answer_is_the_same_however_it_arrives(behaviour: Behaviour) -> None:
    async with FakeVllm(behaviour) as fake:
        events = await ask(fake)
    assert text_of(events) == " ".join(behaviour.words)
    assert [e for e in events if isinstance(e, ChatUsage)][-1] == ChatUsage(6, 3, len(behaviour.words))
    assert events[-1] == ChatEnd("stop", 1.5)


@pytest.mark.parametrize("piece_bytes", [None, 1, 7])
async def test_that_a_tool_call_is_the_same_however_it_arrives(piece_bytes: int | None) -> None:
    pieces = (
        {"index": 0, "id": "c", "function": {"name": "look", "arguments": ""}},
        *map(arguments, ('{"n": ', '"é"}')),
    )
    calls = tuple({"tool_calls": [piece]} for piece in pieces)
    async with FakeVllm(Behaviour(calls=calls, piece_bytes=piece_bytes, comments=True)) as fake:
        events = await ask(fake)
    assert [(e.name, e.arguments) for e in events if isinstance(e, ChatToolCall)] == [("look", '{"n": "é"}')]
    assert [e for e in events if isinstance(e, ChatUsage)][-1] == ChatUsage(6, 3, len(Behaviour().words))
    assert events[-1] == ChatEnd("tool_calls", 1.5)


def arguments(piece: str) -> dict[str, object]:
    return {"index": 0, "function": {"arguments": piece}}


async def test_that_usage_is_asked_for_on_every_chunk() -> None:
    async with FakeVllm() as fake:
        events = await ask(fake, ChatRequest("fake-model", QUESTION.messages, max_tokens=3, choices=("yes", "no")))
    (body,) = fake.counters.bodies
    assert body["stream_options"] == {"include_usage": True, "continuous_usage_stats": True}
    assert body["structured_outputs"] == {"choice": ["yes", "no"]}
    assert [e.output_tokens for e in events if isinstance(e, ChatDelta)] == [1, 2, 3]
    assert isinstance(events[-1], ChatEnd)
    assert events[-1].finish_reason == "length"


async def test_that_the_engine_writes_past_its_end_only_when_it_is_asked_to() -> None:
    async with FakeVllm() as fake:
        await ask(fake)
        await ask(fake, replace(QUESTION, past_end=True))
    assert [body.get("ignore_eos") for body in fake.counters.bodies] == [None, True]


async def test_that_closing_the_iterator_stops_the_engine() -> None:
    async with FakeVllm(Behaviour(words=("again",) * 1000, token_delay_s=0.005)) as fake:
        client = EngineClient(fake.url)
        request = ChatRequest("fake-model", QUESTION.messages, max_tokens=1000)
        async with aclosing(client.stream(request)) as stream:
            async for event in stream:
                if isinstance(event, ChatDelta):
                    break
        await fake.until(lambda counters: counters.cancelled == 1 and counters.running == 0)
        assert fake.counters.output_tokens < 1000
        await client.aclose()


async def test_that_cancelling_the_task_before_the_first_word_stops_the_engine() -> None:
    async with FakeVllm(Behaviour(first_delay_s=60)) as fake:
        asking = asyncio.create_task(ask(fake))
        await fake.until(lambda counters: counters.running == 1)
        asking.cancel()
        await fake.until(lambda counters: counters.cancelled == 1)
        with pytest.raises(asyncio.CancelledError):
            await asking


@pytest.mark.parametrize("how", ["abort", "close"])
async def test_that_an_engine_that_dies_in_mid_stream_is_lost(how: str) -> None:
    got: list[ChatEvent] = []
    async with FakeVllm(Behaviour(die_after=3, die_how=how)) as fake:
        client = EngineClient(fake.url)
        with pytest.raises(EngineLost, match="Ask again"):
            await collect(client, got)
        await client.aclose()
    assert text_of(got) == "Refunds reach the"


async def test_that_an_engine_let_go_in_mid_stream_is_lost() -> None:
    got: list[ChatEvent] = []
    async with FakeVllm(Behaviour(words=("again",) * 50, token_delay_s=0.05)) as fake:
        client = EngineClient(fake.url)
        asking = asyncio.create_task(collect(client, got))
        await fake.until(lambda counters: counters.output_tokens == 2)
        await client.aclose()
        with pytest.raises(EngineLost):
            await asking
        with pytest.raises(EngineLost, match="not in use any more"):
            await collect(client, got)


async def test_that_an_error_in_the_stream_ends_it() -> None:
    async with FakeVllm(Behaviour(error_after=2)) as fake:
        with pytest.raises(EngineLost, match="EngineCore died"):
            await ask(fake)


async def test_that_a_silent_engine_is_given_up() -> None:
    async with FakeVllm(Behaviour(first_delay_s=60)) as fake:
        client = EngineClient(fake.url, silence_s=0.05)
        with pytest.raises(EngineLost, match="fell silent"):
            _ = [event async for event in client.stream(QUESTION)]
        await client.aclose()


@pytest.mark.parametrize(
    ("status", "kind", "sentence"),
    [
        (503, EngineBusy, "takes no more questions now: The queue is full"),
        (429, EngineBusy, "takes no more questions"),
        (400, EngineRefused, "refused the question"),
        (404, EngineRefused, "refused the question"),
        (500, EngineLost, "failed at this question"),
    ],
)
async def test_that_a_refusal_becomes_a_sentence(status: int, kind: type[EngineError], sentence: str) -> None:
    async with FakeVllm(Behaviour(refuse_status=status, retry_after="2")) as fake:
        with pytest.raises(kind, match=sentence) as caught:
            await ask(fake)
    if isinstance(caught.value, EngineBusy):
        assert caught.value.retry_after_s == 2.0


async def test_that_the_key_is_sent_and_a_wrong_one_is_named() -> None:
    async with FakeVllm(Behaviour(key="open-sesame")) as fake:
        assert text_of(await ask(fake, key="open-sesame"))
        with pytest.raises(EngineRefused, match="refused the key"):
            await ask(fake, key="wrong")


async def test_that_nothing_listening_is_lost() -> None:
    async with FakeVllm() as fake:
        gone = fake.url
    client = EngineClient(gone)
    with pytest.raises(EngineLost, match="cannot be reached"):
        _ = [event async for event in client.stream(QUESTION)]
    await client.aclose()
