"""Settings to fields and back, and the sentence at the field."""

from __future__ import annotations

import pytest

from console.settings.engines_field import FULL, MOST, derive_address_fault
from console.settings.knowledge_rows import EMBEDDER_KEY, EMBEDDER_KIND, NAMED
from console.settings.setting_rows import AUTH_VALUE, ORDER_KIND, OWN, OWN_ORDERS, ROWS, SECTIONS
from console.settings.values import (
    AUTH_SECRET,
    EMBEDDER_SECRET,
    Value,
    derive_faults,
    derive_line,
    derive_pending,
    rebased,
    shown_rows,
    values_of,
    with_values,
)
from engine_host.answering.order_reader import not_mapped
from engine_host.orders.port import UnmappedOrder
from storage.settings import MoreEngine, Settings, parse_settings

KEPT = Settings()


def test_that_fields_without_a_change_give_the_same_settings() -> None:
    assert with_values(KEPT, values_of(KEPT)) == KEPT
    own = parse_settings('[orders]\nbase_url = "https://orders.example"\n[engine]\nmax_num_seqs = 8')
    assert with_values(own, values_of(own)) == own


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [
        ("kitchen.timezone", "Mars", "time zone name"),
        ("kitchen.phone", "", "at least 1 character"),
        ("orders.lookup_timeout_s", 0.0, "greater than 0"),
        ("knowledge.passages", 21.0, "less than or equal to 20"),
        ("engine.attach_url", "10.0.0.7", "begin with http"),
    ],
)
def test_that_a_value_that_is_not_allowed_gets_a_sentence_at_its_field(key: str, value: str | float, word: str) -> None:
    faults = derive_faults(KEPT, {**values_of(KEPT), key: value})
    assert list(faults) == [key]
    assert word in faults[key]
    assert faults[key][0].isupper()


def test_that_an_own_order_system_needs_an_address_and_the_demo_forgets_it() -> None:
    own = {**values_of(KEPT), ORDER_KIND: OWN}
    assert "Enter the address" in derive_faults(KEPT, own)["orders.base_url"]
    own["orders.base_url"] = "https://orders.example/api"
    saved = with_values(KEPT, own)
    assert saved.orders.base_url == "https://orders.example/api"
    assert with_values(saved, {**values_of(saved), ORDER_KIND: "demo"}).orders.base_url is None


STATUSES, FIELDS = "orders.statuses", "orders.fields"


def own_with(**typed: str) -> dict[str, Value]:
    address = {ORDER_KIND: OWN, "orders.base_url": "https://orders.example/api"}
    return {**values_of(KEPT), **address, **{f"orders.{key}": text for key, text in typed.items()}}


def test_that_words_and_fields_of_an_own_order_system_are_kept_and_shown_again() -> None:
    typed = own_with(statuses="in_oven = preparing\nboxed = packed", fields="eta.latest = expected_at")
    assert derive_faults(KEPT, typed) == {}
    orders = with_values(KEPT, typed).orders
    assert orders.statuses == {"in_oven": "preparing", "boxed": "packed"}
    assert orders.fields == {"expected_at": "eta.latest"}
    assert values_of(with_values(KEPT, typed))[FIELDS] == "eta.latest = expected_at"


@pytest.mark.parametrize(
    ("key", "text", "word"),
    [
        (STATUSES, "in_oven", "write it as in_oven = preparing"),
        (STATUSES, "in_oven = baking", "must stand for one of placed"),
        (FIELDS, "eta = expected", "no field of the order API"),
        (FIELDS, "eta..latest = expected_at", "no field name"),
    ],
)
def test_that_a_wrong_line_gets_a_sentence(key: str, text: str, word: str) -> None:
    faults = derive_faults(KEPT, {**own_with(), key: text})
    assert list(faults) == [key]
    assert word in faults[key]


def test_that_what_the_demo_hides_is_neither_checked_nor_changed() -> None:
    kept = with_values(KEPT, own_with(statuses="in_oven = preparing"))
    demo = {**values_of(kept), ORDER_KIND: "demo", STATUSES: "half a li"}
    assert derive_faults(kept, demo) == {}
    assert with_values(kept, demo).orders.statuses == {"in_oven": "preparing"}


def test_that_a_typed_secret_is_named_in_the_settings_but_never_written_there() -> None:
    saved = with_values(KEPT, {**values_of(KEPT), ORDER_KIND: OWN, AUTH_VALUE: "Bearer x"})
    assert saved.orders.auth_value_secret == AUTH_SECRET
    assert "Bearer x" not in saved.model_dump_json()
    assert values_of(saved)[AUTH_VALUE] == ""


def test_that_rows_of_an_own_order_system_are_hidden_for_the_demo() -> None:
    own = {row.key for row in ROWS if row.only == OWN_ORDERS}
    assert own
    assert not own & {row.key for row in shown_rows(values_of(KEPT))}
    assert own <= {row.key for row in shown_rows({**values_of(KEPT), ORDER_KIND: OWN})}


def test_that_it_is_said_what_counts_from_the_next_start_only() -> None:
    saved = with_values(KEPT, {**values_of(KEPT), "kitchen.phone": "1", "appearance.theme": "dark"})
    pending = derive_pending(KEPT, saved)
    assert pending == ("Phone",)
    assert derive_line(pending, dirty=False, faults=False) == "Saved. From the next start of the console: Phone."
    assert derive_line((), dirty=True, faults=False) == "Not saved yet."


