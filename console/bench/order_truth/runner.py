"""Runs cases through the house as the chat does, several at once, and has each turn judged."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from console.bench.order_truth.cases import MOVING, TENANT, Fault, seeded
from console.bench.order_truth.judge import Judge, Piece, Seen
from console.bench.order_truth.lies import Knows
from console.bench.order_truth.order_server import Arming
from console.bench.order_truth.stock import new_order, stock
from console.bench.order_truth.tap import HEARD, Heard
from console.bench.order_truth.text import words_of
from engine_host.answering.events import Ended, Opened, PassagesFound, Question, Quoted, Stated, Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from console.bench.order_truth.cases import Case, Turn
    from console.bench.order_truth.engines import Engine
    from console.bench.order_truth.history import History
    from console.bench.order_truth.judge import Verdict
    from console.bench.order_truth.kitchen import TriedHouse
    from console.bench.order_truth.liar import Mark
    from console.bench.order_truth.order_server import OrderServer
    from console.bench.order_truth.tap import Delay
    from engine_host.answering.events import TurnEvent
    from engine_host.orders.port import Order

AT_ONCE = 16
LONGEST_TURN_S = 120.0


@dataclass(frozen=True, slots=True)
class Judged:
    """One turn's verdict, and the delay that the gate added to the first sentence that it released."""

    verdict: Verdict
    delay: Delay | None = None
    gate_ms: float | None = None


@dataclass(slots=True)
class Talk:
    """One conversation as it goes: what the customer saw in the turn at hand, and what the engine said in all."""

    conversation: str | None = None
    pieces: list[Piece] = field(default_factory=list[Piece])
    lies: list[str] = field(default_factory=list[str])
    earlier: list[Order] = field(default_factory=list["Order"])
    given: str = ""
    delay: Delay | None = None
    gate_ms: float | None = None
    ended: bool = False

    def begin_turn(self) -> None:
        self.pieces, self.given, self.delay, self.gate_ms, self.ended = [], "", None, None, False


@dataclass(slots=True)
class Runner:
    """Judges every turn of every case. A turn that fails or never ends is a verdict with an `error`."""

    tried: TriedHouse
    engine: Engine
    orders: OrderServer
    history: History
    show: Callable[[Judged], None]

    async def run(self, cases: Iterator[Case]) -> list[Judged]:
        judged: list[Judged] = []

        async def work() -> None:
            for case in cases:
                judged.extend(await self.converse(case))

        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        return judged

    async def converse(self, case: Case) -> list[Judged]:
        stock(self.history, case)
        talk, judged = Talk(), list[Judged]()
        for place in range(len(case.turns)):
            judged.append(await self._turn(case, place, talk))
            self.show(judged[-1])
        return judged

    async def _turn(self, case: Case, place: int, talk: Talk) -> Judged:
        turn, mark_name = case.turns[place], f"{case.seed}.{case.number}.{place}"
        own = self.history.active(case.customer)
        talk.earlier += own if place == 0 else ()
        if turn.moves and own:
            self.history.advance(own[0].order_id)
        self._arm(case, place)
        mark = self._expect(case, mark_name, talk)
        heard = Heard(mark_name, tools=seeded("tools", mark_name).random() < 0.5)
        talk.begin_turn()
        asked_at = datetime.now(UTC)
        error = await self._ask(case, turn, talk, heard)
        told = mark.told if mark else []
        talk.lies += [one.core for one in told if one.lie]
        offered = () if mark is None or mark.died else tuple(one.core for one in told if not one.lie)
        right = bool(turn.passage) and words_of(turn.passage) in words_of(talk.given)
        seen = Seen(asked_at, tuple(talk.pieces), tuple(talk.lies), offered, right, error)
        return Judged(self._judge().verdict(case, place, seen), talk.delay, talk.gate_ms)

    def _judge(self) -> Judge:
        max_age = timedelta(seconds=self.tried.house.settings.orders.statement_max_age_s)
        return Judge(self.history, max_age, self.tried.phones)

    def _arm(self, case: Case, place: int) -> None:
        fault, rng = case.turns[place].fault, seeded("arm", case.seed, case.number, place)
        move = self._move(case, fault, rng.random()) if fault in MOVING else None
        self.orders.armed[case.customer] = Arming(fault, rng, case.stranger_order, move)

    def _move(self, case: Case, fault: Fault, chance: float) -> Callable[[], None]:
        def move() -> None:
            own = self.history.active(case.customer)
            if fault is Fault.APPEARS and not own:
                self.history.add(new_order(case), datetime.now(UTC))
            elif own:
                self.history.advance(own[int(chance * len(own))].order_id, cancel=chance < 0.15)

        return move

    def _expect(self, case: Case, mark_name: str, talk: Talk) -> Mark | None:
        if self.engine.liar is None:
            return None
        other, own = self.history.order(case.stranger_order), self.history.active(case.customer)
        gone = tuple(row for row in talk.earlier if all(now.status is not row.status for now in own))
        return self.engine.liar.expect(mark_name, Knows(case.language, own, other, gone), mark_name)

    async def _ask(self, case: Case, turn: Turn, talk: Talk, heard: Heard) -> str:
        """Why the turn can't be judged; empty when it came to its end."""
        token = self.tried.token(case.customer)
        question = Question(turn.text, TENANT, token, talk.conversation)
        HEARD.set(heard)
        try:
            async with asyncio.timeout(LONGEST_TURN_S):
                async with aclosing(self.tried.house.turns.answer(question)) as events:
                    async for event in events:
                        _note(talk, event, heard)
        except Exception as error:  # noqa: BLE001 whatever a turn dies of is counted against it
            return f"{type(error).__name__}: {error}"
        return "" if talk.ended else "The turn did not end."


def _note(talk: Talk, event: TurnEvent, heard: Heard) -> None:
    match event:
        case Opened(conversation_id=conversation):
            talk.conversation = conversation
        case PassagesFound(passages=passages):
            talk.given = "\n".join(passage.text for passage in passages if passage.given)
        case Text(text=text):
            if talk.delay is None:
                talk.delay = heard.delay_of(text, time.monotonic())
            talk.pieces.append(Piece(text, datetime.now(UTC), help=True))
        case Quoted(text=text):
            talk.pieces.append(Piece(text, datetime.now(UTC), help=True))
        case Stated(text=text):
            talk.pieces.append(Piece(text, datetime.now(UTC)))
        case Ended(say=say, times=times):
            talk.ended, talk.gate_ms = True, times.gate
            talk.pieces += [Piece(say, datetime.now(UTC))] if say else []
        case _:
            pass
