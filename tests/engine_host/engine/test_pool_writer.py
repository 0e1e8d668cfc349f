"""An answer whose engine dies: real streams over HTTP, from servers that die at every place where one can."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import replace

import pytest

from engine_host.client.errors import EngineBusy, EngineError, EngineLost, EngineRefused
from engine_host.client.types import ChatDelta, ChatEnd, ChatEngine, ChatEvent, ChatToolCall, ChatUsage, ToolSpec
from engine_host.engine import pool_member
from engine_host.engine.finding import Found
from engine_host.engine.state import EngineStatus
from tests.engine_host.engine.standing import ASKED, STORY, stand, text_of
from tests.fakes.fake_vllm import Behaviour

WELL = Behaviour()
IN_PIECES = Behaviour(words=("Ref", "##unds", "reach", "the", "acc", "##ount", "within", "5", "days."))
CALL = {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "look_up_order", "arguments": "{}"}}]}
TOOLS = replace(ASKED, tools=(ToolSpec("look_up_order", "Looks an order up.", {"type": "object"}),))


def engines_of(events: list[ChatEvent]) -> list[str]:
    return [event.engine.partition(" at ")[0] for event in events if isinstance(event, ChatEngine)]


async def test_that_an_answer_of_a_living_engine_comes_whole() -> None:
    async with stand(WELL, WELL) as here:
        events = await here.ask()
        assert text_of(events) == STORY
        assert engines_of(events) == ["engine 1"]
        assert events[-1] == ChatEnd("stop", 1.5)
        assert [member.streams for member in here.members] == [0, 0]


@pytest.mark.parametrize("how", ["abort", "close"])
@pytest.mark.parametrize("at", range(len(WELL.words)))
async def test_that_a_death_after_any_word_loses_and_repeats_none(at: int, how: str) -> None:
    async with stand(replace(WELL, die_after=at, die_how=how), WELL) as here:
        events = await here.ask()
        assert text_of(events) == STORY
        assert engines_of(events) == ["engine 1", "engine 2"]


@pytest.mark.parametrize("at", range(len(IN_PIECES.words)))
async def test_that_a_death_in_mid_word_writes_the_word_anew(at: int) -> None:
    async with stand(replace(IN_PIECES, die_after=at), IN_PIECES) as here:
        assert text_of(await here.ask()) == "Refunds reach the account within 5 days."


async def test_that_the_other_engine_is_given_whole_words_as_the_beginning_of_its_answer() -> None:
    async with stand(replace(IN_PIECES, die_after=5), IN_PIECES) as here:
        await here.ask()
        (body,) = here.fakes[1].counters.bodies
        assert body["messages"][-1] == {"role": "assistant", "content": "Refunds reach the"}
        assert (body["continue_final_message"], body["add_generation_prompt"]) == (True, False)
        assert body["max_tokens"] == ASKED.max_tokens - 4


async def test_that_a_death_before_the_first_word_asks_anew() -> None:
    async with stand(replace(WELL, die_after=0), WELL) as here:
        await here.ask()
        (body,) = here.fakes[1].counters.bodies
        assert "continue_final_message" not in body
        assert body["max_tokens"] == ASKED.max_tokens


async def test_that_a_death_after_the_last_word_is_no_death() -> None:
    async with stand(replace(WELL, die_after=len(WELL.words) + 1), WELL) as here:
        events = await here.ask()
        assert text_of(events) == STORY
        assert events[-1] == ChatEnd("stop")
        assert not here.fakes[1].counters.bodies


async def test_that_a_death_in_a_call_makes_the_call_anew() -> None:
    calling = Behaviour(words=("One", "moment."), calls=(CALL,))
    async with stand(replace(calling, die_after=1), calling, tools=True) as here:
        events = await here.ask(TOOLS)
        assert text_of(events) == "One moment."
        assert [event.name for event in events if isinstance(event, ChatToolCall)] == ["look_up_order"]


async def test_that_a_request_with_tools_moves_only_to_an_engine_that_takes_them() -> None:
    async with stand(replace(WELL, die_after=3), WELL, tools=True) as here:
        here.engines[1].state.publish(replace(here.engines[1].state.value, tools=False))
        with pytest.raises(EngineLost):
            await here.ask(TOOLS)


async def test_that_an_error_of_the_core_moves_the_answer() -> None:
    async with stand(replace(WELL, error_after=4), WELL) as here:
        assert text_of(await here.ask()) == STORY


async def test_that_tokens_of_both_engines_are_counted() -> None:
    async with stand(replace(WELL, die_after=4), WELL) as here:
        events = await here.ask()
        first, second = (fake.counters for fake in here.fakes)
        usage = [event for event in events if isinstance(event, ChatUsage)][-1]
        assert usage.prompt_tokens == first.prompt_tokens + second.prompt_tokens
        assert usage.output_tokens == first.output_tokens + second.output_tokens
        counts = [event.output_tokens or 0 for event in events if isinstance(event, ChatDelta)]
        assert counts[:-1] == sorted(counts[:-1])


async def test_that_an_answer_keeps_its_length_over_two_engines() -> None:
    async with stand(replace(WELL, die_after=4), WELL) as here:
        events = await here.ask(replace(ASKED, max_tokens=7))
        assert text_of(events) == " ".join(WELL.words[:7])
        assert isinstance(events[-1], ChatEnd)
        assert events[-1].finish_reason == "length"


async def test_that_a_third_engine_goes_on_when_the_second_dies_too() -> None:
    async with stand(replace(WELL, die_after=3), replace(WELL, die_after=2), WELL) as here:
        events = await here.ask()
        assert text_of(events) == STORY
        assert engines_of(events) == ["engine 1", "engine 2", "engine 3"]


async def test_that_each_engine_is_tried_once_and_then_the_answer_fails() -> None:
    events: list[ChatEvent] = []
    async with stand(replace(WELL, die_after=3), replace(WELL, die_after=2)) as here:
        with pytest.raises(EngineLost, match="begun at 2 engines, and none ended it: engine 1 at"):
            await here.ask_into(events)
        assert [len(fake.counters.bodies) for fake in here.fakes] == [1, 1]
    assert text_of(events) == "Refunds reach the "


async def test_that_a_full_queue_sends_the_question_on() -> None:
    async with stand(Behaviour(refuse_status=503), WELL) as here:
        assert text_of(await here.ask()) == STORY


async def test_that_full_queues_everywhere_are_told_as_such() -> None:
    async with stand(Behaviour(refuse_status=503, retry_after="2"), Behaviour(refuse_status=503)) as here:
        with pytest.raises(EngineBusy):
            await here.ask()


async def test_that_a_request_that_is_refused_goes_nowhere_else() -> None:
    async with stand(Behaviour(refuse_status=400), WELL) as here:
        with pytest.raises(EngineRefused):
            await here.ask()
        assert not here.fakes[1].counters.bodies


async def test_that_an_engine_that_cannot_continue_is_passed_over() -> None:
    async with stand(replace(WELL, die_after=3), Behaviour(continues=False), WELL) as here:
        assert text_of(await here.ask()) == STORY


@pytest.mark.parametrize(("died_after", "goes_on"), [(3, False), (0, True)])
async def test_that_a_server_that_is_no_vllm_is_given_a_whole_answer_only(died_after: int, goes_on: bool) -> None:
    events: list[ChatEvent] = []
    async with stand(replace(WELL, die_after=died_after), WELL) as here:
        other = here.engines[1].state
        other.publish(replace(other.value, found=Found("fake-model")))
        if goes_on:
            await here.ask_into(events)
        else:
            with pytest.raises(EngineLost):
                await here.ask_into(events)
    assert engines_of(events) == ["engine 1", "engine 2"][: 1 + goes_on]


async def test_that_another_model_does_not_end_the_answer() -> None:
    async with stand(replace(WELL, die_after=3), WELL, models=("org/Model-A-AWQ", "Model-B")) as here:
        with pytest.raises(EngineLost):
            await here.ask()
        assert not here.fakes[1].counters.bodies


async def test_that_the_same_model_under_another_name_is_asked_by_that_name() -> None:
    async with stand(replace(WELL, die_after=3), WELL, models=("org/Model-A-AWQ", "model-a")) as here:
        assert text_of(await here.ask()) == STORY
        assert here.fakes[1].counters.bodies[0]["model"] == "model-a"


async def test_that_a_cancelled_answer_leaves_no_stream_open_before_and_after_it_moved() -> None:
    slow = replace(WELL, token_delay_s=0.01)
    async with stand(replace(slow, die_after=3), replace(WELL, first_delay_s=60)) as here:
        asking = asyncio.create_task(here.ask())
        await here.fakes[1].until(lambda counters: counters.running == 1)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
        await here.fakes[1].until(lambda counters: counters.running == 0)
        assert [fake.counters.running for fake in here.fakes] == [0, 0]
        assert [member.streams for member in here.members] == [0, 0]


async def test_that_closing_the_iterator_stops_the_engine() -> None:
    async with stand(replace(WELL, words=("again",) * 1000, token_delay_s=0.005)) as here:
        writer = await here.pool.writer()
        assert writer is not None
        async with aclosing(writer.stream(replace(ASKED, max_tokens=1000))) as events:
            async for event in events:
                if isinstance(event, ChatDelta):
                    break
        await here.fakes[0].until(lambda counters: counters.cancelled == 1 and counters.running == 0)


async def test_that_an_answer_leaves_an_engine_that_is_known_to_be_gone_while_its_connection_stands() -> None:
    async with stand(replace(WELL, words=("Refunds", "reach"), first_delay_s=60), WELL) as here:
        asking = asyncio.create_task(here.ask())
        await here.fakes[0].until(lambda counters: counters.running == 1)
        here.engines[0].becomes(EngineStatus.LOST)
        assert text_of(await asking) == STORY
        await here.fakes[0].until(lambda counters: counters.running == 0)


@pytest.mark.parametrize("others", [1, 0])
async def test_that_a_stalled_engine_is_left_only_when_another_one_can_go_on(
    others: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pool_member, "STALLED_FOR_S", 0.0)
    slow = replace(WELL, first_delay_s=1.0)
    async with stand(slow, *(WELL for _ in range(others))) as here:
        asking = asyncio.create_task(here.ask())
        await here.fakes[0].until(lambda counters: counters.running == 1)
        here.engines[0].becomes(EngineStatus.STALLED)
        events = await asking
        assert text_of(events) == STORY
        assert len(engines_of(events)) == 1 + others


async def test_that_a_turn_given_to_an_engine_that_is_gone_begins_elsewhere() -> None:
    async with stand(WELL, WELL) as here:
        writer = await here.pool.writer()
        assert writer is not None
        here.engines[0].becomes(EngineStatus.FAILED)
        events = [event async for event in writer.stream(ASKED)]
        assert engines_of(events) == ["engine 2"]
        assert text_of(events) == STORY


async def test_that_the_only_engine_s_own_sentence_is_kept() -> None:
    async with stand(replace(WELL, die_after=3)) as here:
        with pytest.raises(EngineError, match="broke off"):
            await here.ask()
