"""What code says about an order: only what its row has, at the time of the row."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.statements import Voice, templates, write_statement
from engine_host.orders.port import Order, OrderItem, OrderStatus
from tests.fakes.answering import order, voice

NOON = datetime(2026, 11, 30, 7, 11, 5, tzinfo=UTC)  # 12:41:05 in Pune
LANGUAGES = ("en", "hi", "mr")
OPTIONAL = ("left_kitchen_at", "expected_at", "delivered_at", "courier_first_name")
OPEN = (OrderStatus.PLACED, OrderStatus.PREPARING, OrderStatus.PACKED, OrderStatus.OUT_FOR_DELIVERY)


def row(status: OrderStatus, **changes: object) -> Order:
    full = {
        "status": status,
        "status_changed_at": NOON - timedelta(minutes=31),
        "placed_at": NOON - timedelta(hours=3),
        "left_kitchen_at": NOON - timedelta(minutes=30),
        "expected_at": NOON + timedelta(minutes=24),
        "delivered_at": NOON - timedelta(minutes=2),
    }
    return order(NOON, **(full | changes))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", OrderStatus)
@pytest.mark.parametrize("missing", [(), *((name,) for name in OPTIONAL), OPTIONAL])
def test_that_a_statement_has_no_field_its_row_lacks(
    language: str, status: OrderStatus, missing: tuple[str, ...]
) -> None:
    text = write_statement(row(status, **dict.fromkeys(missing)), voice(language), with_contents=True)
    assert not re.search(r"[{}]|None", text)
    assert "KD-4821" in text
    for name, clock in (("left_kitchen_at", "12:11"), ("expected_at", "13:05"), ("delivered_at", "12:39")):
        if name in missing:
            assert clock not in text
    assert ("Ravi" in text) == (status is OrderStatus.OUT_FOR_DELIVERY and not missing_for_courier(missing))


def missing_for_courier(missing: tuple[str, ...]) -> bool:
    return "courier_first_name" in missing or "left_kitchen_at" in missing


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (OrderStatus.PLACED, "was placed at 09:41"),
        (OrderStatus.PREPARING, "has been preparing your Low-sugar lunch (order KD-4821) since 12:10"),
        (OrderStatus.PACKED, "was packed at 12:10"),
        (OrderStatus.OUT_FOR_DELIVERY, "left the kitchen at 12:11 with Ravi"),
        (OrderStatus.DELIVERED, "was marked as delivered at 12:39"),
        (OrderStatus.CANCELLED, "was cancelled at 12:10"),
    ],
)
def test_that_each_status_is_told_with_its_own_time(status: OrderStatus, said: str) -> None:
    text = write_statement(row(status), voice())
    assert said in text
    assert text.endswith("As of 12:41:05.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", OrderStatus)
def test_that_an_open_order_is_late_or_expected_and_a_done_one_is_neither(language: str, status: OrderStatus) -> None:
    words = templates(language)
    early, late, exact = (
        write_statement(row(status, expected_at=NOON + timedelta(minutes=minutes)), voice(language))
        for minutes in (24, -1, 0)
    )
    if status in OPEN:
        assert words["expected"].format(expected="13:05") in early
        assert words["late"].format(expected="12:40") in late
        assert words["expected"].format(expected="12:41") in exact
        assert words["expected_short"] in write_statement(row(status, expected_at=None), voice(language))
    else:
        assert early == late == exact


@pytest.mark.parametrize(
    ("language", "day"), [("en", "09:30 (1 Dec)"), ("hi", "09:30 (01/12)"), ("mr", "09:30 (01/12)")]
)
def test_that_a_time_of_another_day_names_the_day(language: str, day: str) -> None:
    tomorrow = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
    assert day in write_statement(row(OrderStatus.PLACED, expected_at=tomorrow), voice(language))


def test_that_the_day_changes_at_the_kitchen_s_midnight() -> None:
    before = datetime(2026, 11, 30, 18, 29, tzinfo=UTC)  # 23:59 in Pune
    text = write_statement(
        order(
            before,
            placed_at=before - timedelta(hours=1),
            expected_at=before + timedelta(minutes=2),
            status=OrderStatus.PLACED,
        ),
        voice(),
    )
    assert "was placed at 22:59 " in text
    assert "expected by 00:01 (1 Dec)" in text


def test_that_the_clock_is_the_tenant_s_own() -> None:
    tokyo = Voice("en", ZoneInfo("Asia/Tokyo"), "1")
    assert "As of 16:11:05." in write_statement(row(OrderStatus.PACKED), tokyo)


def test_that_contents_and_total_come_only_when_asked() -> None:
    items = (OrderItem("Regular lunch", 2, "veg"), OrderItem("extra roti", 1, "veg"))
    rich = row(OrderStatus.PACKED, items=items, total_amount=1292.5)
    assert "In the box: 2 × Regular lunch, 1 × extra roti. The total of this order is Rs 1,292.50." in write_statement(
        rich, voice(), with_contents=True
    )
    assert "Rs" not in write_statement(rich, voice())


def test_that_an_order_without_items_is_called_by_its_number() -> None:
    text = write_statement(row(OrderStatus.PACKED, items=()), voice(), with_contents=True)
    assert text.startswith("Your KD-4821 (order KD-4821) was packed at 12:10")
    assert "In the box" not in text


def test_that_a_round_amount_has_no_pennies_and_a_foreign_one_its_code() -> None:
    text = write_statement(row(OrderStatus.PACKED, total_amount=9.0, total_currency="EUR"), voice(), with_contents=True)
    assert "The total of this order is EUR 9." in text


MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 31), timezones=st.just(UTC))  # noqa: DTZ001
NAMES = st.text(st.characters(codec="ascii", categories=["Lu", "Ll"]), min_size=1, max_size=8)


@given(
    st.sampled_from(OrderStatus),
    st.sampled_from(LANGUAGES),
    st.tuples(MOMENTS, MOMENTS, MOMENTS, MOMENTS, MOMENTS, MOMENTS),
    st.lists(st.tuples(NAMES, st.integers(1, 30)), max_size=3),
    st.floats(0, 1e6),
)
def test_that_every_number_of_a_statement_is_of_its_row(
    status: OrderStatus,
    language: str,
    moments: tuple[datetime, ...],
    items: list[tuple[str, int]],
    amount: float,
) -> None:
    as_of, placed, changed, left, expected, delivered = moments
    full = order(
        as_of,
        status=status,
        placed_at=placed,
        status_changed_at=changed,
        left_kitchen_at=left,
        expected_at=expected,
        delivered_at=delivered,
        items=tuple(OrderItem(name, quantity, "veg") for name, quantity in items),
        total_amount=amount,
    )
    zone = ZoneInfo("Asia/Kolkata")
    local = [moment.astimezone(zone) for moment in moments]
    true = {f"{part:02d}" for m in local for part in (m.hour, m.minute, m.day, m.month)}
    true |= {str(m.day) for m in local} | {f"{local[0].second:02d}", "4821"}
    true |= {str(quantity) for _, quantity in items} | set(re.findall(r"\d+", f"{amount:,.2f}"))
    text = write_statement(full, voice(language), with_contents=True)
    assert set(re.findall(r"\d+", text)) <= true
    clocks = {m.strftime("%H:%M") for m in local} | {local[0].strftime("%H:%M:%S")}
    assert set(re.findall(r"\d\d:\d\d(?::\d\d)?", text)) <= clocks


def test_that_a_name_with_braces_is_said_as_it_is() -> None:
    odd = row(OrderStatus.PACKED, items=(OrderItem("{courier} {phone}", 1, "veg"),))
    assert "Your {courier} {phone} (order KD-4821)" in write_statement(odd, voice())


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_languages_have_the_same_templates_with_the_same_fields(language: str) -> None:
    def fields(text: str) -> list[str]:
        return sorted(re.findall(r"{(\w+)}", text))

    own, english = templates(language), templates("en")
    assert own.keys() == english.keys()
    assert {key: fields(text) for key, text in own.items()} == {key: fields(text) for key, text in english.items()}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "key",
    [
        "no_active_orders",
        "do_not_know_order",
        "order_system_down",
        "other_orders_not_known",
        "do_not_know_help",
        "not_verified",
        "engine_down",
        "too_many_questions",
        "question_too_long",
        "greeting",
    ],
)
def test_that_a_sentence_of_not_knowing_names_a_next_step_and_no_order_fact(language: str, key: str) -> None:
    text = voice(language).say(key)
    assert not re.search(r"[{}]|\d\d:\d\d|KD-", text)
    assert key == "greeting" or "020 5550 0142" in text


def test_that_a_statement_changes_with_its_row() -> None:
    first = row(OrderStatus.PACKED)
    assert write_statement(first, voice()) != write_statement(replace(first, status=OrderStatus.DELIVERED), voice())
