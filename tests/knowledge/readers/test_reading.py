from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

import pytest

from knowledge.article import Audience
from knowledge.errors import ReadRefused
from knowledge.importing import files_below
from knowledge.readers import Apart, FileKind, article_from_bytes, read_article
from knowledge.readers.kinds import largest_bytes
from tests.knowledge.texts import read

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

WHOLE = """---
title: Steel boxes
owner: Leela, kitchen desk
audience: staff
tenants: [meridian, kamala]
language: hi-Latn
valid_from: 2026-01-01
valid_to: 2026-12-31
tags: [steel]
---

# First

Give the box back.
"""


def test_that_the_front_matter_is_read_apart_from_the_body() -> None:
    article = read(WHOLE)
    assert (article.title, article.owner, article.audience) == ("Steel boxes", "Leela, kitchen desk", Audience.STAFF)
    assert article.tenants == ("kamala", "meridian")
    assert article.language == "hi-Latn"
    assert (article.valid_from, article.valid_to) == (date(2026, 1, 1), date(2026, 12, 31))
    assert article.body == "# First\n\nGive the box back."


def test_that_a_file_without_front_matter_takes_its_title_from_the_first_heading_or_its_name() -> None:
    assert read("Intro\n\n# Late boxes #\n\ntext").title == "Late boxes"
    assert read("only text", "help/late-dabba_rules.txt").title == "Late dabba rules"


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ("The box is late.", "en"),
        ("डब्बा देर से आए तो वह मुफ़्त होता है और पैसे नहीं लगते।", "hi"),
        ("डबा उशिरा आला तर तो मोफत आहे आणि पैसे लागत नाही.", "mr"),
        ("UPI और card से payment होता है, यह online है", "hi"),
    ],
)
def test_that_the_language_is_guessed_from_the_letters(body: str, language: str) -> None:
    assert read(body).language == language


def test_that_the_same_bytes_have_the_same_hash_and_others_another() -> None:
    assert read(WHOLE).source_hash == read(WHOLE).source_hash != read(WHOLE + "!").source_hash


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_that_byte_order_marks_and_windows_line_ends_are_understood(encoding: str) -> None:
    data = "Boxes\r\n\r\nare round — always".encode(encoding)
    assert article_from_bytes(data, "a.txt", FileKind.TEXT, Apart()).text.body == "Boxes\n\nare round — always"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "has no text"),
        ("---\ntitle: Empty\n---\n\n***\n", "has no text"),
        ("---\ntitle: Open\n\ntext", "no end"),
        ("---\ntitle: [\n---\ntext", "not YAML in line"),
        ("---\n- a\n---\ntext", "not a list of keys"),
        ("---\naudience: cooks\n---\ntext", "audience is cooks: only customers or staff"),
        ("---\ntenants: []\n---\ntext", "names nobody"),
        ("---\ntenants: {a: b}\n---\ntext", "neither `all`"),
        ("---\ntenants: [null]\n---\ntext", "names nobody"),
        ("---\ntenants: all, kamala\n---\ntext", "all and some of them"),
        ("---\ntenants: kamala\ntenants: all\n---\ntext", "tenants twice"),
        ("---\nbase: &b {tenants: kamala}\n<<: *b\n---\ntext", "with <<"),
        ("---\nlanguage: 5\n---\ntext", "language is 5"),
        ('---\ntitle: "\\UFFFFFFFF"\n---\ntext', "YAML can't make"),
        ("---\ntenants: [[a]]\n---\ntext", "a list in its list"),
        ("+++\ntitle = \n+++\ntext", "not TOML"),
        ("+++\ntitle = 'a'\n\ntext", "no end: its first line is +++"),
        ("---\nvalid_from: soon\n---\ntext", "valid_from is soon"),
        ("---\nvalid_from: 2026-02-30\n---\ntext", "2026-02-30: that is no day"),
        ("---\nvalid_from: 2026-02-02\nvalid_to: 2026-02-01\n---\ntext", "The validity is empty"),
        ("---\nvalid_form: 2026-02-02\n---\ntext", "unknown key: valid_form. Write valid_from"),
        ("---\ntitle: {a: b}\n---\ntext", "title is not one line"),
        (f"---\ntitle: {'x' * 161}\n---\ntext", "title is too long: 161 of 160"),
    ],
)
def test_that_what_is_wrong_is_refused_with_a_sentence(text: str, part: str) -> None:
    with pytest.raises(ReadRefused) as refused:
        read(text)
    assert part in str(refused.value)
    assert str(refused.value).endswith(".")


def _in_aliases(key: str) -> str:
    lists = "".join(f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 9))
    return f"---\na0: &a0 [x]\n{lists}{key}\n---\ntext"


@pytest.mark.parametrize("key", ["valid_from: *a8", "tenants: !!pairs [a: *a8]", "title: *a8"])
def test_that_aliases_in_aliases_are_refused_and_never_written_out(key: str) -> None:
    with pytest.raises(ReadRefused, match=r"not one line|a list in its list"):
        read(_in_aliases(key))


@pytest.mark.parametrize("fence", ["---\ntitle: ", "+++\ntitle = "])
def test_that_a_number_of_many_digits_is_refused(fence: str) -> None:
    with pytest.raises(ReadRefused, match=r"too long|not TOML"):
        read(f"{fence}0x{'f' * 8000}\n{fence[:3]}\ntext")


