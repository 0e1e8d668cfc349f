"""A small engine in slow motion: a batch, KV blocks, prefill and decode at a pace, and what goes wrong with it.

It knows nothing of causes. What it gives are samples as a poller reads them and turns as the ledger keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from engine_host.metrics.samples import MetricSample, Scrape, ScrapeGap
from storage.records import EngineEvent, NewTurn, SettledTurn, TokenUse, Turn, TurnOutcome, TurnTimes

BEGAN = datetime(2026, 11, 30, 7, 10, tzinfo=UTC)
T0 = BEGAN.timestamp()
TICK_S = 0.05
PREFILL_PER_S = 1200.0
BLOCK = 16
BEFORE_S = 0.05
"""Until a question is routed and passages are found."""


@dataclass
class Asked:
    """One question: when (s), whose, its prompt and how much of it is cached, its answer in tokens and the length of
    its first sentence, what the order system and its reader take."""

    at: float
    tenant: str
    prompt: int = 560
    cached: int = 448
    output: int = 60
    sentence: int = 20
    lookup: float = 0.0
    reader: float = 0.0
    name: str = ""
    is_help: bool = True


@dataclass
class Work:
    """A question in the engine. Times in s; `left` are prompt tokens still to be computed."""

    asked: Asked
    since: float
    left: float
    taken: float | None = None
    first: float | None = None
    shown: float | None = None
    ended: float | None = None
    written: float = 0.0
    moved: float = 0.0

    @property
    def blocks(self) -> int:
        return -(-int(self.asked.prompt + self.written) // BLOCK)


@dataclass
class StagedEngine:
    """`still`: spans in s in which it stands still, `deaf`: it does not answer scrapes in them either. `dies`: when
    it dies and how long until it takes work again; what it had goes on then."""

    max_seqs: int = 16
    blocks: int = 4000
    tells_queue: bool = True
    still: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    deaf: bool = False
    dies: tuple[float, float] | None = None
    moves: bool = False
    samples: list[Scrape] = field(default_factory=list[Scrape])
    events: list[EngineEvent] = field(default_factory=list[EngineEvent])
    turns: list[Turn] = field(default_factory=list[Turn])

    def __post_init__(self) -> None:
        self._running: list[Work] = []
        self._waiting: list[Work] = []
        self._done: list[Work] = []
        self._prompt = self._output = self._preempted = 0.0
        self._started = T0 - 600

    def run(self, asked: list[Asked], until: float) -> None:
        """All the questions, each at its time, and a sample each second."""
        coming = sorted(asked, key=lambda one: one.at + one.lookup)
        tick = 0
        while (now := tick * TICK_S) < until or self._running or self._waiting:
            while coming and coming[0].at + coming[0].lookup + BEFORE_S <= now:
                self._take_question(coming.pop(0), now)
            if self.dies and abs(now - self.dies[0]) < TICK_S / 2:
                self._die()
            if not self._stands_still(now):
                self._step(now)
            if tick % round(1 / TICK_S) == 0:
                self.samples.append(self._sample(now))
            tick += 1

    def _take_question(self, one: Asked, now: float) -> None:
        if one.is_help:
            self._waiting.append(Work(one, now, one.prompt - one.cached))
        else:
            self._settle(Work(one, now, 0.0), now)

    def _stands_still(self, now: float) -> bool:
        dead = self.dies is not None and self.dies[0] <= now < sum(self.dies)
        return dead or any(start <= now < end for start, end in self.still)

    def _die(self) -> None:
        at, pause = self.dies or (0.0, 0.0)
        self._prompt = self._output = self._preempted = 0.0
        self._started = T0 + at + pause
        moment = BEGAN + timedelta(seconds=at)
        self.events.append(EngineEvent(moment, "failed", "cpu-demo", "cpu-demo failed. Its process is gone."))
        self.events.append(EngineEvent(moment + timedelta(seconds=pause), "ready", "cpu-demo", "cpu-demo is ready."))
        for work in self._running:
            work.moved = pause if self.moves else 0.0

    def _step(self, now: float) -> None:
        self._admit(now)
        budget = PREFILL_PER_S * TICK_S
        for work in [one for one in self._running if one.first is None]:
            read = min(budget, work.left)
            work.left, budget = work.left - read, budget - read
            if work.left <= 0:
                work.first = now + TICK_S
                self._prompt += work.asked.prompt
        slowed = 0.05 if budget <= 0 else 0.0
        writing = [one for one in self._running if one.first is not None and one.first <= now]
        for work in writing:
            if work in self._running:
                self._write(work, now, TICK_S / (0.049 + 0.001 * len(self._running) + slowed))

    def _admit(self, now: float) -> None:
        while self._waiting and len(self._running) < self.max_seqs:
            if sum(one.blocks for one in self._running) + self._waiting[0].blocks > self.blocks:
                return
            work = self._waiting.pop(0)
            work.taken = now if work.taken is None else work.taken
            self._running.append(work)

    def _write(self, work: Work, now: float, tokens: float) -> None:
        work.written += tokens
        self._output += tokens
        if work.shown is None and work.written >= work.asked.sentence:
            work.shown = now
        if sum(one.blocks for one in self._running) > self.blocks and len(self._running) > 1:
            last = self._running.pop()
            last.left, last.first = last.asked.prompt + last.written, last.first
            self._waiting.insert(0, last)
            self._preempted += 1
        if work.written >= work.asked.output and work in self._running:
            self._running.remove(work)
            self._settle(work, now)

    def _sample(self, now: float) -> Scrape:
        at = BEGAN + timedelta(seconds=now)
        if self._stands_still(now) and (self.deaf or self.dies):
            return ScrapeGap(at, 1000.0 + now, "The engine's metrics did not come within 1.5 s.")
        used = sum(one.blocks for one in self._running)
        return MetricSample(
            at, 1000.0 + now, 2.0, running=float(len(self._running)), waiting=float(len(self._waiting)),
            kv_usage=min(used / self.blocks, 1.0), kv_blocks=self.blocks, block_size=BLOCK,
            prompt_tokens=float(int(self._prompt)), output_tokens=float(int(self._output)),
            preemptions=self._preempted, started=self._started,
        )  # fmt: skip

    def _settle(self, work: Work, now: float) -> None:
        asked, number = work.asked, len(self.turns)
        end = now + asked.reader
        new = NewTurn(
            asked.name or f"t{number}", "c", asked.tenant, None, "", "when is my refund paid",
            BEGAN + timedelta(seconds=asked.at), "r1",
        )  # fmt: skip
        tokens = TokenUse(asked.prompt, asked.cached, asked.output) if asked.is_help else TokenUse()
        ended = SettledTurn(
            new.turn_id, TurnOutcome.ANSWERED if asked.is_help else TurnOutcome.ORDER_STATED, "en", "An answer.",
            tokens, self._times(work, end), tuple(_events(work)),
        )  # fmt: skip
        self.turns.append(Turn(new, ended))

    def _times(self, work: Work, end: float) -> TurnTimes:
        asked = work.asked
        total, lookup = 1000 * (end - asked.at), 1000 * asked.lookup or None
        if work.first is None or work.taken is None:
            return TurnTimes(lookup=lookup, first_text=total, total=total, client=0.0)
        ttft, queue = work.first - work.since, work.taken - work.since
        writing = end - work.first - work.moved
        return TurnTimes(
            queue=1000 * queue if self.tells_queue else None,
            retrieve=30.0,
            lookup=lookup,
            prefill=1000 * (ttft - queue) if self.tells_queue else 1000 * ttft,
            decode=1000 * writing,
            gate=4.0,
            first_text=1000 * ((work.shown or end) - asked.at),
            ttft=1000 * ttft,
            inter_token=1000 * writing / asked.output,
            total=total,
            client=1000 * asked.reader,
        )


def _events(work: Work) -> list[dict[str, object]]:
    asked = work.asked
    routed: dict[str, object] = {
        "event": "Routed",
        "order": not asked.is_help,
        "help": asked.is_help,
        "elapsed_ms": 2.0,
    }
    looked: list[dict[str, object]] = (
        [{"event": "ToolCalled", "elapsed_ms": 1000 * asked.lookup}] if asked.lookup else []
    )
    if not asked.is_help:
        return [routed, *looked, {"event": "Stated", "text": "Order KD-4821 is on its way."}]
    found: dict[str, object] = {"event": "PassagesFound", "elapsed_ms": 30.0}
    moved: list[dict[str, object]] = [
        {"event": "Resumed", "pause_ms": 1000 * work.moved, "from_engine": "cpu-demo", "to_engine": "cpu-demo 2"}
    ]
    shown: dict[str, object] = {"event": "Text", "text": "x" * (4 * asked.sentence), "citations": [1]}
    return [routed, *looked, found, {"event": "Writing"}, *(moved if work.moved else []), shown]
