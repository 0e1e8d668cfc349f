"""The language of an article when nobody says it."""

from __future__ import annotations

import pytest

from knowledge.language import guess_language


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A late box is free. You can ask for it in the app, and the money is back within two days."),
        ("hi", "डब्बा देर से आए तो पैसे वापस मिलते हैं।"),
        ("mr", "डबा उशिरा आला तर पैसे परत मिळतात आणि तुम्ही तक्रार करू शकता. हे नियम आहेत."),
        ("es", "Si la caja llega tarde, puede pedir el dinero con su teléfono. Los pagos se hacen por la aplicación."),
        ("fr", "Si la boîte est en retard, vous pouvez demander votre argent dans l'application avec les détails."),
        ("de", "Wenn die Dose zu spät kommt, ist sie frei, und Sie werden mit der nächsten Rechnung nicht belastet."),
        ("gu", "ડબ્બો મોડો આવે તો પૈસા પાછા મળે છે."),
        ("ta", "பெட்டி தாமதமாக வந்தால் பணம் திரும்ப கிடைக்கும்."),
        ("zh", "如果饭盒迟到，您可以在应用中申请退款。"),
        ("ar", "إذا تأخر الصندوق فهو مجاني."),
        ("en", "Paneer, dal, roti: Rs 140."),
        ("en", ""),
        ("en", "Pour la carte."),
    ],
)
def test_that_a_text_is_told_by_its_script_or_its_small_words(language: str, text: str) -> None:
    assert guess_language(text) == language


def test_that_a_foreign_line_in_an_english_article_does_not_make_it_foreign() -> None:
    assert (
        guess_language("We say «los pagos se hacen por la app» in Spanish. " + "You can pay with the card. " * 4)
        == "en"
    )