def test_that_the_row_for_an_unmapped_status_is_where_staff_are_sent() -> None:
    told = not_mapped(UnmappedOrder("KD-4821", "C-2291", "in oven"))
    section = next(one for one in SECTIONS for row in one.rows if row.key == "orders.statuses")
    row = next(row for row in section.rows if row.key == "orders.statuses")
    assert f'row "{row.name}" of "{section.title}"' in told


@pytest.mark.parametrize(
    "embedder", ["bundled", "multilingual", "/srv/models/bge", "BAAI/bge-small-en-v1.5", "http://10.0.0.7:8000/v1"]
)
def test_that_every_kind_of_embedder_comes_back_from_its_fields(embedder: str) -> None:
    kept = parse_settings(f'[knowledge]\nembedder = "{embedder}"\nembedder_model = "m"')
    assert with_values(kept, values_of(kept)) == kept


@pytest.mark.parametrize(
    ("kind", "typed", "key", "word"),
    [
        ("folder", "", ":embedder_folder", "Choose the folder"),
        ("folder", "models/bge", ":embedder_folder", "whole path"),
        ("hub", "", ":embedder_hub", "Enter the name"),
        ("hub", "bge small", ":embedder_hub", "must be"),
        ("server", "10.0.0.7", ":embedder_url", "Enter the address"),
        ("server", "http://10.0.0.7/v1", "knowledge.embedder_model", "Name the model"),
    ],
)
def test_that_an_embedder_without_its_name_gets_a_sentence_where_it_is_missing(
    kind: str, typed: str, key: str, word: str
) -> None:
    names = {NAMED[kind]: typed}
    faults = derive_faults(KEPT, {**values_of(KEPT), EMBEDDER_KIND: kind, **names})
    assert list(faults) == [key]
    assert word in faults[key]


def test_that_chunks_which_only_repeat_are_refused_at_the_overlap() -> None:
    faults = derive_faults(KEPT, {**values_of(KEPT), "knowledge.chunk_overlap": 200.0})
    assert faults == {"knowledge.chunk_overlap": "It must be less than the tokens of a chunk."}


def test_that_the_key_of_an_embedding_server_is_named_in_the_settings_but_never_written_there() -> None:
    served = {":embedder_url": "http://10.0.0.7/v1", "knowledge.embedder_model": "m", EMBEDDER_KEY: "sk-1"}
    saved = with_values(KEPT, {**values_of(KEPT), EMBEDDER_KIND: "server", **served})
    assert saved.knowledge.embedder_key_secret == EMBEDDER_SECRET
    assert "sk-1" not in saved.model_dump_json()


def test_that_it_is_said_what_another_embedder_means() -> None:
    saved = with_values(KEPT, {**values_of(KEPT), EMBEDDER_KIND: "multilingual"})
    line = derive_line(derive_pending(KEPT, saved), dirty=False, faults=False)
    assert line.startswith("Saved. From the next start of the console: Embedder. The embedder then reads every article")


@pytest.mark.parametrize(("shown", "kept"), [("yes", True), ("no", False)])
def test_that_a_choice_of_yes_and_no_is_a_truth_value(shown: str, kept: bool) -> None:
    changed = with_values(KEPT, {**values_of(KEPT), "engine.keep_running": shown})
    assert changed.engine.keep_running is kept
    assert values_of(changed)["engine.keep_running"] == shown


def test_that_prices_of_both_kinds_are_told_at_a_field_that_is_shown() -> None:
    values = values_of(Settings()) | {"prices.out_per_million": 60.0, "prices.machine_per_hour": 90.0}
    assert derive_faults(Settings(), values) == {
        "prices.machine_per_hour": "Prices are by the token or by the hour of the machine, not both: "
        "set one of them to 0."
    }


def test_that_what_is_wrong_with_a_further_engine_stands_at_their_list() -> None:
    values = values_of(KEPT) | {"engine.more": (MoreEngine(), MoreEngine(number=2))}
    assert list(derive_faults(KEPT, values)) == ["engine.more"]
    values = values_of(KEPT) | {"engine.more": (MoreEngine.model_construct(url=None, weight=-1.0, number=None),)}
    assert "greater than 0" in derive_faults(KEPT, values)["engine.more"]


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("", ""),
        ("http://10.0.0.9:8000", ""),
        ("http://10.0.0.7:8000/", "Engine 3 has this address already."),
        ("gpu-box", "The address must begin with http:// or https://."),
    ],
)
def test_that_an_address_that_cannot_be_added_says_why(address: str, told: str) -> None:
    assert derive_address_fault(address, (MoreEngine(), MoreEngine(url="http://10.0.0.7:8000"))) == told


def test_that_there_is_a_most_of_further_engines() -> None:
    assert derive_address_fault("", (MoreEngine(),) * MOST) == FULL


def test_that_only_what_was_touched_stays_when_the_file_changed_elsewhere() -> None:
    now = KEPT.model_copy(update={"engine": KEPT.engine.model_copy(update={"more": (MoreEngine(),), "drain_s": 60.0})})
    values = values_of(KEPT) | {"engine.drain_s": 5.0}
    kept = rebased(values, KEPT, now)
    assert (kept["engine.more"], kept["engine.drain_s"]) == ((MoreEngine(),), 5.0)
