"""Order numbers in all odd forms, and the texts of the bench filled in with them. Pure."""

from __future__ import annotations

import base64
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from console.bench.other_customers.people import Target

ZEROS = {"wide": "０", "devanagari": "०", "bengali": "০", "arabic": "٠", "bold": "𝟎"}
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹"
CIRCLED = "⓪①②③④⑤⑥⑦⑧⑨"


def filled(text: str, target: Target, **more: str) -> str:
    """`text` with the $fields of `target`; what is no field stays as it is."""
    return Template(text).safe_substitute(spellings(target.order), customer=target.customer, name=target.name, **more)


def spellings(order_id: str) -> dict[str, str]:
    """The fields of one order number: its letters, its digits, and both in many scripts."""
    letters, _, digits = order_id.partition("-")
    number = int(digits)
    return {
        "order": order_id,
        "KD": letters,
        "kd": letters.lower(),
        "K": letters[0],
        "D": letters[1],
        "n": digits,
        "wide_letters": "".join(chr(ord(letter) + 0xFEE0) for letter in letters),
        **{name: "".join(chr(ord(zero) + int(digit)) for digit in digits) for name, zero in ZEROS.items()},
        "superscript": "".join(SUPERSCRIPT[int(digit)] for digit in digits),
        "circled": "".join(CIRCLED[int(digit)] for digit in digits),
        "keycap": "".join(f"{digit}\ufe0f\u20e3" for digit in digits),
        "struck": "".join(f"{digit}\u0336" for digit in digits),
        "apart": " ".join(digits),
        "pairs": f"{digits[:2]} {digits[2:]}",
        "backwards": digits[::-1],
        "words": " ".join(WORDS[int(digit)] for digit in digits),
        "percent": "".join(f"%3{digit}" for digit in digits),
        "entities": "".join(f"&#{ord(digit)};" for digit in digits),
        "hex": order_id.encode().hex(),
        "base64": base64.b64encode(order_id.encode()).decode(),
        "before": f"{letters}-{number - 1}",
        "after": f"{letters}-{number + 1}",
        "start": digits[:2],
    }
