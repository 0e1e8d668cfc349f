"""What one check of the doctor says."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """`fact` is what was found. `next_step` says what to do and is empty when `ok`."""

    name: str
    ok: bool
    fact: str
    next_step: str = ""


def split_sentence(name: str, sentence: str) -> Check:
    """A failed check from an error's finished sentence: its first sentence is the fact, the rest the next step."""
    fact, stop, rest = sentence.partition(". ")
    return Check(name, False, fact + stop.strip(), rest.strip() or "Run ./dabba.")
