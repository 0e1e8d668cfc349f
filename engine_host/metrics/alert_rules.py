"""Alerts as data: what is watched, for how long, and the words for it."""

from __future__ import annotations

from string import Formatter
from typing import Final, Literal, Self

from pydantic import Field, model_validator

from engine_host.metrics.alert_figures import FIGURES, Figure, Scope
from storage.settings import Section

PLAIN_WORDS: Final = ("limit", "worst", "for", "name")
"""What a sentence may name of every alert, besides its figures."""

Severity = Literal["error", "warn"]
Page = Literal["", "chat", "articles", "engine", "live", "tenants", "settings"]


class Condition(Section):
    """A figure beyond its limit. It is taken over `window_s`, and needs `least` events to be known.

    An alert that fires goes on until the figure is `margin` on the right side of the limit.
    """

    above: float | None = None
    below: float | None = None
    margin: float = Field(default=0.0, ge=0)
    window_s: float = Field(default=60.0, gt=0, le=3600)
    least: int = Field(default=1, ge=1)

    @property
    def limit(self) -> float:
        return self.above if self.above is not None else self.below or 0.0

    def holds(self, value: float, *, firing: bool) -> bool:
        """Whether `value` is beyond the limit; of an alert that is `firing`: not yet back by the margin."""
        margin = self.margin if firing else 0.0
        if self.above is not None:
            return value > self.above - margin
        return value < self.limit + margin

    def worse(self, one: float, other: float) -> float:
        """The one of two values that is further beyond the limit."""
        return max(one, other) if self.above is not None else min(one, other)

    @model_validator(mode="after")
    def _one_limit(self) -> Self:
        if (self.above is None) == (self.below is None):
            raise ValueError("it must have either above or below")
        return self


class Rule(Section):
    """One alert. Every condition of `when` (figure -> condition) must hold; the first one gives the value it shows.

    It fires after `for_s` and clears after `clears_after_s`. `opens` is the page where something can be done.
    """

    key: str
    title: str = Field(min_length=1)
    severity: Severity
    for_s: float = Field(ge=0, le=86_400)
    clears_after_s: float = Field(ge=0, le=86_400)
    firing: str = Field(min_length=1)
    cleared: str = Field(min_length=1)
    do: str = Field(min_length=1)
    opens: Page = ""
    on: bool = True
    when: dict[str, Condition] = Field(min_length=1)

    @property
    def scope(self) -> Scope:
        return FIGURES[self.first].scope

    @property
    def first(self) -> str:
        """The figure whose value, limit and worst value the alert shows."""
        return next(iter(self.when))

    @property
    def shown(self) -> tuple[Figure, Condition]:
        return FIGURES[self.first], self.when[self.first]

    @model_validator(mode="after")
    def _figures_of_one_kind(self) -> Self:
        for name in self.when:
            if name not in FIGURES:
                raise ValueError(f"there is no figure {name}; there are {', '.join(FIGURES)}")
        if len({FIGURES[name].scope for name in self.when}) > 1:
            raise ValueError("the figures of one alert must be of engines only, of tenants only, or of the house only")
        return self

    @model_validator(mode="after")
    def _words_that_are_known(self) -> Self:
        more = tuple(word for name in self.when for word in FIGURES[name].more)
        known = (*PLAIN_WORDS, *self.when, *more)
        for sentence in (self.title, self.firing, self.cleared):
            for word in _named(sentence):
                if word not in known:
                    raise ValueError(f"{{{word}}} stands for nothing; there are {', '.join(known)}")
        return self


def _named(sentence: str) -> list[str]:
    """Raises ValueError for a brace that is not closed."""
    return [name for _, name, _, _ in Formatter().parse(sentence) if name is not None]