def test_that_front_matter_says_what_is_written_and_not_what_yaml_makes_of_it() -> None:
    article = read(
        "---\ntitle: 12:30:45\nowner: yes\nlanguage: no\ntenants: [007, on]\nvalid_to: ''\n? [a]\n: b\n---\ntext"
    )
    assert (article.title, article.owner, article.language) == ("12:30:45", "yes", "no")
    assert (article.tenants, article.valid_to) == (("007", "on"), None)


@pytest.mark.parametrize("other", ["!!timestamp x", "!!int x", '!!int ""', "!!float x", "!!bool x", "2026-02-30"])
def test_that_a_value_of_anothers_key_is_not_looked_at(other: str) -> None:
    assert read(f"---\ntitle: Boxes\nother: {other}\n---\ntext").title == "Boxes"


@pytest.mark.parametrize("above", ["\n\n", "\u200b", "\ufeff\n", "  \n"])
def test_that_nothing_above_front_matter_hides_it(above: str) -> None:
    assert read(f"{above}---\ntenants: kamala\n---\ntext").tenants == ("kamala",)


@pytest.mark.parametrize(
    "text",
    [
        "<!-- c -->\n---\ntenants: kamala\n---\ntext",
        "----\ntenants: kamala\n----\ntext",
        "--- yaml\nvalid_to: 2020-01-01\n---\ntext",
        '{\n"audience": "staff"\n}\ntext',
        "title: Boxes\ntenants: kamala\n\ntext",
        "---\ntenants: kamala\n---\n---\ntenants: meridian\n---\ntext",
    ],
)
def test_that_a_restriction_outside_the_front_matter_is_refused_and_not_published_to_all(text: str) -> None:
    with pytest.raises(ReadRefused, match="at its top that is no front matter"):
        read(text)


def test_that_prose_may_speak_of_tenants_and_audiences() -> None:
    assert read("# Rules\n\nThe tenants: all of them. Audience: everybody.").tenants == ()


@pytest.mark.parametrize("tenants", ["all", "All", "[all]", "'*'"])
def test_that_all_tenants_can_be_written_as_a_word_or_in_a_list(tenants: str) -> None:
    assert read(f"---\ntenants: {tenants}\n---\ntext").tenants == ()


def test_that_escapes_put_nothing_unseen_into_the_lines_of_front_matter() -> None:
    article = read('---\ntitle: "a\\ud800\\u202e\\U000e0069b"\nowner: "c\\0d"\ntenants: ["k\\u200bamala"]\n---\ntext')
    assert (article.title, article.owner, article.tenants) == ("ab", "c\ufffdd", ("kamala",))


@pytest.mark.parametrize(
    ("name", "data", "part"),
    [
        ("menu.xlsx", b"PK", "only Markdown, MDX, HTML.*Save its questions and answers as .csv"),
        ("menu.png", b"PNG", "a picture, .*Write its text into a .md file"),
        ("menu", b"text", "a file without a suffix"),
        ("menu.md", b"a\0b", "zero bytes"),
        ("menu.md", b"%PDF-1.7", "a PDF under the name of Markdown. Name it .pdf"),
        ("menu.txt", b"\x89PNG\r\n\x1a\n", "a PNG picture under the name of Plain text"),
        ("menu.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office file under the name of CSV"),
        ("menu.md", b"\x01\x02\x03\x04\x05text", "5 control characters"),
        ("menu.md", b"x" * (largest_bytes(FileKind.MARKDOWN) + 1), "too large"),
    ],
)
def test_that_files_that_are_no_articles_are_refused(tmp_path: Path, name: str, data: bytes, part: str) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ReadRefused, match=part) as refused:
        read_article(tmp_path / name)
    assert str(refused.value).startswith(name)


def test_that_a_reader_which_fails_costs_its_own_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(_data: bytes) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("knowledge.readers.reading.decode", failing)
    (tmp_path / "odd.md").write_text("text")
    with pytest.raises(ReadRefused, match=r"odd\.md was not added\. Its reader failed on it"):
        read_article(tmp_path / "odd.md")
    assert "ZeroDivisionError" in caplog.text


def test_that_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ReadRefused, match=r"gone\.md can't be opened: No such file"):
        read_article(tmp_path / "gone.md")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_that_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shut.md"
    path.write_text("text")
    path.chmod(0)
    with pytest.raises(ReadRefused, match="Permission denied"):
        read_article(path)


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")])
def test_that_a_file_that_may_never_end_is_refused(tmp_path: Path, make: Callable[[Path], None]) -> None:
    make(tmp_path / "endless.md")
    with pytest.raises(ReadRefused, match="not an ordinary file"):
        read_article(tmp_path / "endless.md")


@pytest.mark.parametrize(
    "value",
    [
        "[" * 10_000,
        "[" * 100_000,
        "{a: " * 4_000,
        "? [",
    ],
    ids=lambda value: value[:12],
)
def test_that_front_matter_that_yaml_chokes_on_is_refused(value: str) -> None:
    with pytest.raises(ReadRefused, match="The front matter"):
        read(f"---\ntitle: Boxes\nother: {value}\n---\ntext")


@pytest.mark.parametrize("name", ["new\nline.md", "bell\x07.md", "esc\x1b[31m.md", "half\udcff.md", "dabba\u2028.md"])
def test_that_a_file_name_is_told_in_one_printable_line(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("Boxes have lids.", encoding="utf-8")
    (found,) = files_below([tmp_path])
    told = read_article(found.path, found.source_name)
    with pytest.raises(ReadRefused) as refused:
        read_article(tmp_path / f"not there {name}")
    for text in (found.source_name, told.source_name, told.title, str(refused.value)):
        assert text.encode()
        assert not any(map(text.__contains__, "\n\x07\x1b\u2028"))
