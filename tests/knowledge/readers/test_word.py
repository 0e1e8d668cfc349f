from __future__ import annotations

import io
import zipfile
from typing import TYPE_CHECKING

import pytest

from knowledge.readers import FileKind
from tests.knowledge.readers.read import body, read, refusal
from tests.knowledge.readers.words import paragraph, run, table, word

if TYPE_CHECKING:
    from knowledge.readers import Apart

WORD = FileKind.WORD
TEXT = "Refunds take two days."
PLAIN = word(paragraph(TEXT))


def test_that_headings_paragraphs_and_tables_are_kept(apart: Apart) -> None:
    made = word(
        paragraph("Late boxes", "Heading1")
        + paragraph(TEXT)
        + paragraph("Prices", "Heading2")
        + table(("Box", "Rs"), ("small", "50"), ("large", "80"))
    )
    article = read(made, WORD, apart)
    assert article.text.body == (
        f"# Late boxes\n\n{TEXT}\n\n## Prices\n\n| Box | Rs |\n| --- | --- |\n| small | 50 |\n| large | 80 |"
    )
    assert (article.text.title, article.notes) == ("Late boxes", ())


@pytest.mark.parametrize(
    "hidden",
    [
        paragraph("SECRET", look="<w:vanish/>"),
        paragraph("SECRET", look='<w:rStyle w:val="Ghost"/>'),
        paragraph("SECRET", "Shade"),
        paragraph("SECRET", look="<w:strike/>"),
        paragraph("SECRET", look='<w:sz w:val="2"/>'),
        paragraph("SECRET", look='<w:color w:val="FFFFFF"/>'),
    ],
)
def test_that_hidden_text_is_left_out_and_flagged(hidden: str, apart: Apart) -> None:
    article = read(word(paragraph(TEXT) + hidden), WORD, apart)
    assert article.text.body == TEXT
    assert article.sentences == ("Hidden text was left out (1 place): “SECRET”. Look at the file.",)


@pytest.mark.parametrize(
    "look", ['<w:vanish w:val="0"/>', '<w:color w:val="FFFFFF"/><w:shd w:fill="000000"/>', '<w:sz w:val="16"/>']
)
def test_that_text_that_is_seen_is_kept(look: str, apart: Apart) -> None:
    assert body(word(paragraph(TEXT, look=look)), WORD, apart) == TEXT


@pytest.mark.parametrize("style", ["Seen", "Round"])
def test_that_a_style_that_shows_what_its_base_hides_is_seen(style: str, apart: Apart) -> None:
    assert body(word(paragraph(TEXT, style)), WORD, apart) == TEXT


@pytest.mark.parametrize("around", ['fldSimple w:instr="DOCPROPERTY days"', 'bdo w:val="rtl"', 'dir w:val="ltr"'])
def test_that_a_word_in_a_field_or_of_a_direction_is_not_lost(around: str, apart: Apart) -> None:
    name = around.split(maxsplit=1)[0]
    made = f"<w:p>{run('Refunds take ')}<w:{around}>{run('two')}</w:{name}>{run(' days.')}</w:p>"
    assert body(word(made), WORD, apart) == TEXT


def test_that_a_row_whose_deletion_is_tracked_is_read_as_deleted(apart: Apart) -> None:
    rows = table(("Box", "Rs"), ("small", "50"), ("large", "80")).replace(
        '<w:tr><w:tc><w:p><w:r><w:t xml:space="preserve">small',
        "<w:tr><w:trPr><w:del/></w:trPr><w:tc><w:p><w:r><w:t>small",
    )
    article = read(word(rows), WORD, apart)
    assert article.text.body == "| Box | Rs |\n| --- | --- |\n| large | 80 |"
    assert "1 deletion left out" in article.sentences[0]


def test_that_a_formula_and_an_inserted_document_are_told_as_gaps(apart: Apart) -> None:
    made = paragraph(TEXT) + '<m:oMath xmlns:m="m"><m:r><m:t>x</m:t></m:r></m:oMath><w:altChunk/>'
    article = read(word(made), WORD, apart)
    assert article.sentences == ("Not read: 2 formulas or documents. Look for gaps, and write it as text.",)


def test_that_tracked_changes_are_read_as_accepted(apart: Apart) -> None:
    changed = (
        f"<w:p>{run('Refunds take ')}<w:del><w:r><w:delText>nine</w:delText></w:r></w:del>"
        f"<w:ins>{run('two')}</w:ins>{run(' days.')}</w:p><w:moveFrom>{paragraph('moved away')}</w:moveFrom>"
    )
    article = read(word(changed), WORD, apart)
    assert article.text.body == TEXT
    assert "Tracked changes were read as accepted: 2 deletions left out." in article.sentences[0]


def test_that_comments_are_left_out_and_told(apart: Apart) -> None:
    commented = f'<w:p>{run(TEXT)}<w:r><w:commentReference w:id="1"/></w:r></w:p>'
    comments = (
        '<w:comments xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        f'<w:comment w:id="1">{paragraph("really?")}</w:comment></w:comments>'
    )
    article = read(word(commented, comments=comments), WORD, apart)
    assert article.text.body == TEXT
    assert "1 comment was left out" in article.sentences[0]


def _bomb() -> bytes:
    entities = '<!DOCTYPE x [<!ENTITY a "lol">' + "".join(
        f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    return word("", document=f"{entities}]><x>&i;</x>")


def _unpacks_to(size: int) -> bytes:
    packed = io.BytesIO(PLAIN)
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/header1.xml", b" " * size)
    return packed.getvalue()


def _without_document() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("readme.txt", "nothing")
    return packed.getvalue()


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"", "It is empty: 0 bytes."),
        (b"Dear kitchen", "It is not a Word file"),
        (PLAIN[:300], "It is damaged"),
        (PLAIN[:-30], "It is damaged"),
        (_without_document(), "It is not a Word document"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le"), "It is encrypted"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "an old Word file under the name of a new one"),
        (word("<w:p>"), "It is damaged"),
        (word(""), "It has no text."),
        (
            word(paragraph("gS vkSj", look='<w:rFonts w:ascii="Kruti Dev 010"/>')),
            "Its text is written in Kruti Dev 010",
        ),
        (_bomb(), "It is damaged"),
        (_unpacks_to(31 * 1024 * 1024), "It unpacks to more text"),
    ],
)
def test_that_a_word_file_without_readable_text_is_refused(data: bytes, part: str, apart: Apart) -> None:
    assert part in refusal(data, WORD, apart)
