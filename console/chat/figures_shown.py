"""Where a turn's time and tokens went, derived; and what its peers took."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import TYPE_CHECKING, Final

from console.chat.words import UNKNOWN, milliseconds, seconds
from console.widgets.time_bars import TimeBar
from engine_host.answering.events import Ended, Quoted, Resumed, Routed, Stated, Text
from storage.records import TurnOutcome

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from console.chat.tracked import TrackedTurn
    from storage.records import TokenUse, Turn, TurnTimes

PHASES: Final = ("queue", "retrieve", "lookup", "prefill", "decode", "gate")
LABELS: Final = {"lookup": "look-up"}
FEWEST_PEERS: Final = 5
Route = tuple[bool, bool]


@dataclass(frozen=True, slots=True)
class Peers:
    """Medians in ms over `turns` settled turns of the same route; a phase that none of them had is absent. `why` is
    what made the turn slower than them, "" when it is not known."""

    turns: int
    medians: Mapping[str, float]
    why: str = ""


@dataclass(frozen=True, slots=True)
class TimeShown:
    """`rest` is the grey end of the figure. `whole` is the end of the axis in ms; `bars` is empty before the end."""

    figure: str = UNKNOWN
    rest: str = ""
    bars: tuple[TimeBar, ...] = ()
    whole: float = 1.0
    with_peers: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class TokensShown:
    figure: str = UNKNOWN
    cached: int = 0
    computed: int = 0
    output: int = 0
    hit: str = UNKNOWN
    note: str = ""


def route_of(turn: TrackedTurn) -> Route | None:
    routed = turn.last_of(Routed)
    return (routed.order, routed.help) if routed else None


def derive_peers(turns: Sequence[Turn], route: Route, but: str | None) -> Peers | None:
    """Medians of the turns of `route`, without turn `but`; None when fewer than 5 ended well."""
    peers = [
        turn.settled.times
        for turn in turns
        if turn.settled is not None
        and turn.opened.turn_id != but
        and turn.settled.outcome in (TurnOutcome.ANSWERED, TurnOutcome.ORDER_STATED)
        and _kept_route(turn.settled.events) == route
    ]
    if len(peers) < FEWEST_PEERS:
        return None
    medians: dict[str, float] = {}
    for name in (*PHASES, "total"):
        values = [value for times in peers if (value := getattr(times, name)) is not None]
        if values:
            medians[name] = median(values)
    return Peers(len(peers), medians)


def _kept_route(events: Sequence[Mapping[str, object]]) -> Route | None:
    routed = next((event for event in events if event.get("event") == "Routed"), None)
    return (bool(routed["order"]), bool(routed["help"])) if routed else None


def derive_time(turn: TrackedTurn, peers: Peers | None) -> TimeShown:
    ended = turn.last_of(Ended)
    if ended is None or ended.times.total is None:
        return TimeShown()
    times = ended.times
    lengths = {name: getattr(times, name) for name in PHASES}
    whole = max(times.total or 0.0, sum(length or 0.0 for length in lengths.values()), 1.0)
    longest = max((length for length in lengths.values() if length is not None), default=None)
    bars: list[TimeBar] = []
    start = 0.0
    for name, length in lengths.items():
        usual = peers.medians.get(name) if peers else None
        hot = length is not None and length == longest and length > 0
        bars.append(
            TimeBar(
                LABELS.get(name, name),
                start,
                length,
                "hot" if hot else "neutral",
                milliseconds(length),
                f"{usual:,.0f}" if usual is not None else (UNKNOWN if peers else ""),
                start + usual if usual is not None else None,
            )
        )
        start += length or 0.0
    rest = f", peers’ median {seconds(peers.medians['total'])}" if peers and "total" in peers.medians else ""
    return TimeShown(seconds(times.total), rest, tuple(bars), whole, peers is not None, _notes(turn, times, peers))


def _notes(turn: TrackedTurn, times: TurnTimes, peers: Peers | None) -> str:
    moves = (
        f"{move.from_engine} broke off; {move.to_engine} went on after a pause of {seconds(move.pause_ms)}."
        for move in turn.all_of(Resumed)
    )
    return " ".join(filter(None, (_first_words(turn, times), *moves, peers.why if peers else "")))


def _first_words(turn: TrackedTurn, times: TurnTimes) -> str:
    if times.first_text is None:
        return ""
    first = next((event for event in turn.events if isinstance(event, Stated | Text | Quoted)), None)
    what = "Statement" if isinstance(first, Stated) else "First sentence"
    token = f", first token after {seconds(times.ttft)}" if times.ttft is not None else ""
    return f"{what} sent at {seconds(times.first_text)}{token}."


def derive_tokens(turn: TrackedTurn) -> TokensShown:
    ended = turn.last_of(Ended)
    if ended is None:
        return TokensShown()
    use = ended.tokens
    if not use.prompt and not use.output:
        return TokensShown(note="No model was asked in this turn.")
    pace = f", {ended.times.inter_token:.0f} ms between tokens" if ended.times.inter_token is not None else ""
    return TokensShown(
        figure=f"{use.prompt:,} in, {use.output:,} out{pace}",
        cached=use.cached,
        computed=max(use.prompt - use.cached, 0),
        output=use.output,
        hit=_hit(use),
    )


def _hit(use: TokenUse) -> str:
    return f"hit {100 * use.cached / use.prompt:.0f} %" if use.prompt else UNKNOWN


def derive_sums(turns: Sequence[TrackedTurn]) -> str:
    """The line of a conversation: "3 turns, 2,214 tokens"."""
    ends = [ended for turn in turns if (ended := turn.last_of(Ended)) is not None]
    tokens = sum(ended.tokens.prompt + ended.tokens.output for ended in ends)
    if not turns:
        return ""
    return f"{len(turns):,} {'turn' if len(turns) == 1 else 'turns'}, {tokens:,} {'token' if tokens == 1 else 'tokens'}"
