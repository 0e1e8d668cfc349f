"""Several engines as one: the least loaded one writes, and an answer whose engine dies goes on at another."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from engine_host.engine.pool_writer import PooledWriter
from engine_host.published import Published

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from engine_host.client.types import ChatRequest
    from engine_host.engine.pool_member import PoolMember
    from engine_host.engine.state import EngineState


class EnginePool:
    """`members` in the order in which they are preferred when nothing else tells them apart. `answering`: any can.

    An engine that drains, sleeps, stops or starts can't answer: it gets nothing new, and what it writes it may end.
    """

    def __init__(self, members: Iterable[PoolMember]) -> None:
        self.members: tuple[PoolMember, ...] = ()
        self.answering: Published[bool] = Published(False)
        self._unwatch: dict[PoolMember, Callable[[], None]] = {}
        for member in members:
            self.add(member)

    def add(self, member: PoolMember) -> None:
        """It comes last in the order; it gets requests as soon as it can answer."""
        self.members = (*self.members, member)
        self._unwatch[member] = member.engine.state.watch(self._changed)
        self.answering.publish(self.can_answer)

    def remove(self, member: PoolMember) -> None:
        """It gets nothing new from now on; what it writes it may end. One that is not there changes nothing."""
        self.members = tuple(one for one in self.members if one is not member)
        if (unwatch := self._unwatch.pop(member, None)) is not None:
            unwatch()
        self.answering.publish(self.can_answer)

    @property
    def run(self) -> str | None:
        """The run of the engine that would be given the next request; that of the first one while none can answer."""
        best = _best(self.members) or next(iter(self.members), None)
        return best.state.run if best else None

    @property
    def can_answer(self) -> bool:
        return any(member.state.can_answer for member in self.members)

    def _changed(self, _state: EngineState) -> None:
        self.answering.publish(self.can_answer)

    async def writer(self) -> PooledWriter | None:
        """The engine with the least to do, with those that could go on for it; None when none can answer."""
        first = _best(self.members)
        if first is None:
            return None
        kin = [one for one in self.members if one.can_answer and one.family == first.family]
        context = min(one.context_tokens for one in kin)
        return PooledWriter(first, context, partial(self._in_place, first.family, context))

    def _in_place(
        self, family: str, context: int, request: ChatRequest, tried: tuple[PoolMember, ...]
    ) -> PoolMember | None:
        """Who can go on best with an answer of this model family."""
        kin = (one for one in self.members if one.family == family and one.context_tokens >= context)
        return _best(one for one in kin if one not in tried and one.takes(request))


def _best(members: Iterable[PoolMember]) -> PoolMember | None:
    return min((one for one in members if one.can_answer), key=lambda one: one.candidate.rank(), default=None)
