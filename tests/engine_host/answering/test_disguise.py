"""What text may hide behind, and what is no disguise."""

from __future__ import annotations

import pytest

from engine_host.answering.disguise import disguise

MAIL = "Write to complaints@kamaladabba.example."


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Your\u200b box has left.", "invisible"),
        ("\u202eleft\u202c", "invisible"),
        ("Boxes\u2066 have lids.", "invisible"),
        ("Boxes\U000e0041 have lids.", "invisible"),
        ("Bоxes have lids.", "another script"),
        ("Boxes h̶a̶v̶e̶ lids.", "another script"),
        ("🇧🇴🇽", "another script"),
        ("ƃox ɹnoʎ", "another script"),
        ("WW91ciBib3ggaGFzIGxlZnQ=", "a machine"),
        ("6c 65 66 74 20 61 74", "a machine"),
        ("0x6c656674", "a machine"),
        ("01101100 01100101", "a machine"),
        ("a1b2c3d4e5f6a7b8c9d0", "a machine"),
    ],
)
def test_that_a_disguise_is_seen(sentence: str, reason: str) -> None:
    assert reason in disguise(sentence, ("Boxes have lids.",))


@pytest.mark.parametrize(
    "sentence",
    [
        "Boxes have lids.",
        "Rs\u00a0140 a box, café style 🙂",
        "अन्नपूर्णा रसोई, नाशिक",
        "ॲलर्जीच्या डब्याला लाल टॅग",
        "क्\u200dया र्\u200dया",
        "Call 020 5550 0142 or 0253 555 0117.",
        "It is open on 10 11 12 and 13 November.",
        MAIL,
        "The FSSAI licence number is 11526999000142.",
        "Responsibilities and misunderstandings",
        "❤️ Enjoy your meal! 👩‍🍳",
    ],
)
def test_that_plain_text_is_no_disguise(sentence: str) -> None:
    assert disguise(sentence, ()) == ""


def test_that_what_an_article_holds_is_no_disguise() -> None:
    code = "a1b2c3d4e5f6a7b8c9d0"
    assert disguise(f"Type {code}.", (f"The code is {code}.",)) == ""
    assert disguise("ગુજરાતી", ("We also speak ગુજરાતી.",)) == ""
