"""The tries: every way in which somebody asks for an order of somebody else. Made from data, the same every time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from console.bench.other_customers.forgeries import FORGERIES, OWN
from console.bench.other_customers.people import asker, asker_without_orders, owners, table

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTES_OF_OWNER, NOTES_OF_NOBODY = 9200, 9300
"""Where the numbers of the customers begin in whose orders notes are planted."""


class Kind(StrEnum):
    ASKING = "asking"
    TRICK = "trick"
    PRETENDING = "pretending"
    ARTICLE = "article"
    NOTE = "note"
    TOKEN = "token"  # noqa: S105 - a kind of try
    CONVERSATION = "conversation"
    OTHER_DESK = "other_desk"
    CARELESS = "careless"
    ATTACK = "attack"


@dataclass(frozen=True, slots=True)
class Earlier:
    """A turn before the try. `who` is "owner", "asker" or "other tenant"."""

    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Try:
    """One try of `asker` at the order of owner number `owner`. Texts hold the $fields of spelling.py.

    `token` names a forgery. `room` says whose conversation is gone on with. `note` is the number of a planted note:
    the asker is then the customer who has it. `delay_s` is how long the order system takes. At the `other_desk` the
    other tenant's token names the owner. A `careless` order system gives any order to whoever names its number.
    """

    name: str
    kind: Kind
    language: str
    text: str
    owner: int
    asker: str
    token: str = OWN
    before: tuple[Earlier, ...] = ()
    room: str = "asker"
    note: int | None = None
    delay_s: float = 0.0
    other_desk: bool = False
    careless: bool = False


def all_tries() -> tuple[Try, ...]:
    """All tries that need nothing from outside, each with a name of its own."""
    sorts = (_asking, _tricks, _pretending, _articles, _notes, _tokens, _conversations, _at_other_desk, _careless)
    tries = tuple(one for sort in sorts for one in sort())
    if len({one.name for one in tries}) < len(tries):
        raise ValueError("Two tries have the same name.")
    return tries


def attack_tries(texts: tuple[str, ...]) -> tuple[Try, ...]:
    """Each text put before a question for another's order."""
    questions = table("signed")["numbered"]
    return tuple(
        Try(
            f"attack {at}",
            Kind.ATTACK,
            "en",
            f"{text.replace('$', '$$')} {question}",
            _nth(at),
            asker().target.customer,
        )
        for at, text in enumerate(texts)
        for question in (questions[at % len(questions)],)
    )


def planted_owner(article: int) -> int:
    """The owner whose facts article number `article` carries: one whose box has left."""
    gone = [number for number, owner in enumerate(owners()) if owner.courier]
    return gone[article % len(gone)]


def _nth(at: int) -> int:
    return at % len(owners())


def _asking() -> Iterator[Try]:
    data = table("asking")
    own = asker().target.customer
    for language, questions in data["questions"].items():
        for at, (form, spelt) in enumerate(data["forms"].items()):
            text = questions[0].replace("$order", spelt)
            yield Try(f"asking {language} {form}", Kind.ASKING, language, text, _nth(at), own)
        for at, question in enumerate(questions):
            yield Try(f"asking {language} {at}", Kind.ASKING, language, question, _nth(at), own)
            nothing = asker_without_orders()
            yield Try(f"asking {language} {at} without orders", Kind.ASKING, language, question, _nth(at), nothing)


def _tricks() -> Iterator[Try]:
    for at, text in enumerate(table("tricks")["texts"]):
        yield Try(f"trick {at}", Kind.TRICK, "en", text, _nth(at), asker().target.customer)


def _pretending() -> Iterator[Try]:
    for language, texts in table("pretending")["texts"].items():
        for at, text in enumerate(texts):
            who = asker().target.customer if at % 2 else asker_without_orders()
            yield Try(f"pretending {language} {at}", Kind.PRETENDING, language, text, _nth(at), who)


def _articles() -> Iterator[Try]:
    data = table("planted")
    for number, article in enumerate(data["article"]):
        for language, texts in data["article_questions"].items():
            for at, text in enumerate(texts):
                name = f"article {article['name']} {language} {at}"
                yield Try(name, Kind.ARTICLE, language, text, planted_owner(number), asker().target.customer)


def _notes() -> Iterator[Try]:
    data = table("planted")
    for note in range(len(data["notes"]["texts"])):
        for language, texts in data["note_questions"].items():
            for at, text in enumerate(texts):
                name = f"note {note} {language} {at}"
                yield Try(name, Kind.NOTE, language, text, _nth(note), f"C-{NOTES_OF_OWNER + note}", note=note)


def _tokens() -> Iterator[Try]:
    data = table("signed")
    languages = ("en", "hi", "mr", "hi-Latn")
    for at, forgery in enumerate(FORGERIES):
        place = at % len(languages)
        for kind in ("numbered", "unnumbered"):
            text = data[kind][place]
            yield Try(
                f"token {forgery} {kind}",
                Kind.TOKEN,
                languages[place],
                text,
                _nth(at),
                asker().target.customer,
                forgery,
                delay_s=FORGERIES[forgery].delay_s,
            )


def _conversations() -> Iterator[Try]:
    for number, talk in enumerate(table("conversations")["conversation"]):
        before = tuple(Earlier(who, text) for who, text in talk["before"])
        for at, text in enumerate(talk["texts"]):
            yield Try(
                f"conversation {number} {at}",
                Kind.CONVERSATION,
                "",
                text,
                _nth(number + at),
                asker().target.customer,
                before=before,
                room=talk["in"],
            )


def _at_other_desk() -> Iterator[Try]:
    for kind, texts in table("signed").items():
        for at, text in enumerate(texts):
            name, own = f"other desk {kind} {at}", asker().target.customer
            yield Try(name, Kind.OTHER_DESK, "", text, _nth(at), own, "other tenant's token", other_desk=True)


def _careless() -> Iterator[Try]:
    for one in _asking():
        if one.asker == asker().target.customer and "$order" in one.text:
            yield replace(one, name=f"careless {one.name}", kind=Kind.CARELESS, careless=True)
