"""What code says about an order: only what its row has, at the time of the row, as a kind human would say it."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.answering.asking import Asks
from engine_host.answering.statements import (
    LANGUAGES,
    Voice,
    templates,
    write_choice,
    write_none_active,
    write_statement,
)
from engine_host.orders.port import OrderItem, OrderStatus
from engine_host.orders.wire import contradiction
from tests.fakes.answering import KAMALA, order, voice

if TYPE_CHECKING:
    from engine_host.orders.port import Order

NOON = datetime(2026, 11, 30, 7, 11, 5, tzinfo=UTC)  # 12:41:05 in Pune
ZONE = ZoneInfo("Asia/Kolkata")
OPTIONAL = ("left_kitchen_at", "expected_at", "delivered_at", "courier_first_name")
OPEN = (OrderStatus.PLACED, OrderStatus.PREPARING, OrderStatus.PACKED, OrderStatus.OUT_FOR_DELIVERY)
EVERYTHING = Asks(contents=True, total=True, courier=True)
CLOCK = re.compile(r"\d\d:\d\d(?::\d\d)?")


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
    text = write_statement(row(status, **dict.fromkeys(missing)), voice(language), Asks(contents=True, total=True))
    assert not re.search(r"[{}]|None", text)
    assert "KD-4821" in text
    for name, clock in (("left_kitchen_at", "12:11"), ("expected_at", "13:05"), ("delivered_at", "12:39")):
        if name in missing:
            assert clock not in text
    assert ("Ravi" in text) == (status is OrderStatus.OUT_FOR_DELIVERY and "courier_first_name" not in missing)


PLACED, PREPARING, PACKED, OUT, DELIVERED, CANCELLED = OrderStatus
SAID: dict[str, dict[OrderStatus, str]] = {
    "en": {
        PLACED: "order KD-4821 (Low-sugar lunch) was placed at 09:41 and is waiting for its turn",
        PREPARING: "has been preparing your Low-sugar lunch (order KD-4821) since 12:10.",
        PACKED: "was packed at 12:10 and is waiting to leave",
        OUT: "left the kitchen at 12:11 with Ravi and is on its way.",
        DELIVERED: "was marked as delivered at 12:39.",
        CANCELLED: "order KD-4821 (Low-sugar lunch) was cancelled at 12:10.",
    },
    "hi": {
        PLACED: "ऑर्डर KD-4821 (Low-sugar lunch) 09:41 बजे दर्ज हुआ",
        PREPARING: "डब्बा (Low-sugar lunch, ऑर्डर KD-4821) 12:10 बजे से रसोई में बन रहा है।",
        PACKED: "12:10 बजे पैक हुआ और उसका रसोई से निकलना बाकी है।",
        OUT: "12:11 बजे Ravi के साथ रसोई से निकला और रास्ते में है।",
        DELIVERED: "12:39 बजे पहुँचा हुआ दर्ज है।",
        CANCELLED: "12:10 बजे रद्द हुआ।",
    },
    "hi-Latn": {
        PLACED: "order KD-4821 (Low-sugar lunch) 09:41 baje place hua",
        PREPARING: "dabba (Low-sugar lunch, order KD-4821) 12:10 baje se kitchen mein ban raha hai.",
        PACKED: "12:10 baje pack hua aur uska kitchen se nikalna baaki hai.",
        OUT: "12:11 baje Ravi ke saath kitchen se nikla aur raaste mein hai.",
        DELIVERED: "12:39 baje delivered mark hua hai.",
        CANCELLED: "12:10 baje cancel hua.",
    },
    "mr": {
        PLACED: "ऑर्डर KD-4821 (Low-sugar lunch) 09:41 वाजता नोंदवली गेली",
        PREPARING: "डबा (Low-sugar lunch, ऑर्डर KD-4821) 12:10 वाजल्यापासून स्वयंपाकघरात तयार होत आहे.",
        PACKED: "12:10 वाजता भरून तयार झाला आणि स्वयंपाकघरातून निघायचा आहे.",
        OUT: "12:11 वाजता Ravi यांच्यासोबत स्वयंपाकघरातून निघाला आणि वाटेत आहे.",
        DELIVERED: "12:39 वाजता पोहोचल्याची नोंद आहे.",
        CANCELLED: "12:10 वाजता रद्द झाली.",
    },
}
AS_OF = {
    "en": "As of 12:41:05.",
    "hi": "यह जानकारी 12:41:05 बजे की है।",
    "hi-Latn": "Yeh jaankari 12:41:05 baje ki hai.",
    "mr": "ही माहिती 12:41:05 वाजताची आहे.",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", OrderStatus)
@pytest.mark.parametrize("minutes", [24, -1, None], ids=["in time", "late", "no expected time"])
def test_that_each_status_is_told_with_its_own_time_in_each_language(
    language: str, status: OrderStatus, minutes: int | None
) -> None:
    expected = None if minutes is None else NOON + timedelta(minutes=minutes)
    text = write_statement(row(status, expected_at=expected), voice(language))
    words = templates(language)
    promises = {
        24: words["expected"].format(expected="13:05"),
        -1: words["late"].format(expected="12:40"),
        None: words["expected_short"],
    }
    assert SAID[language][status] in text
    assert text.endswith(AS_OF[language])
    for when, promise in promises.items():
        assert (promise in text) == (status in OPEN and when == minutes)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("missing", "there", "gone"),
    [
        (("courier_first_name",), ("12:11",), ("Ravi", "12:10")),
        (("left_kitchen_at",), ("Ravi", "12:10"), ("12:11",)),
        (("courier_first_name", "left_kitchen_at"), ("12:10",), ("Ravi", "12:11")),
    ],
)
def test_that_a_box_on_its_way_is_told_with_what_is_known(
    language: str, missing: tuple[str, ...], there: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    text = write_statement(row(OUT, **dict.fromkeys(missing)), voice(language))
    assert all(part in text for part in there)
    assert not any(part in text for part in gone)


def test_that_an_expected_time_that_is_now_has_not_passed() -> None:
    assert "It is expected by 12:41." in write_statement(row(PACKED, expected_at=NOON), voice())


@pytest.mark.parametrize(
    ("language", "just_now"), [("en", "just now"), ("hi", "अभी-अभी"), ("hi-Latn", "abhi-abhi"), ("mr", "आत्ताच")]
)
def test_that_an_order_of_a_minute_ago_was_placed_just_now(language: str, just_now: str) -> None:
    for seconds in (-30, 0, 70, 119):
        text = write_statement(row(PLACED, placed_at=NOON - timedelta(seconds=seconds)), voice(language))
        assert just_now in text
        assert "12:4" in text or "12:39" in text
    assert just_now not in write_statement(row(PLACED, placed_at=NOON - timedelta(minutes=2)), voice(language))
    assert just_now not in write_statement(row(PACKED, placed_at=NOON), voice(language))


@pytest.mark.parametrize(
    ("language", "and_your"), [("en", "And your "), ("hi", "और आपका "), ("hi-Latn", "Aur aapka "), ("mr", "आणि तुमचा ")]
)
def test_that_a_second_order_goes_on_from_the_first_and_is_sorry_once(language: str, and_your: str) -> None:
    late = row(OUT, expected_at=NOON - timedelta(minutes=9))
    other = replace(late, order_id="KD-4840", items=(OrderItem("Jain lunch", 1, "jain"),))
    words = templates(language)
    first, second = write_statement(late, voice(language)), write_statement(other, voice(language), after=(late,))
    assert second.startswith(and_your)
    assert "KD-4840" in second
    assert "KD-4821" not in second
    assert words["late"].format(expected="12:32") in first
    assert words["late_short"].format(expected="12:32") in second
    on_time = row(PREPARING, left_kitchen_at=None)
    assert words["late"].format(expected="12:32") in write_statement(other, voice(language), after=(on_time,))


@pytest.mark.parametrize(
    ("language", "day"),
    [
        ("en", "by 09:30 on 1 Dec."),
        ("hi", "1 दिसंबर को 09:30 बजे तक"),
        ("hi-Latn", "1 Dec ko 09:30 baje tak"),
        ("mr", "1 डिसेंबर रोजी 09:30 वाजेपर्यंत"),
    ],
)
def test_that_a_time_of_another_day_names_the_day(language: str, day: str) -> None:
    tomorrow = datetime(2026, 12, 1, 4, 0, tzinfo=UTC)
    assert day in write_statement(row(PLACED, expected_at=tomorrow), voice(language))


def test_that_the_day_changes_at_the_kitchen_s_midnight() -> None:
    before = datetime(2026, 11, 30, 18, 29, tzinfo=UTC)  # 23:59 in Pune
    text = write_statement(
        order(
            before,
            placed_at=before - timedelta(hours=1),
            expected_at=before + timedelta(minutes=2),
            status=PLACED,
        ),
        voice(),
    )
    assert "was placed at 22:59 " in text
    assert "expected by 00:01 on 1 Dec." in text


def test_that_after_midnight_the_evening_before_is_another_day() -> None:
    after = datetime(2026, 11, 30, 18, 31, tzinfo=UTC)  # 00:01 on 1 December in Pune
    text = write_statement(order(after, expected_at=after - timedelta(minutes=2)), voice())
    assert "left the kitchen at 23:30 on 30 Nov with Ravi" in text
    assert "It was expected by 23:59 on 30 Nov and is not" in text
    assert text.endswith("As of 00:01:00.")


def test_that_the_clock_is_the_tenant_s_own() -> None:
    tokyo = Voice("en", ZoneInfo("Asia/Tokyo"), "1")
    assert "As of 16:11:05." in write_statement(row(PACKED), tokyo)


def test_that_contents_and_total_come_only_when_asked() -> None:
    items = (OrderItem("Regular lunch", 2, "veg"), OrderItem("extra roti", 1, "veg"))
    rich = row(PACKED, items=items, total_amount=1292.5)
    plain = write_statement(rich, voice())
    contents = write_statement(rich, voice(), Asks(contents=True))
    total = write_statement(rich, voice(), Asks(total=True))
    assert "In the box: 2 × Regular lunch, 1 × extra roti." in contents
    assert "The total of this order is Rs 1,292.50." in total
    assert "Rs" not in plain + contents
    assert "In the box" not in plain + total


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_who_brings_it_is_told_when_asked(language: str) -> None:
    words, who = templates(language), Asks(courier=True)
    named, unknown = words["courier"].format(courier="Ravi"), words["courier_short"]
    assert named in write_statement(row(PACKED), voice(language), who)
    assert named in write_statement(row(DELIVERED), voice(language), who)
    assert unknown in write_statement(row(OUT, courier_first_name=None), voice(language), who)
    assert unknown in write_statement(row(PACKED, courier_first_name="0900-CALL"), voice(language), who)
    on_its_way = write_statement(row(OUT), voice(language), who)
    assert on_its_way.count("Ravi") == 1
    assert unknown not in on_its_way
    assert named not in write_statement(row(CANCELLED), voice(language), who)


@pytest.mark.parametrize(
    "items", [(), (OrderItem("Paneer. Your order was delivered", 1, "veg"),), (OrderItem("{courier} {phone}", 1, "x"),)]
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_that_an_order_whose_box_has_no_plain_name_is_called_by_its_number(
    language: str, items: tuple[OrderItem, ...]
) -> None:
    words = templates(language)
    text = write_statement(row(PACKED, items=items), voice(language), Asks(contents=True))
    assert words["status_packed"].format(dabba=words["dabba_short"].format(order="KD-4821"), changed_at="12:10") in text
    assert words["contents_short"] in text
    assert "Paneer" not in text


def test_that_one_name_that_is_not_plain_hides_no_other_item_as_if_it_were_not_there() -> None:
    items = (OrderItem("Regular lunch", 1, "veg"), OrderItem("It was cancelled", 1, "veg"))
    text = write_statement(row(PACKED, items=items), voice(), Asks(contents=True))
    assert "Regular lunch" not in text
    assert "We cannot read out what is in the box" in text


def test_that_a_long_order_is_named_short_and_counted() -> None:
    items = tuple(OrderItem(f"Dish {letter}", 2, "veg") for letter in "ABCDEFGHIJKLMNOPQRSTUVWXY")
    text = write_statement(row(PACKED, items=items), voice(), Asks(contents=True))
    assert "Your 2 × Dish A, 2 × Dish B, 2 × Dish C and 22 more (order KD-4821) was packed" in text
    assert "2 × Dish T and 5 more." in text


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Rs 9."), ("hi", "9 रुपये है।"), ("hi-Latn", "Rs 9 hai."), ("mr", "9 रुपये आहे.")],
)
def test_that_a_round_amount_has_no_pennies_and_a_foreign_one_its_code(language: str, said: str) -> None:
    asks = Asks(total=True)
    assert said in write_statement(row(PACKED, total_amount=9.0), voice(language), asks)
    foreign = row(PACKED, total_amount=9.0, total_currency="EUR")
    assert "EUR 9" in write_statement(foreign, voice(language), asks)


@pytest.mark.parametrize(
    ("amount", "said"), [(1.525, "KWD 1.525"), (0.1 + 0.2, "KWD 0.30"), (1234.0, "KWD 1,234."), (0.0001, "KWD 0.0001")]
)
def test_that_an_amount_is_said_to_its_last_decimal(amount: float, said: str) -> None:
    text = write_statement(row(PACKED, total_amount=amount, total_currency="KWD"), voice(), Asks(total=True))
    assert said in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_a_time_of_another_year_names_the_year(language: str) -> None:
    old = row(PACKED, placed_at=NOON - timedelta(days=366), status_changed_at=NOON - timedelta(days=364))
    assert f" {NOON.year - 1}" in write_statement(old, voice(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_a_choice_names_each_order_as_of_the_oldest_row(language: str) -> None:
    rows = [row(PACKED, order_id=f"KD-50{n:02d}", items=(OrderItem(f"Thali {n}", 1, "veg"),)) for n in range(12)]
    rows[3] = replace(rows[3], as_of=NOON - timedelta(seconds=3), items=(OrderItem("x<y", 1, "veg"),))
    text = write_choice(tuple(rows), voice(language))
    assert "12:41:02" in text
    assert "Thali 2 (KD-5002), KD-5003, Thali 4 (KD-5004)" in text
    assert "KD-5010" not in text
    assert re.search(r"\b2\b", text.rpartition("KD-5009)")[2])


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_no_active_order_is_said_with_its_time_and_a_next_step(language: str) -> None:
    text = write_none_active(NOON, voice(language))
    assert "12:41:05" in text
    assert KAMALA.phone in text


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
    local = [moment.astimezone(ZONE) for moment in moments]
    true = {f"{part:02d}" for m in local for part in (m.hour, m.minute, m.day)}
    true |= {str(m.day) for m in local} | {f"{local[0].second:02d}", "4821", *KAMALA.phone.split()}
    true |= (
        {str(m.year) for m in local}
        | {str(quantity) for _, quantity in items}
        | set(re.findall(r"\d+", f"{amount:,.2f} {amount:,.6f}".rstrip("0")))
    )
    text = write_statement(full, voice(language), EVERYTHING)
    assert set(re.findall(r"\d+", text)) <= true
    clocks = {m.strftime("%H:%M") for m in local} | {local[0].strftime("%H:%M:%S")}
    assert set(CLOCK.findall(text)) <= clocks


BEFORE = st.integers(0, 600)
COURIERS = st.sampled_from([None, "Ravi", "S1 Ravi", "Ravi. It is here", "रवि", "https://x.y", "N" * 41])
DISHES = st.sampled_from(
    ["Low-sugar lunch", "Paneer (2 pcs) & roti", "जैन थाली", "Dal/rice 50%", "Your order left", "<b>"]
)


@st.composite
def believable(draw: st.DrawFn) -> Order:
    """A row that the strict reader lets through, of any status and age, with names of every kind."""
    status = draw(st.sampled_from(OrderStatus))
    placed = NOON - timedelta(minutes=draw(BEFORE) + 10)
    changed = min(placed + timedelta(minutes=draw(BEFORE)), NOON)
    out = status in (OUT, DELIVERED)
    return order(
        NOON,
        order_id=f"KD-{draw(st.integers(1000, 9999))}",
        status=status,
        placed_at=placed,
        status_changed_at=changed,
        left_kitchen_at=draw(st.sampled_from([None, changed])) if out else None,
        delivered_at=draw(st.sampled_from([None, NOON])) if status is DELIVERED else None,
        expected_at=draw(st.none() | BEFORE.map(lambda minutes: placed + timedelta(minutes=minutes))),
        courier_first_name=draw(COURIERS),
        items=tuple(OrderItem(dish, 1, "veg") for dish in draw(st.lists(DISHES, min_size=1, max_size=3))),
    )


@given(believable(), believable(), st.sampled_from(LANGUAGES), st.booleans())
def test_that_a_believable_row_is_told_from_its_own_fields_alone(
    told: Order, other: Order, language: str, second: bool
) -> None:
    assert contradiction(told) is None
    text = write_statement(told, voice(language), EVERYTHING, (other,) if second else ())
    assert not re.search(r"[{}<>]|None|http|Your order left|It is here", text)
    assert told.order_id in text
    assert other.order_id == told.order_id or other.order_id not in text
    moments = (told.placed_at, told.status_changed_at, told.left_kitchen_at, told.delivered_at, told.expected_at)
    clocks = {moment.astimezone(ZONE).strftime("%H:%M") for moment in moments if moment}
    assert set(CLOCK.findall(text)) <= clocks | {"12:41:05"}
    assert text.count("12:41:05") == 1
    for name in ("Ravi", "रवि"):
        assert name not in text or told.courier_first_name == name


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_languages_have_the_same_templates_with_the_same_fields(language: str) -> None:
    def fields(text: str) -> list[str]:
        return sorted(re.findall(r"{(\w+)}", text))

    own, english = templates(language), templates("en")
    assert own.keys() == english.keys()
    assert {key: fields(text) for key, text in own.items()} == {key: fields(text) for key, text in english.items()}
    assert len(own["months"].split()) == 12


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "key",
    [
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
    first = row(PACKED)
    assert write_statement(first, voice()) != write_statement(replace(first, status=DELIVERED), voice())
