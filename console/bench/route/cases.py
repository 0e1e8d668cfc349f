"""Labelled questions: our own of tests/data/route, and public sets that lie in a folder beside the project.

Every set has two halves. From the dev half rules may be written and weights fitted; the held-out half only measures.
Beside the held-out half of ours lies what other people wrote when the route was done.
"""

from __future__ import annotations

import csv
import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

Half = Literal["dev", "heldout"]
OWN_DATA = Path(__file__).parents[3] / "tests/data/route"
OWN_SETS = ("en", "hi", "mr", "hinglish")
MOST_OTHERS = 1000
ORDER_LABELS = frozenset({"order", "both"})
# hwu64 does not tell whose order is asked for; these words say that it is the asker's own.
OWN_ORDER = ("my order", "my food", "my takeaway", "my pizza", "my delivery", "my current order", "my dinner order")

_BITEXT_ORDER = frozenset({"track_order", "delivery_period", "track_refund"})
_BITEXT_APART = frozenset({"change_order", "cancel_order"})
_BITEXT = "intents/bitext/bitext_customer_service_8k.csv"
_CLINC = "intents/clinc150/data_full.json"
_HWU = "intents/hwu64/hwu64_annotated_testfolds.csv"
_HINGLISH = "attacks/hinglish_pi/hinglish-clean-500.csv"


@dataclass(frozen=True, slots=True)
class Case:
    """`order` None: it is counted apart, neither right nor wrong. `before` is the question that it follows."""

    group: str
    text: str
    order: bool | None
    before: str = ""


def own_cases(part: Half | Literal["unseen"], folder: Path = OWN_DATA) -> list[Case]:
    """Our own labelled utterances. Empty outside a checkout."""
    return [
        Case(
            f"{name}_unseen" if part == "unseen" else name,
            row["text"],
            row["label"] in ORDER_LABELS,
            row.get("before", ""),
        )
        for name in OWN_SETS
        if (file := folder / f"{name}.{part}.jsonl").is_file()
        for row in map(json.loads, file.read_text(encoding="utf-8").splitlines())
    ]


def kitchen_cases() -> list[Case]:
    """What customers ask of the sample kitchen's articles: none of it is for an order of their own."""
    folder = files("assets").joinpath("sample_kitchen")
    return [
        Case("kitchen", json.loads(line)["question"], order=False)
        for name in OWN_SETS
        for line in folder.joinpath(f"questions.{name}.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def public_cases(half: Half, folder: Path) -> list[Case]:
    """The half of the public sets in `folder`; a set that is not there is left out. Each text comes once."""
    sets = (_bitext(folder), _clinc(folder), _hwu(folder), _hinglish(folder))
    return [
        case for rows in sets for case in _bounded([one for one in dict.fromkeys(rows) if half_of(one.text) == half])
    ]


def _bounded(cases: list[Case]) -> list[Case]:
    """All questions for an order and at most so many others, spread over them."""
    others = [case for case in cases if not case.order]
    kept = set(others[:: max(1, len(others) // MOST_OTHERS)])
    return [case for case in cases if case.order or case in kept]


def half_of(text: str) -> Half:
    """Which half of a public set a text is in: by its hash, so always the same."""
    return "heldout" if hashlib.sha256(text.strip().casefold().encode()).digest()[0] % 2 else "dev"


def _bitext(folder: Path) -> Iterator[Case]:
    for row in _csv_rows(folder / _BITEXT):
        intent = row["intent"]
        order = None if intent in _BITEXT_APART else intent in _BITEXT_ORDER
        yield Case("bitext" if order is not None else "bitext_change", row["utterance"], order)


def _clinc(folder: Path) -> Iterator[Case]:
    if not (file := folder / _CLINC).is_file():
        return
    for rows in json.loads(file.read_text(encoding="utf-8")).values():
        for text, intent in rows:
            yield Case("clinc150", text, intent == "order_status")


def _hwu(folder: Path) -> Iterator[Case]:
    for row in _csv_rows(folder / _HWU):
        text = row["utterance"]
        if row["intent"] != "takeaway_query":
            yield Case("hwu64", text, order=False)
        elif any(words in text.casefold() for words in OWN_ORDER):
            yield Case("hwu64", text, order=True)


def _hinglish(folder: Path) -> Iterator[Case]:
    for row in _csv_rows(folder / _HINGLISH):
        yield Case("hinglish_pi", row["hinglish"], order=False)


def _csv_rows(file: Path) -> list[dict[str, str]]:
    if not file.is_file():
        return []
    with file.open(encoding="utf-8-sig", newline="") as lines:
        return list(csv.DictReader(lines))
