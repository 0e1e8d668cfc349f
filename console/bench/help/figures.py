"""Figures of the help bench: right answers, refusals, sentences withheld, by language. Pure."""

from __future__ import annotations

import re
from collections import Counter
from statistics import median
from typing import TYPE_CHECKING, Final

from console.bench.help.support import is_carried
from console.bench.help.turns import Answered

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from console.bench.help.turns import HelpTurn, WrittenSentence

RIGHT: Final = frozenset({Answered.GENERATED, Answered.QUOTED})
ANSWER_TARGETS: Final[Mapping[str, str]] = {"en_right": ">= 0.9", "refused": ">= 0.9"}
WRITING_TARGETS: Final[Mapping[str, str]] = {"supported_withheld": "<= 0.02"}
REPEATED: Final = "it was said already"


def figures_of(turns: Sequence[HelpTurn]) -> dict[str, float | None]:
    """Shares are 0 to 1. `refused` is of all questions that no article answers, whatever their language."""
    figures: dict[str, float | None] = {}
    for language in sorted({turn.question.language for turn in turns}):
        figures |= _of_language(language, [turn for turn in turns if turn.question.language == language])
    open_ones = [turn for turn in turns if not turn.question.articles]
    return figures | {"refused": _refused(open_ones)} | _writing(turns)


def _of_language(language: str, turns: Sequence[HelpTurn]) -> dict[str, float | None]:
    known = [turn for turn in turns if turn.question.articles]
    counts = Counter(turn.answered for turn in known)
    named = {f"{language}_{way.value}": _share(counts[way], len(known)) for way in Answered}
    return {
        f"{language}_right": _share(sum(counts[way] for way in RIGHT), len(known)),
        **named,
        f"{language}_searched": _share(sum(turn.searched for turn in known), len(known)),
        f"{language}_found": _share(sum(turn.found_right for turn in known), len(known)),
        f"{language}_refused": _refused([turn for turn in turns if not turn.question.articles]),
    }


def _writing(turns: Sequence[HelpTurn]) -> dict[str, float | None]:
    """Of the model's sentences; a repeated one is no sentence of its own."""
    sentences = [(one, turn) for turn in turns for one in turn.written if one.reason != REPEATED]
    supported = [one for one, turn in sentences if is_supported(one, turn)]
    answers = [one for one, turn in sentences if is_the_answer(one, turn)]
    times = [turn.ttft_ms for turn in turns if turn.ttft_ms is not None]
    return {
        "sentences": float(len(sentences)),
        "withheld": _share(sum(bool(one.reason) for one, _ in sentences), len(sentences)),
        "supported": _share(len(supported), len(sentences)),
        "supported_withheld": _share(sum(bool(one.reason) for one in supported), len(supported)),
        "answers": float(len(answers)),
        "answers_withheld": _share(sum(bool(one.reason) for one in answers), len(answers)),
        "ttft_p50_ms": median(times) if times else None,
    }


def is_supported(sentence: WrittenSentence, turn: HelpTurn) -> bool:
    return is_carried(sentence.text, turn.given)


def is_the_answer(sentence: WrittenSentence, turn: HelpTurn) -> bool:
    """Whether it says what the sample set calls the answer."""
    return is_carried(sentence.text, [support.passage for support in turn.question.supports])


def reasons_of(sentences: Iterable[WrittenSentence]) -> Counter[str]:
    """How often each kind of reason withheld a sentence; what a reason names of its sentence is left out."""
    return Counter(_kind(one.reason) for one in sentences if one.reason)


def wrongly_withheld(turns: Iterable[HelpTurn]) -> list[tuple[HelpTurn, WrittenSentence]]:
    """Supported sentences and answers that were withheld."""
    return [
        (turn, one)
        for turn in turns
        for one in turn.written
        if one.reason not in {"", REPEATED} and (is_supported(one, turn) or is_the_answer(one, turn))
    ]


def _kind(reason: str) -> str:
    shortened = re.sub(r"^.* is not in ", "something is not in ", reason)
    return re.sub(r"(does not say|sets:).*", r"\1 …", shortened)


def _refused(turns: Sequence[HelpTurn]) -> float | None:
    return _share(sum(turn.answered is Answered.UNKNOWN for turn in turns), len(turns))


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
