"""The banner over the form: what the engine would take, whether it fits, the one change that would help. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from console.widgets.bars import Piece
from engine_host.engine.fit_change import Knob
from engine_host.engine.fit_result import Part, Shortage, Verdict
from engine_host.engine.fit_words import change_words, holders_sentence, uncounted_sentence, verdict_sentence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from console.engine.profiles_state import FitKnown, ProfilesView
    from console.theme.tokens import ColorToken
    from engine_host.engine.fit_change import Change
    from engine_host.engine.fit_result import CachePlan, Fit
    from engine_host.engine.fit_room import FitAnswer
    from engine_host.engine.options import OptionValue

GIB: Final = 2**30
Tone = Literal["ok", "error", "info"]
COLORS: Final[tuple[tuple[str, ColorToken], ...]] = (("weights", "text-2"), ("KV", "accent"), ("working set", "seg-a"))


@dataclass(frozen=True, slots=True)
class FitShown:
    """`pieces` are bytes of the bar, `whole` its length. `values` is what the button sets: options, or `model`."""

    tone: Tone
    headline: str
    pieces: tuple[Piece, ...] = ()
    whole: float | None = None
    legend: tuple[tuple[str, ColorToken | None], ...] = ()
    detail: str = ""
    notes: tuple[str, ...] = ()
    button: str = ""
    values: Mapping[str, OptionValue] | None = None


def derive_fit(view: ProfilesView, run: str | None) -> FitShown:
    """`run` is the running engine's, None when none runs: what it reported stands beside the estimate."""
    if view.faults:
        return FitShown("error", "Whether it fits is worked out when the values below are right.")
    known = view.fit
    if known is None or known.draft != view.draft:
        return FitShown("info", "Working out whether it fits…")
    answer = known.answer
    notes = _notes(known, run)
    if answer.fit.verdict is Verdict.UNKNOWN or answer.fit.device is None:
        return FitShown("info", verdict_sentence(answer.question, answer.fit, answer.change), notes=notes)
    sizes = _sizes(answer.fit)
    free = answer.fit.device.free
    change = answer.change
    values = _values(change, on_gpu=answer.question.on_gpu) if change else None
    return FitShown(
        tone="ok" if answer.fit.verdict is Verdict.FITS else "error",
        headline=_headline(answer, sizes, free),
        pieces=tuple(Piece(sizes[name], color) for name, color in COLORS),
        whole=float(max(free, sum(sizes.values()))),
        legend=_legend(sizes, free),
        detail=_blocks(answer.fit.cache),
        notes=notes,
        button=_button(answer, change) if values else "",
        values=values,
    )


def _sizes(fit: Fit) -> dict[str, int]:
    sizes = {name: 0 for name, _ in COLORS}
    for term in fit.terms:
        name = {Part.WEIGHTS: "weights", Part.CACHE: "KV"}.get(term.part, "working set")
        sizes[name] += term.size
    return sizes


def _headline(answer: FitAnswer, sizes: Mapping[str, int], free: int) -> str:
    parts = f"Weights {_gib(sizes['weights'])} + KV {_gib(sizes['KV'])} + working set {_gib(sizes['working set'])} GiB"
    if answer.fit.verdict is Verdict.FITS and answer.fit.cache is not None:
        return f"{parts} of {_gib(free)} GiB free: fits; {_tokens(answer)}"
    return verdict_sentence(answer.question, answer.fit, answer.change)


def _tokens(answer: FitAnswer) -> str:
    cache, talk = answer.fit.cache, answer.question.conversation
    if cache is None:
        return ""
    noun = "conversation" if cache.usual == 1 else "conversations"
    return f"{cache.tokens:,} tokens of KV = {cache.usual:,} {noun} of {talk.usual:,}"


def _legend(sizes: Mapping[str, int], free: int) -> tuple[tuple[str, ColorToken | None], ...]:
    told: list[tuple[str, ColorToken | None]] = [(f"{name} {_gib(sizes[name])}", color) for name, color in COLORS]
    left = free - sum(sizes.values())
    return (*told, (f"left free {_gib(left)}" if left >= 0 else f"missing {_gib(-left)}", None))


def _blocks(cache: CachePlan | None) -> str:
    if cache is None:
        return ""
    return f"{cache.blocks:,} blocks of {cache.shape.rules.block_size}, {cache.shape.bytes_per_token:,} bytes a token"


def _notes(known: FitKnown, run: str | None) -> tuple[str, ...]:
    answer = known.answer
    told = [uncounted_sentence(answer.question)]
    if answer.fit.shortage in (Shortage.MEMORY, Shortage.SHARE) and answer.fit.device is not None:
        told.append(holders_sentence(answer.fit.device))
    check = next((one for one in reversed(known.checks) if one.run == run), None)
    told += [check.sentence()] if check else []
    return tuple(one for one in told if one)


def _button(answer: FitAnswer, change: Change | None) -> str:
    words = change_words(answer.question, change) if change else ""
    return f"{words[:1].upper()}{words[1:]}"


def _values(change: Change, *, on_gpu: bool) -> dict[str, OptionValue] | None:
    """None for what is no option: another program is not ended from here."""
    match change.knob:
        case Knob.HOLDER:
            return None
        case Knob.KV_SPACE:
            return {"gpu_kv_space_gib" if on_gpu else "kv_space_gib": float(change.value)}
        case _:
            return {change.knob.value: change.value}


def _gib(size: float) -> str:
    return f"{size / GIB:.2f}"
