"""Zip files: which members are files to import, and the bytes of one of them. Nothing is unpacked onto the disk."""

from __future__ import annotations

import stat
import struct
import zipfile
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from knowledge.errors import ReadRefused
from knowledge.readers.kinds import ARCHIVE_SUFFIX, MIB, suffix_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MOST_MEMBERS: Final = 5_000
LARGEST_WHOLE: Final = 1024 * MIB
LARGEST_FILE: Final = 300 * MIB
_END: Final = struct.Struct("<4s4H2LH")  # of a zip: how many members there are, how many bytes their list has
_LONGEST_END: Final = _END.size + 65_535
_LONGEST_ENTRY: Final = 1_000
_BAD: Final = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside a zip under the name that it has there, or with why it is not read."""

    name: str
    refusal: str = ""


def members_of(path: Path) -> tuple[Member, ...]:
    """The members that are not hidden, by name. Raises ReadRefused when the file is no zip that may be read."""
    if path.stat().st_size > LARGEST_FILE:
        raise ReadRefused(f"It is larger than {LARGEST_FILE // MIB} MiB. Split it.")
    _refuse_long_list(path)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir() and not _is_hidden(info.filename)]
    except _BAD as error:
        raise ReadRefused("It can't be unpacked: it is damaged, or no zip. Make or download it again.") from error
    if sum(info.file_size for info in infos) > LARGEST_WHOLE:
        raise ReadRefused(f"It unpacks to more than {LARGEST_WHOLE // MIB} MiB. Split it.")
    return tuple(sorted(_members(infos), key=lambda member: member.name))


def member_bytes(path: Path, name: str, most: int) -> bytes:
    """The bytes of one member, at most `most` + 1, whatever its size is said to be. Raises ReadRefused, OSError."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open(name) as member:
            return member.read(most + 1)
    except KeyError as error:
        raise ReadRefused("The zip has no such file any more. Choose it again.") from error
    except _BAD as error:
        raise ReadRefused("It can't be unpacked: the zip is damaged. Make or download it again.") from error


def _refuse_long_list(path: Path) -> None:
    """The list of members is read whole into memory, so its length is looked at before."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - _LONGEST_END))
        end = file.read()
    place = end.rfind(b"PK\x05\x06")
    if place < 0 or len(end) - place < _END.size:
        return  # no zip, which is told where it is opened
    members, length = _END.unpack_from(end, place)[4:6]
    if members > MOST_MEMBERS or length > MOST_MEMBERS * _LONGEST_ENTRY:
        raise ReadRefused(f"It has {members:,} of at most {MOST_MEMBERS:,} files. Split it.")


def _members(infos: list[zipfile.ZipInfo]) -> Iterator[Member]:
    for info in infos:
        yield Member(info.filename, _refusal_of(info))


def _refusal_of(info: zipfile.ZipInfo) -> str:
    name = info.filename.replace("\\", "/")
    if name.startswith("/") or ".." in name.split("/") or ":" in name.split("/")[0]:
        return "Its name leads out of the zip. Rename it inside the zip."
    if info.flag_bits & 1:
        return "It is encrypted: a password is needed to unpack it. Make the zip without a password."
    if suffix_of(name) == ARCHIVE_SUFFIX:
        return "It is a zip inside a zip. Unpack it and add what is in it."
    if stat.S_ISLNK(info.external_attr >> 16):
        return "It is only a link to another file. Put the file itself into the zip."
    return ""


def _is_hidden(name: str) -> bool:
    parts = name.replace("\\", "/").split("/")
    return "__MACOSX" in parts or any(part.startswith(".") and part not in (".", "..") for part in parts)
