"""The Tenants page with a real bridge and database; the engine is a fake vLLM."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt

from console.bridge.loop_thread import LoopThread
from console.page_context import PageContext
from console.tenants.page import TenantsPage
from storage.paths import Home
from storage.queries.tenants import tenant
from storage.records import TokenUse, TurnOutcome
from storage.settings import Settings
from storage.usage_settings import Prices
from tests.console.tenants.house import KAMALA, MERIDIAN, Engine, House, open_house, settle, use
from tests.fakes.fake_vllm import FakeVllm

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Iterator
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from console.theme.style import Theme
    from console.widgets.notices import Notice
    from storage.records import Tenant


def today() -> date:
    """The kitchen's day now: the suite may run past its midnight."""
    return datetime.now(UTC).astimezone(ZoneInfo("Asia/Kolkata")).date()


class Desk:
    def __init__(self, qtbot: QtBot, theme: Theme, bridge: LoopThread, house: House) -> None:
        self.notices: list[Notice] = []
        self.qtbot, self.bridge, self.house = qtbot, bridge, house
        context = PageContext(theme, bridge, house, self.notices.append, lambda _key: None)  # pyright: ignore[reportArgumentType]
        self.page = TenantsPage(context)
        self.page.resize(1384, 872)
        qtbot.addWidget(self.page)

    def run(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        return run(self.qtbot, self.bridge, work)

    def open(self) -> None:
        self.page.show()
        self.page.page_shown()
        self.settle()

    def settle(self) -> None:
        """Until everything that was asked for has come back."""
        presenter = self.page.presenter
        self.qtbot.waitUntil(
            lambda: presenter._reading is None and not presenter.state.checking and not presenter.state.saving,
            timeout=20_000,
        )


def run(qtbot: QtBot, bridge: LoopThread, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    results: list[Any] = []
    call = bridge.submit(work, "test")
    call.done.connect(results.append)
    qtbot.waitUntil(lambda: bool(results), timeout=20_000)
    return results[0]


@pytest.fixture
def bridge(qtbot: QtBot) -> Iterator[LoopThread]:
    def fault(error: BaseException, where: str) -> None:
        raise AssertionError(where) from error

    bridge = LoopThread(fault)
    bridge.start()
    yield bridge
    bridge.stop()


@pytest.fixture
def desk_of(qtbot: QtBot, theme: Theme, bridge: LoopThread, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(*tenants: Tenant) -> Desk:
        house = run(qtbot, bridge, lambda: open_house(Home(tmp_path / "home"), *tenants))
        bridge.add_closer("database", house.database.close)
        desks.append(Desk(qtbot, theme, bridge, house))
        return desks[-1]

    yield make
    for desk in desks:
        desk.page.page_hidden()


def test_that_a_house_without_tenants_says_so(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of()
    desk.open()
    assert desk.page.table.table.shown() == ()
    assert not desk.page.limits.edit.isEnabled()
    desk.page.grab()


def test_that_usage_stands_in_table_totals_and_bars(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA, MERIDIAN)
    desk.run(lambda: use(desk.house, "kamala", today(), TokenUse(900_000, 500_000, 100_000), requests=7))
    desk.open()
    page = desk.page
    assert [(row.name, row.requests, row.used_today) for row in page.table.table.shown()] == [
        ("Kamala Dabba", 7, 1_000_000),
        ("Meridian Offices", 0, 0),
    ]
    assert "In, cached 0.50 M" in page.table.total.accessibleName()
    assert "5.0 % 1.00 of 20 M" in page.table.table.records_model.columns[-2].words(page.table.table.shown()[0])
    assert page.usage.bars.accessibleName().endswith(f"{today().day} 1 M")
    assert page.header._truth.text().startswith(f"{today():%A} {today().day} {today():%B %Y}, 00:00 to ")
    page.grab()


def test_that_the_period_is_followed(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    desk.run(lambda: use(desk.house, "kamala", today(), TokenUse(10, 0, 1), requests=7))
    desk.open()
    desk.page.period.chosen.emit("yesterday")
    assert desk.page.table.table.shown()[0].requests == 0


def test_that_a_picked_tenant_shows_its_limits(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA, MERIDIAN)
    desk.open()
    limits = desk.page.limits
    assert limits._title.text() == "Limits of Kamala Dabba"
    desk.page.table.table.pick("meridian")
    assert limits._title.text() == "Limits of Meridian Offices"
    assert limits.values["daily_tokens"].text() == "8,000,000"


def test_that_edited_limits_are_kept_and_the_rest_of_the_tenant_stays(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA, MERIDIAN)
    desk.open()
    limits, qtbot = desk.page.limits, desk.qtbot
    qtbot.mouseClick(limits.edit, Qt.MouseButton.LeftButton)
    field = limits.edits["concurrent_requests"]
    field.selectAll()
    qtbot.keyClicks(field, "5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not limits.editing, timeout=10_000)
    kept = desk.run(lambda: desk.house.database.run(lambda session: tenant(session, "kamala")))
    assert kept.quota.concurrent_requests == 5
    assert (kept.quota.daily_tokens, kept.name, kept.colour) == (20_000_000, "Kamala Dabba", 1)
    assert limits.values["concurrent_requests"].text() == "5"
    assert [notice.level for notice in desk.notices] == ["ok"]


def test_that_a_tenant_gets_an_slo_of_its_own_and_loses_it_again(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    desk.open()
    limits = desk.page.limits

    def save(milliseconds: int) -> Tenant:
        limits.begin_edit()
        limits.edits["ttft_target_ms"].setValue(milliseconds)
        desk.qtbot.mouseClick(limits.save, Qt.MouseButton.LeftButton)
        desk.qtbot.waitUntil(lambda: not limits.editing, timeout=10_000)
        return desk.run(lambda: desk.house.database.run(lambda session: tenant(session, "kamala")))

    assert limits.values["ttft_target_ms"].text() == "800, house’s"
    assert save(1500) == replace(KAMALA, ttft_target_ms=1500)
    assert limits.values["ttft_target_ms"].text() == "1,500"
    assert save(0) == KAMALA
    assert limits.values["ttft_target_ms"].text() == limits.edits["ttft_target_ms"].text() == "800, house’s"


def test_that_esc_and_another_tenant_end_an_edit_without_saving(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA, MERIDIAN)
    desk.open()
    limits = desk.page.limits
    limits.begin_edit()
    limits.edits["daily_tokens"].setValue(1)
    desk.qtbot.keyClick(limits.edits["daily_tokens"], Qt.Key.Key_Escape)
    assert not limits.editing
    assert limits.values["daily_tokens"].text() == "20,000,000"
    limits.begin_edit()
    assert limits.edits["daily_tokens"].number() == 20_000_000
    desk.page.table.table.pick("meridian")
    assert not limits.editing


def test_that_limits_of_a_tenant_that_is_gone_are_refused_in_place(
    desk_of: Callable[..., Desk], tmp_path: Path
) -> None:
    desk = desk_of(KAMALA)
    desk.open()
    desk.page.limits.begin_edit()
    elsewhere = desk.run(lambda: open_house(Home(tmp_path / "elsewhere")))
    desk.bridge.add_closer("the other database", elsewhere.database.close)
    desk.page.presenter._house = elsewhere
    desk.page.limits.save.click()
    desk.qtbot.waitUntil(lambda: bool(desk.page.limits.fault.text()), timeout=10_000)
    assert desk.page.limits.fault.text().startswith("There is no tenant kamala in the database.")
    assert desk.page.limits.editing


def test_that_the_ledger_is_held_against_the_engine(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    fake = FakeVllm()
    desk.run(fake.__aenter__)
    desk.bridge.add_closer("engine", fake.stop)
    fake.counters.prompt_tokens, fake.counters.output_tokens = 731, 91
    desk.run(lambda: settled_turn(desk.house, TurnOutcome.ANSWERED, TokenUse(700, 512, 80)))
    desk.house.engine.runs_at(fake.url)
    desk.open()
    ledger = desk.page.ledger
    assert [(row.counter, row.drift) for row in ledger.table.shown()] == [("tokens in", 0), ("tokens out", 10)]
    assert ledger._value.text() == "drift 10"
    desk.run(lambda: settled_turn(desk.house, TurnOutcome.CANCELLED, TokenUse(0, 0, 4)))
    desk.qtbot.mouseClick(ledger.refresh, Qt.MouseButton.LeftButton)
    desk.settle()
    assert ledger._value.text() == "drift 0"
    assert [(row.ours, row.engine) for row in ledger.table.shown()] == [(700, 700), (90, 90)]


async def settled_turn(house: House, outcome: TurnOutcome, tokens: TokenUse) -> str:
    await settle(house, outcome.value, outcome, tokens)
    return outcome.value


def test_that_without_an_engine_nothing_is_compared(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    desk.open()
    assert not desk.page.ledger.table.isVisible()
    assert desk.page.ledger._value.text() == ""


def test_that_usage_is_exported_where_the_person_says(desk_of: Callable[..., Desk], tmp_path: Path) -> None:
    desk = desk_of(KAMALA)
    desk.run(lambda: use(desk.house, "kamala", today(), TokenUse(10, 0, 1)))
    desk.open()
    desk.qtbot.mouseClick(desk.page.export, Qt.MouseButton.LeftButton)
    dialog = desk.page.dialog
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "usage.csv"))
    dialog.done(1)
    desk.qtbot.waitUntil(lambda: bool(desk.notices), timeout=10_000)
    assert desk.notices[0].fact == "Usage exported: 1 line."
    assert desk.notices[0].detail == str(tmp_path / "usage.csv")
    assert (tmp_path / "usage.csv").read_text(encoding="utf-8").count("\n") == 2


def test_that_an_export_that_fails_is_told(desk_of: Callable[..., Desk], tmp_path: Path) -> None:
    desk = desk_of(KAMALA)
    desk.open()
    desk.page.presenter.export(str(tmp_path / "missing" / "usage.csv"))
    desk.qtbot.waitUntil(lambda: bool(desk.notices), timeout=10_000)
    assert (desk.notices[0].level, desk.notices[0].fact[:24]) == ("error", "Usage was not exported: ")


def test_that_a_hidden_page_asks_nothing(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    desk.open()
    desk.page.page_hidden()
    assert not any(timer.isActive() for timer in desk.page.presenter._timers)


def test_that_bars_by_week_and_month_are_read_and_shown(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    long_ago = today() - timedelta(days=200)
    desk.run(lambda: use(desk.house, "kamala", long_ago, TokenUse(900_000, 0, 100_000)))
    desk.open()
    assert " 1 M" not in desk.page.usage.bars.accessibleName()
    desk.page.usage.grain_chosen.emit("month")
    desk.settle()
    assert f"{long_ago:%b} 1 M" in desk.page.usage.bars.accessibleName()
    assert desk.page.usage.bars.accessibleName().count(",") == 11
    desk.page.grab()


def test_that_the_picked_tenants_day_and_conversations_are_shown(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA, MERIDIAN)
    desk.run(lambda: settle(desk.house, "t1", TurnOutcome.ANSWERED, TokenUse(100, 60, 20)))
    desk.open()
    talks = desk.page.talks
    desk.qtbot.waitUntil(lambda: len(talks.table.shown()) == 1, timeout=10_000)
    assert [(one.turns, one.tokens.prompt) for one in talks.table.shown()] == [(1, 100)]
    assert desk.page.day.curve.accessibleName().startswith("Kamala Dabba, 120 of 20 M. No forecast yet.")
    desk.page.table.table.pick("meridian")
    desk.qtbot.waitUntil(lambda: not talks.table.shown(), timeout=10_000)
    assert talks._title.text() == "Top conversations of Meridian Offices"
    assert desk.page.day.curve.accessibleName().startswith("Meridian Offices, 0 of 8 M.")
    desk.page.grab()


def test_that_a_cost_is_told_once_a_price_is_set(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    desk.run(lambda: use(desk.house, "kamala", today(), TokenUse(1_000_000, 0, 0)))
    desk.open()
    assert desk.page.header._truth.text().endswith("no price is set, see Settings")
    assert "Cost –" in desk.page.table.total.accessibleName()
    desk.house.settings = Settings(prices=Prices(in_per_million=20.0))
    desk.page.presenter.refresh()
    desk.settle()
    assert "Cost ₹ 20," in desk.page.table.total.accessibleName()
    assert "price" not in desk.page.header._truth.text()


def test_that_every_engine_of_the_pool_is_compared(desk_of: Callable[..., Desk]) -> None:
    desk = desk_of(KAMALA)
    first, second = FakeVllm(), FakeVllm()
    for fake in (first, second):
        desk.run(fake.__aenter__)
        desk.bridge.add_closer("engine", fake.stop)
        fake.counters.prompt_tokens, fake.counters.output_tokens = 31, 1
    desk.house.engines.sessions = (desk.house.engine, Engine(), Engine())
    for number, fake in enumerate((first, second), start=1):
        desk.house.engines.sessions[number - 1].runs_at(fake.url, f"cpu-demo {number}", f"r{number}")
    second.counters.output_tokens += 5
    desk.open()
    shown = desk.page.ledger.table.shown()
    assert [(row.words, row.drift) for row in shown] == [
        ("cpu-demo 1, in", 0), ("cpu-demo 1, out", 0), ("cpu-demo 2, in", 0), ("cpu-demo 2, out", 5),
    ]  # fmt: skip
    desk.page.grab()


@pytest.mark.parametrize(("height", "rows"), [(774, 4), (1054, 8)])
def test_that_many_tenants_scroll_and_leave_the_charts_their_room(
    desk_of: Callable[..., Desk], height: int, rows: int
) -> None:
    tenants = [replace(KAMALA, tenant_id=f"t{number}", colour=number % 8 + 1) for number in range(12)]
    desk = desk_of(*tenants)
    desk.page.resize(1226, height)
    desk.open()
    page = desk.page
    assert page.table.table.height() == 28 + 30 * rows
    assert page.usage.bars.height() >= page.usage.bars.minimumHeight()
    assert page.limits.geometry().bottom() <= height - 16
    page.grab()
