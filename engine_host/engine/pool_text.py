"""What of an answer is passed on, so that another engine can go on with it. Pure.

A model reads text in tokens, and a word that is cut in two is read as other tokens than it was written in. So the last
word is held back until it is whole: text that was passed on always ends where a token ends, and another engine that
reads it goes on as the first one would have.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

LONGEST_WORD = 80
"""Characters after which a word without a blank is passed on as it comes."""

_LAST_WORD = re.compile(r"\S*\Z")


@dataclass(slots=True)
class WholeWords:
    """Fed with the pieces of an answer and the engine's token count; gives what is certain by now.

    `passed` is all that was given out. `tokens` is how many of the answer's tokens that is, as the engines counted
    them; every piece counts for one where they count nothing.
    """

    passed: str = ""
    tokens: int = 0
    _held: str = ""
    _counted: int = 0
    _marks: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    _before: int = 0
    _blanks: str = ""

    def feed(self, piece: str, counted: int | None) -> str:
        """`counted` is how many tokens this engine has written by now."""
        self._held += self._without_blanks_given(piece)
        self._counted = self._counted + 1 if counted is None else counted
        self._marks.append((len(self.passed) + len(self._held), self._before + self._counted))
        word = _LAST_WORD.search(self._held)
        begins = word.start() if word and len(word.group()) <= LONGEST_WORD else len(self._held)
        return self._pass_on(begins)

    def finish(self) -> str:
        """The last word, when the answer is over."""
        return self._pass_on(len(self._held))

    def move(self) -> str:
        """The engine is gone: its unfinished word is dropped. Returns what the next one is given to go on with."""
        self._held = ""
        self._marks.clear()
        self._before, self._counted = self.tokens, 0
        begun = self.passed.rstrip()
        self._blanks = self.passed[len(begun) :]
        return begun

    def _without_blanks_given(self, piece: str) -> str:
        """Blanks that were passed on, and that the next engine writes again before its first word."""
        while piece and self._blanks.startswith(piece[0]):
            piece, self._blanks = piece[1:], self._blanks[1:]
        if piece:
            self._blanks = ""
        return piece

    def _pass_on(self, length: int) -> str:
        done, self._held = self._held[:length], self._held[length:]
        self.passed += done
        whole = len(self.passed.rstrip())
        while self._marks and self._marks[0][0] <= whole:
            self.tokens = self._marks.pop(0)[1]
        return done
