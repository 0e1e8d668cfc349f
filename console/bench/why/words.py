"""What is asked while incidents are staged, from assets/bench/why: usual questions, orders, long letters, lists."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from engine_host.orders.demo.book import DemoCustomer

ROOM: Final = files("assets") / "bench" / "why"
SHORTEST_LETTER: Final = 40
LONGEST_LETTER: Final = 56
"""Sentences. So many, and the passages, are some 2,600 tokens."""


@dataclass(frozen=True, slots=True)
class Asked:
    """`customer_id` None: nobody is signed in. `reader_s`: how long the asker takes to read the first sentence."""

    text: str
    tenant_id: str
    customer_id: str | None = None
    reader_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Questions:
    """Drawn with `chance`: the same seed asks the same."""

    chance: Random
    customers: Sequence[DemoCustomer] = ()

    def usual(self, tenant_id: str) -> Asked:
        return Asked(self.chance.choice(_table()["usual"]), tenant_id)

    def order(self, tenant_id: str) -> Asked:
        """By a customer of this tenant; there must be one."""
        customers = [one.customer_id for one in self.customers if one.tenant_id == tenant_id]
        return Asked(self.chance.choice(_table()["orders"]), tenant_id, self.chance.choice(customers))

    def list(self, tenant_id: str) -> Asked:
        """Its answer is one long sentence."""
        return Asked(self.chance.choice(_table()["lists"]), tenant_id)

    def letter(self, tenant_id: str) -> Asked:
        """A question with a story of some 1,500 tokens behind it; no two are alike."""
        letter = _table()["letter"]
        told = (self._sentence(letter) for _ in range(self.chance.randint(SHORTEST_LETTER, LONGEST_LETTER)))
        return Asked(" ".join((self.chance.choice(letter["question"]), letter["about"], *told)), tenant_id)

    def _sentence(self, letter: dict[str, Any]) -> str:
        drawn = {name: self.chance.choice(words) for name, words in letter["words"].items()}
        return str(letter["sentence"]).format(**drawn)


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads((ROOM / "words.toml").read_text(encoding="utf-8"))
