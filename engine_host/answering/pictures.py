"""Messages without a letter or a figure, said in words: "📦?" asks for the box, "???" asks on. The words are data."""

from __future__ import annotations

from functools import cache

from engine_host.answering.patterns import table


def in_words(text: str) -> str:
    """`text` itself when it has a letter or a figure; else the words of its pictures, of its question marks otherwise.

    Empty when none of them is known.
    """
    if any(one.isalnum() for one in text):
        return text
    said = _said("pictures", text) or _said("asking", text)
    return " ".join(dict.fromkeys(said))


def _said(kind: str, text: str) -> list[str]:
    words = _words(kind)
    return [words[one] for one in text if one in words]


@cache
def _words(kind: str) -> dict[str, str]:
    return {picture: word for word, pictures in table("pictures")[kind].items() for picture in pictures.split()}
