"""May this tenant ask now? Tokens a day, requests a minute, requests at a time; refused early, with the reason."""

from __future__ import annotations

import time
from collections import defaultdict, deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from storage.records import Tenant

_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class QuotaRefusal:
    """`reason` is a sentence for staff; `retry_after_s` when asking again may help (None: tomorrow)."""

    reason: str
    retry_after_s: float | None


class QuotaDesk:
    """Counts the requests of this process; the tokens of the day come from the ledger."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._running: dict[str, int] = defaultdict(int)
        self._asked: dict[str, deque[float]] = defaultdict(deque)

    def reserve(self, tenant: Tenant, tokens_today: int) -> QuotaRefusal | None:
        """Take a place for one request, or say why not. A place that was taken must be given back by `release`."""
        quota = tenant.quota
        asked = self._asked[tenant.tenant_id]
        now = self._clock()
        while asked and now - asked[0] >= _MINUTE:
            asked.popleft()
        if tokens_today >= quota.daily_tokens:
            return QuotaRefusal(
                f"{tenant.name} has used its {quota.daily_tokens:,} tokens of today. Raise its quota, or wait.",
                None,
            )
        if len(asked) >= quota.requests_per_minute:
            wait = _MINUTE - (now - asked[0]) if asked else _MINUTE
            reason = f"{tenant.name} asked {len(asked)} times in the last minute, its limit. Ask again in {wait:.0f} s."
            return QuotaRefusal(reason, wait)
        if self._running[tenant.tenant_id] >= quota.concurrent_requests:
            reason = (
                f"{tenant.name} has {quota.concurrent_requests} questions under way, its limit. Ask again in a moment."
            )
            return QuotaRefusal(reason, 1.0)
        asked.append(now)
        self._running[tenant.tenant_id] += 1
        return None

    def release(self, tenant_id: str) -> None:
        self._running[tenant_id] -= 1
