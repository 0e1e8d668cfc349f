"""What the profile list, the form and the fit banner say, from records to words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from console.engine.effects_strip import LINE_PX, LINES
from console.engine.fit_shown import derive_fit
from console.engine.option_line import OptionLine
from console.engine.profile_pane import derive_menu
from console.engine.profile_shown import (
    default_text,
    derive_effects,
    derive_profile_line,
    derive_profile_rows,
    derive_title,
    derive_version,
    effect_text,
)  # fmt: skip
from console.engine.profiles_state import DESCRIBED, FitKnown, ProfilesView
from console.widgets.fields import ComboBox
from console.widgets.paragraph import Paragraph
from engine_host.engine.fit_check import CacheCheck
from engine_host.engine.fit_profile import facts_from_catalogue, question_of
from engine_host.engine.fit_question import Device
from engine_host.engine.fit_reserve import default_conversation
from engine_host.engine.fit_room import answer
from engine_host.engine.models import SMOLLM2
from engine_host.engine.options import option_groups, option_named
from engine_host.engine.options_parser import Flag, FlagTable
from engine_host.engine.profile import EngineProfile
from engine_host.engine.profile_file import KeptProfile, ready_made
from engine_host.engine.profile_reported import Has
from engine_host.engine.state import EngineState, EngineStatus

if TYPE_CHECKING:
    from console.theme.style import Theme

NOW = datetime(2026, 11, 30, 9, 12, 53, tzinfo=UTC)
DEMO = ready_made()[0].profile
EVENING = EngineProfile("Evening", SMOLLM2, {"max_num_seqs": 8}, version=3)
GIB = 2**30


def view(**fields: object) -> ProfilesView:
    known = {
        "described": EngineProfile("cpu-demo", SMOLLM2),
        "kept": (*ready_made(), KeptProfile(EVENING, "", NOW)),
        "base": DEMO,
        "draft": DEMO,
    }
    return ProfilesView(**(known | fields))  # type: ignore[arg-type]


def test_that_what_the_settings_describe_has_a_row_only_when_no_kept_profile_says_the_same() -> None:
    same = view()
    assert same.in_use_key == "cpu-demo"
    assert next(row.key for row in derive_profile_rows(same)) == "cpu-demo"
    other = EngineProfile("cpu-demo", SMOLLM2, {"max_num_seqs": 5})
    different = view(described=other, base=other, draft=other)
    assert different.in_use_key == DESCRIBED
    first = derive_profile_rows(different)[0]
    assert (first.key, first.title, first.time) == (DESCRIBED, "From the settings", "in use")
    assert derive_title(different) == "From the settings"
    assert derive_version(different) == ""


def test_that_the_list_says_version_use_and_change() -> None:
    chosen = view(in_use="evening", base=EVENING, draft=EVENING.with_values(max_num_seqs=4))
    rows = {row.key: row for row in derive_profile_rows(chosen)}
    assert rows["evening"].time == "v3, changed, in use"
    assert rows["cpu-demo"].time == ""
    assert rows["cpu-demo"].second == "SmolLM2-135M, 1 GiB KV"
    assert derive_version(chosen) == "version 3"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "In use: the next start takes it."),
        ({"draft": DEMO.with_values(max_num_seqs=8)}, "Not saved yet."),
        ({"draft": DEMO.with_values(max_model_len=9000)}, "An engine could not start with this."),
        ({"base": EVENING, "draft": EVENING}, "Start takes it into use."),
    ],
)
def test_that_the_form_says_when_a_change_counts(fields: dict[str, object], words: str) -> None:
    assert derive_profile_line(view(**fields), EngineState()) == words
    running = EngineState(EngineStatus.READY, hosted=True)
    assert derive_profile_line(view(), running) == "In use; restart for changes."


def test_that_only_a_saved_profile_can_be_deleted_and_only_another_be_used() -> None:
    demo = {entry.key: entry.enabled for entry in derive_menu(view())}
    evening = {entry.key: entry.enabled for entry in derive_menu(view(base=EVENING, draft=EVENING))}
    assert (demo["delete"], demo["use"]) == (False, False)
    assert (evening["delete"], evening["use"]) == (True, True)


def test_that_every_option_says_an_effect_and_a_default() -> None:
    for option in (option for group in option_groups() for option in group.options):
        assert effect_text(option).endswith(".")
        assert effect_text(option) != "None."
        assert default_text(option)


def test_that_what_is_said_beside_an_option_takes_two_lines_and_its_three_effects_four(theme: Theme) -> None:
    """At 1280 px the form has its least width: 145 px for the words of a row, 175 for a column of the strip."""
    for option in (option for group in option_groups() for option in group.options):
        beside = Paragraph(theme, px=12, line=17)
        beside.set_text(effect_text(option))
        assert beside.heightForWidth(145) <= 2 * 17, option.key
        for _, sentence in derive_effects(option).columns:
            column = Paragraph(theme, px=12, line=LINE_PX)
            column.set_text(sentence)
            assert column.heightForWidth(175) <= LINES * LINE_PX, (option.key, sentence)


def test_that_a_value_that_the_engine_has_differently_is_named_beside_the_default(theme: Theme) -> None:
    line = OptionLine(theme, option_named("kv_space_gib"))
    line.show_has(Has("0.5 GiB", as_asked=False))
    assert line.default.text() == "1\nhas 0.5"
    assert line.default.property("tone") == "warn"
    line.show_has(None)
    assert line.default.text() == "1"


def test_that_what_the_installed_vllm_knows_is_the_choice_of_a_text(theme: Theme) -> None:
    flag = Flag(("--tool-call-parser",), "text", "one", ("hermes", "pythonic"))
    line = OptionLine(theme, option_named("tool_call_parser"), FlagTable("0.32.0", "/python", (flag,)))
    assert isinstance(line.control, ComboBox)
    line.show_value(None)
    assert line.control.currentText() == "the model's own"
    line.show_value("hermes")
    assert line.control.key == "hermes"
    chosen: list[object] = []
    line.changed.connect(chosen.append)
    line.control.setCurrentIndex(0)
    line.control.activated.emit(0)
    assert chosen == [None]


def known(draft: EngineProfile, free: int, checks: tuple[CacheCheck, ...] = ()) -> FitKnown:
    device = (Device("the memory of this machine", 32 * GIB, free),)
    facts = facts_from_catalogue(draft.model, "")
    question = question_of(draft, facts, device, default_conversation(), on_gpu=False, fp8_cache=False)
    return FitKnown(draft, answer(question, "here"), NOW, checks)


def test_that_the_banner_names_each_part_and_the_conversations() -> None:
    shown = derive_fit(view(fit=known(DEMO, 20 * GIB)), None)
    assert shown.tone == "ok"
    assert "of 20.00 GiB free: fits; 46,592 tokens of KV = " in shown.headline
    assert shown.detail == "364 blocks of 128, 23,040 bytes a token"
    assert [words.rpartition(" ")[0] for words, _ in shown.legend] == ["weights", "KV", "working set", "left free"]
    assert shown.button == ""


def test_that_a_profile_that_does_not_fit_offers_the_one_change_that_would() -> None:
    big = DEMO.with_values(kv_space_gib=40.0)
    shown = derive_fit(view(draft=big, fit=known(big, 20 * GIB)), None)
    assert shown.tone == "error"
    assert "does not fit" in shown.headline
    assert shown.button.startswith("Set the KV space to ")
    assert shown.values is not None
    smaller = big.with_values(**shown.values)
    assert derive_fit(view(draft=smaller, fit=known(smaller, 20 * GIB)), None).tone == "ok"


def test_that_the_estimate_stands_beside_what_the_running_engine_reported() -> None:
    check = CacheCheck("t", "r1", SMOLLM2.name, 4096, "auto", GIB, 128, 364, 364, 46592, 46592)
    fit = known(DEMO, 20 * GIB, (check, replace(check, run="r2", reported=40000)))
    assert "as estimated" in derive_fit(view(fit=fit), "r1").notes[0]
    assert "too high" in derive_fit(view(fit=fit), "r2").notes[0]
    assert derive_fit(view(fit=fit), None).notes == ()
    assert derive_fit(view(fit=fit), "r3").notes == ()


def test_that_nothing_is_said_of_a_draft_that_was_not_worked_out() -> None:
    other = DEMO.with_values(max_num_seqs=4)
    assert "Working out" in derive_fit(view(draft=other, fit=known(DEMO, GIB)), None).headline
    wrong = DEMO.with_values(max_model_len=9000)
    assert derive_fit(view(draft=wrong), None).tone == "error"
