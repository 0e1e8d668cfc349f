"""The awkward files that lie beside a checkout where it is worked on; elsewhere there is nothing to read."""

from __future__ import annotations

from pathlib import Path

import pytest

from console.commands.articles_check import checked_files

FOLDER = Path(__file__).parents[4] / "shared" / "data" / "files"
REFUSED = {
    "enc_user_password.pdf": "a password is needed",
    "enc_aes256_r6.pdf": "a password is needed",
    "tika_testUnicodePassword.pdf": "a password is needed",
    "tika_testWORD_protected_passtika.docx": "It is encrypted",
    "enc_owner_copy_protected.pdf": "forbade copying",
    "tika_testPDF_no_extract_no_accessibility_owner_empty.pdf": "forbade copying",
    "zero_byte.pdf": "It is empty",
    "not_really_a_pdf.pdf": "It is damaged",
    "malformed_header.pdf": "It needs OCR",
    "page_without_contents.pdf": "It has no text",
    "scanned_skewed_no_text.pdf": "It needs OCR",
    "scanned_fax_ccitt.pdf": "It needs OCR",
    "scanned_french.pdf": "It needs OCR",
    "non_unicode_cmap.pdf": "characters can't be read",
    "arabic_rotated_rtl.pdf": "characters can't be read",
    "tika_testWORD_truncated.docx": "It is damaged",
    "whitespace_only.txt": "It has no text",
    "csv_very_long_lines.csv": "none is named question or answer",
}
ENCODINGS = {
    "html_utf16_japanese.html": "UTF-16 LE with byte order mark",
    "tika_testHTML_charset_utf16le.html": "UTF-16 LE with byte order mark",
    "tika_big-preamble.html": "Windows-1251",
    "md_latin1_umlauts.md": "Latin-1",
    "tika_testTXT_win-1252.txt": "Windows-1252",
    "tika_multi-language.txt": "Latin-1",
    "udhr_art1_all_languages.txt": "UTF-8",
}
NOTES = {
    "pdf_with_attachment.pdf": "Files inside the PDF were not read: 1.",
    "docx_reviewer_comments.docx": "3 comments were left out",
    "html_heavy_scripts.html": "Hidden text was left out",
    "html_wikipedia_long.html": "Hidden text was left out",
    "tika_boilerplate.html": "The site around the page was left out",
}


@pytest.mark.skipif(not (FOLDER / "zero_byte.pdf").is_file(), reason="the awkward files are not beside this checkout")
def test_that_each_awkward_file_gives_a_text_or_a_named_refusal() -> None:
    files = {file.source_name: file for file in checked_files([FOLDER])}
    assert {name for name, file in files.items() if file.verdict == "refused"} == set(REFUSED)
    assert not [file for file in files.values() if file.verdict == "failed"]
    for name, part in REFUSED.items():
        assert part in files[name].sentence
    assert {name: files[name].encoding for name in ENCODINGS} == ENCODINGS
    for name, part in NOTES.items():
        assert part in " ".join(files[name].notes), name
