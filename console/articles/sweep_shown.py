"""What a kept sweep says: a point a setting, which one wins and by how much. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from console.articles.words import count_text, moment_text
from console.widgets.pill import PillMark

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import tzinfo

NO_SWEEPS: Final = (
    "No sweep yet. A sweep cuts the articles in several sizes, asks every known question in each, and names the "
    "setting that wins. The index that answers is not touched."
)
WINS, NOW, FRONT = PillMark("Wins", "ok"), PillMark("Now", "info"), PillMark("Front", "neutral")


@dataclass(frozen=True, slots=True)
class PointShown:
    """A setting: `tokens` a prompt, shares 0 to 1. `front`: no other setting is cheaper and finds as much."""

    key: str
    size: int
    overlap: int
    way: str
    passages: int
    tokens: float
    recall: float
    mrr: float
    ndcg: float
    front: bool
    wins: bool
    now: bool

    @property
    def mark(self) -> PillMark | None:
        return WINS if self.wins else NOW if self.now else FRONT if self.front else None

    @property
    def words(self) -> str:
        return (
            f"{self.size} tokens a chunk, overlap {self.overlap}, {self.way}, {count_text(self.passages, 'passage')}: "
            f"recall {self.recall:.3f} for {self.tokens:,.0f} prompt tokens"
        )


@dataclass(frozen=True, slots=True)
class SweepShown:
    run_id: str
    made: str
    made_at: datetime
    embedder: str
    questions: int
    points: tuple[PointShown, ...]
    verdict: str
    notes: tuple[str, ...]

    @property
    def winner(self) -> PointShown:
        return next(point for point in self.points if point.wins)


def derive_sweeps(plots: Sequence[Mapping[str, Any]], now: datetime, zone: tzinfo) -> tuple[SweepShown, ...]:
    return tuple(_sweep(plot, now, zone) for plot in plots)


def _sweep(plot: Mapping[str, Any], now: datetime, zone: tzinfo) -> SweepShown:
    points = tuple(_point(place, point) for place, point in enumerate(plot["points"]))
    made = datetime.fromisoformat(plot["at"])
    failed = [f"{plot['failed']:,} searches could not be run and count as missed."] if plot["failed"] else []
    return SweepShown(
        run_id=plot["run_id"],
        made=moment_text(made, now, zone),
        made_at=made,
        embedder=plot["embedder"],
        questions=plot["questions"],
        points=points,
        verdict=_verdict(plot, points),
        notes=(*(_half(check) for check in plot["halves"]), *plot["skipped"], *failed),
    )


def _point(place: int, point: Mapping[str, Any]) -> PointShown:
    return PointShown(
        str(place), point["chunk_tokens"], point["overlap"], point["way"], point["k"], point["prompt_tokens"],
        point["recall"], point["mrr"], point["ndcg_at_5"], point["on_front"], point["wins"], point["is_current"],
    )  # fmt: skip


def _verdict(plot: Mapping[str, Any], points: Sequence[PointShown]) -> str:
    best = next(point for point in points if point.wins)
    highest = max(point.ndcg for point in points)
    won = (
        f"{best.size} tokens a chunk with overlap {best.overlap}, {best.way}, {count_text(best.passages, 'passage')} "
        f"wins: nDCG@5 {best.ndcg:.3f} for {best.tokens:,.0f} prompt tokens; the highest of all is {highest:.3f}."
    )
    if best.now:
        return f"{won} It is the setting of now."
    tied = "counts as equal to the best" if plot["is_current_tied"] else "is worse than that beyond chance"
    return f"{won} The setting of now {tied}."


def _half(check: Mapping[str, Any]) -> str:
    setting = check["setting"]
    return (
        f"Chosen on the {check['half']} half of the questions only: {setting['chunk_tokens']}/{setting['overlap']}, "
        f"{setting['way']}, {setting['k']}; nDCG@5 {check['here']:.3f} there, {check['there']:.3f} on the other half, "
        f"where the best has {check['best_there']:.3f}."
    )
