from __future__ import annotations

import pytest

from engine_host.engine.errors import ProfileRefused
from engine_host.engine.models import SMOLLM2
from engine_host.engine.options import NUMERIC, Kind, Option, option_groups, option_named, options_by_key
from engine_host.engine.options_values import option_argv, range_text, read_value, value_fault, value_text
from engine_host.engine.profile import EngineProfile
from storage.settings import EngineSettings

ALL = [option for group in option_groups() for option in group.options]


@pytest.mark.parametrize("option", ALL, ids=lambda one: one.key)
def test_that_each_option_can_be_shown_and_explained(option: Option) -> None:
    assert option.label
    assert all((option.ttft, option.inter_token, option.memory))
    assert (option.default is None) == bool(option.unset), "what has no default says what the engine does then"
    assert (option.minimum is not None and option.maximum is not None) == (option.kind in NUMERIC)
    assert bool(option.choices) == (option.kind is Kind.CHOICE)
    assert option.kind not in (Kind.TEXT, Kind.JSON) or option.example
    assert option.default is None or not value_fault(option, option.default)
    assert not option.example or not value_fault(option, option.example)
    assert not option.plus or option.plus in options_by_key()


def test_that_each_key_is_there_once() -> None:
    assert len(options_by_key()) == len(ALL)


def test_that_the_defaults_are_those_of_the_settings() -> None:
    settings, profile = EngineSettings(), EngineProfile("x", SMOLLM2)
    for key in ("kv_space_gib", "max_num_seqs", "max_model_len", "max_num_batched_tokens", "enforce_eager"):
        assert getattr(profile, key) == getattr(settings, key)
    assert (profile.prefix_caching, profile.max_queued) == (settings.prefix_caching, settings.max_queued)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("max_num_seqs", "1,024", 1024),
        ("kv_space_gib", "0.5", 0.5),
        ("prefix_caching", "Off", False),
        ("enforce_eager", "yes", True),
        ("scheduling_policy", "priority", "priority"),
        ("speculative_config", '{"method": "ngram"}', '{"method": "ngram"}'),
    ],
)
def test_that_typed_text_becomes_a_value(key: str, text: str, value: object) -> None:
    assert read_value(option_named(key), text) == value


@pytest.mark.parametrize(
    ("key", "text", "told"),
    [
        ("max_num_seqs", "0", "it must be a whole number from 1 to 4,096 seqs"),
        ("max_num_seqs", "many", "Sequences at once (max_num_seqs) is many"),
        ("max_num_seqs", "1.5", "it must be a whole number"),
        ("gpu_memory_utilization", "nan", "it must be a number from 0.05 to 1"),
        ("prefix_caching", "perhaps", "it must be on or off"),
        ("scheduling_policy", "lifo", "it must be one of fcfs, priority"),
        ("speculative_config", "[1]", 'it must be a JSON object such as {"method"'),
        ("head_address", "  ", "it must be a text that is not empty"),
    ],
)
def test_that_a_wrong_value_is_refused_with_what_it_must_be(key: str, text: str, told: str) -> None:
    with pytest.raises(ProfileRefused) as refused:
        read_value(option_named(key), text)
    assert told in str(refused.value)


def test_that_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(ProfileRefused, match="The nearest is max_num_seqs"):
        option_named("max_nun_seqs")


def test_that_values_are_shown_with_their_units() -> None:
    assert value_text(option_named("max_model_len"), 4096) == "4,096 tok"
    assert value_text(option_named("prefix_caching"), True) == "on"
    assert value_text(option_named("gpu_memory_utilization"), None) == "vLLM decides (0.92)"
    assert range_text(option_named("kv_space_gib")) == "from 0.01 to 4,096 GiB"


def test_that_the_engines_own_default_is_not_said() -> None:
    policy = option_named("scheduling_policy")
    assert option_argv(policy, {"scheduling_policy": "fcfs"}) == ()
    assert option_argv(policy, {"scheduling_policy": "priority"}) == ("--scheduling-policy", "priority")
    chunked = option_named("chunked_prefill")
    assert option_argv(chunked, {}) == ()
    assert option_argv(chunked, {"chunked_prefill": False}) == ("--no-enable-chunked-prefill",)
