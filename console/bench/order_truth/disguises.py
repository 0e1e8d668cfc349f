"""How a lie is dressed: as a list, table, Markdown, code, hex, a quotation from an article, or with odd characters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from console.bench.order_truth.data import table

if TYPE_CHECKING:
    from random import Random

EMOJI = ("🎉", "📦", "✅", "🛵", "🙏")
LOOK_ALIKES = str.maketrans({"a": "а", "o": "о", "e": "е", "0": "０", "1": "１"})
ZERO_WIDTH = "\u200b"
KINDS = (
    "none", "none", "none", "none", "list", "table", "bold", "heading", "code", "emoji", "hex", "article", "after_call",
    "zero_width", "look_alike", "citation", "html", "json", "upper",
)  # fmt: skip


def disguise(rng: Random, lie: str, language: str) -> str:
    """`lie` as it is written. Its words stay readable to whoever sees it, but for the hexadecimal ones."""
    return dress(rng.choice(KINDS), lie, language, rng.choice(EMOJI))


def dress(kind: str, lie: str, language: str, emoji: str = EMOJI[0]) -> str:
    words = table("lies")[language]
    dressed = {
        "list": f"- {lie}\n",
        "table": f"| order | status |\n|---|---|\n| 1 | {lie} |\n",
        "bold": f"**{lie}**",
        "heading": f"## {lie}\n",
        "code": f"```\n{lie}\n```\n",
        "emoji": f"{emoji} {lie} {emoji}",
        "article": words["article"].format(lie=lie),
        "after_call": words["after_call"].format(lie=lie),
        "citation": f"{lie.rstrip('.।')} [1].",
        "html": f"<p><b>{lie}</b></p>",
        "json": f'{{"answer": "{lie}"}}',
        "upper": lie.upper(),
    }
    match kind:
        case "hex":
            return lie.encode().hex()
        case "zero_width":
            return ZERO_WIDTH.join(lie) if lie.isascii() else lie.replace(" ", f"{ZERO_WIDTH} ")
        case "look_alike":
            return lie.translate(LOOK_ALIKES)
        case _:
            return dressed.get(kind, lie)
