"""Alerts as data: what alerts.toml may change, and the sentence for each of its mistakes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from engine_host.metrics.alert_rules_file import AlertRulesRefused, parse_rules, ready_made, rules_of
from storage.paths import Home
from tests.fakes.alert_samples import Story, replay

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.metrics.alert_rules import Rule

OWN = """
[busy]
title = "{running} run at a time"
severity = "warn"
for_s = 2
clears_after_s = 0
firing = "{running} run."
cleared = "At most {worst} ran."
do = "Nothing."
when.running.above = 20
"""


def rule(rules: tuple[Rule, ...], key: str) -> Rule:
    return next(rule for rule in rules if rule.key == key)


def refusal(text: str) -> str:
    with pytest.raises(AlertRulesRefused) as refused:
        parse_rules(text)
    return str(refused.value)


def test_that_a_threshold_can_be_changed_and_the_rest_stays() -> None:
    changed = rule(parse_rules("[ttft_slow.when.ttft_p95]\nabove = 1.5"), "ttft_slow")
    ready = rule(ready_made(), "ttft_slow")
    assert changed.when["ttft_p95"].above == 1.5
    assert changed.when["ttft_p95"].margin == ready.when["ttft_p95"].margin
    assert (changed.for_s, changed.title) == (ready.for_s, ready.title)


def test_that_an_alert_which_is_switched_off_never_fires() -> None:
    story = Story().tell(60, disk_gib=1.0)
    assert replay(parse_rules("[disk_low]\non = false"), story) == []


def test_that_an_alert_of_ones_own_is_watched_like_the_others() -> None:
    story = Story().tell(5).tell(5, running=30).tell(5)
    assert replay(parse_rules(OWN), story) == [(7, "fired", "busy"), (10, "cleared", "busy")]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[ttft_slwo]\non = false", "alerts.toml: there is no alert ttft_slwo. The nearest is ttft_slow"),
        ("[disk_low]\nfor_s = -1", "alerts.toml: disk_low.for_s is -1: it must be greater than or equal to 0."),
        ("[disk_low]\nloud = true", "alerts.toml: disk_low.loud is no value of an alert. Delete it"),
        ("[disk_low.when.disk_free_gib]\nbelow = 'much'", 'alerts.toml: disk_low.when.disk_free_gib.below is "much": '),
        ("[disk_low.when.disk_free_gib]\nabove = 9", "it must have either above or below."),
        ("[disk_low.when.rats]\nabove = 9", "there is no figure rats; there are ttft_p95, "),
        ("[disk_low.when.running]\nabove = 9", "the figures of one alert must be of engines only"),
        ("[disk_low]\nfiring = '{rats} free'", "{rats} stands for nothing; there are limit, worst, for, name, "),
        ("[disk_low]\nfiring = '{free'", "Correct it, or delete it to get the ready-made value."),
        ("[mine]\ntitle = 'Mine'", "alerts.toml: mine.severity is missing. An alert of your own needs it"),
        ("disk_low = 3", "alerts.toml: disk_low must be a section. Write it as [disk_low] with its keys below."),
        ("[disk_low", "alerts.toml is not valid TOML: "),
    ],
)  # fmt: skip
def test_that_a_mistake_is_told_with_its_place_and_what_is_allowed(text: str, sentence: str) -> None:
    assert sentence in refusal(text)


def test_that_a_home_without_the_file_has_the_ready_made_alerts(home_folder: Path) -> None:
    assert rules_of(Home(home_folder)) == ready_made()


def test_that_the_file_of_the_home_is_read(home_folder: Path) -> None:
    home = Home(home_folder).make()
    home.alerts_file.write_text("[disk_low]\non = false\n", encoding="utf-8")
    assert not rule(rules_of(home), "disk_low").on


def test_that_a_file_which_is_no_text_is_told(home_folder: Path) -> None:
    home = Home(home_folder).make()
    home.alerts_file.write_bytes(b"\xff")
    with pytest.raises(AlertRulesRefused, match="byte 1 is not UTF-8 text"):
        rules_of(home)
