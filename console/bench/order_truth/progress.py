"""Tells on stderr how far the bench is, and every complaint at once, with what is needed to run its case again."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.bench.order_truth.judge import Verdict
    from console.bench.order_truth.runner import Judged


class Progress:
    """One line on stderr for every complaint as it comes, and one in a while for how far it is."""

    def __init__(self, total: int, *, every: int = 200, verbose: bool = False) -> None:
        self._total, self._every, self._verbose = total, every, verbose
        self._done, self._began = 0, time.monotonic()

    def __call__(self, judged: Judged) -> None:
        verdict = judged.verdict
        if verdict.complaints or self._verbose:
            print(told(verdict), file=sys.stderr, flush=True)
        if verdict.place + 1 == len(verdict.case.turns):
            self._done += 1
            if self._done % self._every == 0:
                pace = self._done / (time.monotonic() - self._began)
                print(
                    f"  {self._done} of {self._total} conversations, {pace:.1f} a second", file=sys.stderr, flush=True
                )


def told(verdict: Verdict) -> str:
    """One turn with all that is needed to run it again."""
    case, turn = verdict.case, verdict.turn
    head = (
        f"case {case.number} seed {case.seed} turn {verdict.place} {case.language} {case.state} {turn.fault} {turn.ask}"
    )
    complaints = "; ".join(verdict.complaints) or "fine"
    return f"{head}: {complaints}\n    asked: {turn.text}\n    saw:   {verdict.text!r}"
