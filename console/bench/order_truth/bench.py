"""The order-truth bench: conversations with a lying engine and a failing order system. Nothing false may show."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.bench.order_truth.engines import LIAR, open_engine
from console.bench.order_truth.figures import MOVES_TARGETS, TARGETS, figures_of
from console.bench.order_truth.generator import generate, generate_moves, make_case
from console.bench.order_truth.history import History
from console.bench.order_truth.kitchen import tried_house
from console.bench.order_truth.order_server import OrderServer
from console.bench.order_truth.progress import Progress
from console.bench.order_truth.runner import Runner
from console.bench.report import BenchResult, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from console.bench.order_truth.cases import Case
    from console.bench.order_truth.runner import Judged
    from storage.paths import Home


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to run: conversations, or `moves` of orders between look-up and sending, or one `case` alone."""

    conversations: int = 300
    seed: int = 1
    engine: str = LIAR
    moves: int = 0
    case: int | None = None

    def cases(self) -> Iterator[Case]:
        if self.moves:
            return iter([one for one in generate_moves(self.seed, self.moves) if self.case in (None, one.number)])
        if self.case is not None:
            return iter([make_case(self.seed, self.case)])
        return generate(self.seed, self.conversations)

    @property
    def count(self) -> int:
        return 1 if self.case is not None else self.moves or self.conversations


async def run_order_truth_bench(wanted: Wanted, home: Home) -> BenchResult:
    """`home` lends its models; its database and articles are not touched.

    Raises EngineRoomError, KnowledgeError or StorageError when the house can't be opened.
    """
    began = time.monotonic()
    judged = await _run(wanted, home)
    figures = figures_of(judged, time.monotonic() - began)
    return judge("order-truth", figures, MOVES_TARGETS if wanted.moves else TARGETS)


async def _run(wanted: Wanted, home: Home) -> list[Judged]:
    history = History()
    show = Progress(wanted.count, verbose=wanted.case is not None)
    async with (
        OrderServer(history) as orders,
        open_engine(wanted.engine, home) as engine,
        tried_house(home.make().models, orders.url, engine.writers) as tried,
    ):
        judged = await Runner(tried, engine, orders, history, show).run(wanted.cases())
        for fault in [*orders.faults, *(engine.liar.faults if engine.liar else ())]:
            raise RuntimeError("A server of the bench failed, so that its figures mean nothing.") from fault
    return judged
