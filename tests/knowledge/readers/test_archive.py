from __future__ import annotations

import io
import stat
import zipfile
from typing import TYPE_CHECKING

import pytest

from knowledge.errors import ReadRefused
from knowledge.importing import files_below
from knowledge.readers import Apart, read_file

if TYPE_CHECKING:
    from pathlib import Path

    from knowledge.importing import FoundFile

TEXT = "Refunds take two days."


def packed(path: Path, members: dict[str, bytes | str]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def verdict(found: FoundFile) -> str:
    if found.refusal:
        return found.refusal
    try:
        with Apart() as apart:
            return read_file(found.path, found.source_name, apart=apart, member=found.member).text.body
    except ReadRefused as refused:
        return str(refused)


def test_that_the_members_of_a_zip_are_files_under_their_names(tmp_path: Path) -> None:
    path = packed(
        tmp_path / "help.zip", {"b.md": TEXT, "a/deep.txt": "Late is free.", "__MACOSX/b.md": "x", ".git/c": "x"}
    )
    found = files_below([path])
    assert [(file.source_name, verdict(file)) for file in found] == [("a/deep.txt", "Late is free."), ("b.md", TEXT)]


def test_that_a_zip_in_a_folder_is_read_and_named_below_it(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    packed(tmp_path / "sub" / "help.zip", {"b.md": TEXT})
    assert [file.source_name for file in files_below([tmp_path])] == ["sub/help.zip/b.md"]


def test_that_two_members_of_one_name_are_not_both_taken(tmp_path: Path) -> None:
    path = tmp_path / "help.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.md", TEXT)
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("a.md", "other")
    first, second = files_below([path])
    assert (first.refusal, "has a file of that name already" in second.refusal) == ("", True)


def nested() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("in.md", TEXT)
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("../../etc/passwd.md", TEXT, "leads out of the zip"),
        ("/etc/passwd.md", TEXT, "leads out of the zip"),
        ("..\\up.md", TEXT, "leads out of the zip"),
        ("C:/up.md", TEXT, "leads out of the zip"),
        ("inner.zip", nested(), "a zip inside a zip"),
        ("photo.png", b"\x89PNG", "a picture"),
        ("empty.md", b"", "It has no text."),
        ("bomb.md", b"\n" * 3_000_000, "It is too large: 2,097,153 of 2,097,152 bytes."),
    ],
)
def test_that_a_member_that_is_no_article_is_refused_alone(
    tmp_path: Path, name: str, content: bytes | str, part: str
) -> None:
    path = packed(tmp_path / "help.zip", {name: content, "z.md": TEXT})
    told = {file.source_name: verdict(file) for file in files_below([path])}
    assert told.pop("z.md") == TEXT
    (sentence,) = told.values()
    assert part in sentence
    assert sentence.endswith(".")


def test_that_links_and_locked_members_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "help.zip"
    link = zipfile.ZipInfo("link.md")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(link, "/etc/passwd")
        archive.writestr("locked.md", TEXT)
    data = bytearray(path.read_bytes())
    place = data.rindex(b"PK\x01\x02")
    data[place + 8] |= 1
    path.write_bytes(data)
    linked, locked = files_below([path])
    assert "only a link" in linked.refusal
    assert "It is encrypted" in locked.refusal


def test_that_a_damaged_member_is_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "help.zip", {"a.md": " ".join(map(str, range(1000)))})
    data = bytearray(path.read_bytes())
    data[200:220] = b"\xff" * 20
    path.write_bytes(data)
    (found,) = files_below([path])
    assert "the zip is damaged" in verdict(found)


@pytest.mark.parametrize(
    "data",
    [b"", b"PK", b"Dear kitchen", nested()[:40], nested()[:-4]],
    ids=["empty", "two letters", "text", "head of a zip", "zip without its end"],
)
def test_that_what_is_no_zip_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "help.zip"
    path.write_bytes(data)
    (found,) = files_below([path])
    assert found.refusal.startswith("help.zip was not added. It can't be unpacked")


def test_that_a_zip_of_more_than_may_be_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    (many,) = files_below([packed(tmp_path / "many.zip", {f"{number}.md": "x" for number in range(5_001)})])
    assert "5,001 of at most 5,000 files" in many.refusal
    endless = packed(tmp_path / "endless.zip", {"a.md": TEXT})
    data = bytearray(endless.read_bytes())
    data[-10:-6] = b"\xff\xff\xff\x7f"
    endless.write_bytes(data)
    (endless_found,) = files_below([endless])
    assert "of at most 5,000 files" in endless_found.refusal
    (none,) = files_below([packed(tmp_path / "none.zip", {})])
    assert none.refusal == "none.zip has no files. Choose another zip."
