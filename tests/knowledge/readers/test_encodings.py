from __future__ import annotations

import random

import pytest

from knowledge.errors import ReadRefused
from knowledge.readers import FileKind
from knowledge.readers.encodings import decode
from tests.knowledge.readers.read import notes, refusal

HINDI = "डब्बा देर से आए तो वह मुफ़्त होता है।\nपैसे नहीं लगते।"
ENGLISH = "A late dabba is free.\nCall the desk."
TYPOGRAPHIC = "It’s “free” – for €5"


@pytest.mark.parametrize(
    ("text", "codec", "mark", "told"),
    [
        (HINDI, "utf-8", b"", "UTF-8"),
        (HINDI, "utf-8", b"\xef\xbb\xbf", "UTF-8 with byte order mark"),
        (HINDI, "utf-16-le", b"\xff\xfe", "UTF-16 LE with byte order mark"),
        (HINDI, "utf-16-be", b"\xfe\xff", "UTF-16 BE with byte order mark"),
        (HINDI, "utf-32-le", b"\xff\xfe\0\0", "UTF-32 LE with byte order mark"),
        (HINDI, "utf-16-le", b"", "UTF-16 LE"),
        (HINDI, "utf-16-be", b"", "UTF-16 BE"),
        (ENGLISH, "utf-16-le", b"", "UTF-16 LE"),
        (ENGLISH, "utf-16-be", b"", "UTF-16 BE"),
        (TYPOGRAPHIC, "cp1252", b"", "Windows-1252"),
        ("Café déjà vu, naïve façade", "latin-1", b"", "Latin-1"),
        ("äöüß", "latin-1", b"", "Latin-1"),
        ("It costs £5 and ½ of it.", "latin-1", b"", "Latin-1"),
        ("Возврат денег занимает два дня после отмены заказа.", "cp1251", b"", "Windows-1251"),
        ("Возврат денег занимает два дня после отмены заказа.", "koi8-r", b"", "KOI8-R"),
        ("返金は二日かかります。お弁当が遅れた場合は無料です。", "shift_jis", b"", "Shift JIS"),
        ("Zwrot pieniędzy trwa dwa dni. Żółć, gęślą jaźń.", "cp1250", b"", "Windows-1250"),
    ],
)
def test_that_each_encoding_is_read_right_and_named(text: str, codec: str, mark: bytes, told: str) -> None:
    decoded = decode(mark + text.encode(codec))
    assert (decoded.text, decoded.encoding) == (text, told)


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n", "\x85", "\u2028", "\x0b", "\x0c"])
def test_that_every_line_end_becomes_one(ends: str) -> None:
    assert decode(f"one{ends}two{ends}three".encode()).text == "one\ntwo\nthree"


def test_that_the_admin_hears_of_an_encoding_that_was_guessed() -> None:
    assert "Read as Windows-1252: it is not UTF-8." in notes(TYPOGRAPHIC.encode("cp1252"), FileKind.TEXT)
    assert "Read as UTF-16 LE: it has no byte order mark." in notes(HINDI.encode("utf-16-le"), FileKind.TEXT)
    assert notes(HINDI, FileKind.TEXT) == ""


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"\xff\xfe\x00\xd8", "Byte 0 is not UTF-16 LE, as its mark says"),
        (b"\xef\xbb\xbfcaf\xe9", "Byte 3 is not UTF-8, as its mark says"),
        (HINDI.encode() + b"\xff" + HINDI.encode(), "is not UTF-8, though the rest is"),
        (b"a\0b\0\0\0\0", "it holds zero bytes"),
        (b"text\0", "it holds zero bytes"),
        (bytes(range(1, 32)) * 20, "control characters"),
        (random.Random(4).randbytes(3000), "It is not text"),
    ],
)
def test_that_bytes_that_are_no_text_are_refused(data: bytes, part: str) -> None:
    assert part in refusal(data, FileKind.MARKDOWN)


@pytest.mark.parametrize(
    "text", ["# Boxes\n\nThe box\0 is free within five days of the order.\n", "Der Käufer\0" + "ä" * 60]
)
def test_that_a_stray_zero_byte_does_not_make_other_letters_of_a_text(text: str) -> None:
    assert decode(text.encode()).text == text.replace("\0", "")


def test_that_composed_and_combining_letters_are_one_text() -> None:
    assert decode("cafe\u0301".encode()).text == "café"


def test_that_one_declared_encoding_is_believed_only_when_it_fits() -> None:
    russian = "Возврат денег".encode("cp1251")
    assert decode(russian, "cp1251").encoding == "Windows-1251"
    assert decode("Денег нет.".encode(), "cp1251").encoding == "UTF-8"
    with pytest.raises(ReadRefused):
        decode(b"\0\1\2\3" * 9, "cp1252")
