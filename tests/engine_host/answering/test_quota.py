"""Who may ask now, and for how long not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine_host.answering.quota import QuotaDesk
from storage.records import Quota, Tenant
from tests.fakes.answering import KAMALA, Clock


def tenant(**limits: int) -> Tenant:
    return replace(KAMALA, quota=replace(Quota(1000, 3, 2, 100, 100), **limits))


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(clock: Clock) -> QuotaDesk:
    return QuotaDesk(clock)


def test_that_tokens_of_the_day_run_out_at_the_limit(desk: QuotaDesk) -> None:
    assert desk.reserve(tenant(), 999) is None
    refusal = desk.reserve(tenant(), 1000)
    assert refusal is not None
    assert refusal.reason == "Kamala Dabba has used its 1,000 tokens of today. Raise its quota, or wait."
    assert refusal.retry_after_s is None


def test_that_a_minute_holds_so_many_questions(desk: QuotaDesk, clock: Clock) -> None:
    for _ in range(3):
        assert desk.reserve(tenant(), 0) is None
        desk.release("kamala")
        clock.now += 10
    refusal = desk.reserve(tenant(), 0)
    assert refusal is not None
    assert refusal.reason == "Kamala Dabba asked 3 times in the last minute, its limit. Ask again in 30 s."
    assert refusal.retry_after_s == 30
    clock.now += 30
    assert desk.reserve(tenant(), 0) is None


def test_that_so_many_questions_run_at_a_time(desk: QuotaDesk) -> None:
    assert desk.reserve(tenant(), 0) is None
    assert desk.reserve(tenant(), 0) is None
    refusal = desk.reserve(tenant(), 0)
    assert refusal is not None
    assert "2 questions under way" in refusal.reason
    desk.release("kamala")
    assert desk.reserve(tenant(), 0) is None


def test_that_a_refused_question_takes_no_place(desk: QuotaDesk) -> None:
    for _ in range(9):
        assert desk.reserve(tenant(concurrent_requests=0), 0) is not None
    assert desk.reserve(tenant(), 0) is None


def test_that_a_tenant_without_requests_is_refused(desk: QuotaDesk) -> None:
    refusal = desk.reserve(tenant(requests_per_minute=0), 0)
    assert refusal is not None
    assert refusal.retry_after_s == 60


def test_that_tenants_do_not_take_each_other_s_places(desk: QuotaDesk) -> None:
    for _ in range(2):
        assert desk.reserve(tenant(), 0) is None
    assert desk.reserve(replace(tenant(), tenant_id="annapurna"), 0) is None
