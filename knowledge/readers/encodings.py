"""Bytes into text: by byte order mark, by what the file declares, then by detection, and it is told which. Pure."""

from __future__ import annotations

import codecs
import contextlib
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from knowledge.errors import ReadRefused
from knowledge.readers.record import Note

_MARKS: Final = (  # UTF-32 first: its little-endian mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32 LE"),
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32 BE"),
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16 LE"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16 BE"),
)
# What is still written today. The long tail of old code pages only makes a short text guessable as anything.
_CODE_PAGES: Final = (
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257"),
    *("koi8_r", "cp932", "euc_jp", "gb18030", "big5", "cp949"),
)
_NAMES: Final = {"cp932": "Shift JIS", "euc_jp": "EUC-JP", "cp949": "EUC-KR", "big5": "Big5", "koi8_r": "KOI8-R"}
_STRAY: Final = 50
_PROBE: Final = 64 * 1024
WEAK_COHERENCE: Final = 0.35
_WESTERN: Final = re.compile(r"[\u0020-\u007e\n\t\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*")
_FOREIGN_WORD: Final = re.compile(r"[\u00c0-\u00ff]{5,}")
_LINE_ENDS: Final = re.compile("\r\n|[\r\v\f\x85\u2028\u2029]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")
_SAVE: Final = "Save the file as UTF-8."


@dataclass(frozen=True, slots=True)
class Decoded:
    """`encoding` in words for the admin. The text has `\\n` line ends and composed characters (NFC)."""

    text: str
    encoding: str
    notes: tuple[Note, ...] = ()


def decode(data: bytes, declared: str = "") -> Decoded:
    """The text of the bytes. `declared` is a codec that the file names itself. Raises ReadRefused."""
    text, encoding, notes = _decoded(data, declared)
    controls = len(_CONTROL.findall(text))
    if controls > max(2, len(text) // 200):
        raise ReadRefused(
            f"It is not text: it holds {controls:,} control characters. Save it as plain text or Markdown."
        )
    text = _LINE_ENDS.sub("\n", _CONTROL.sub("", text))
    return Decoded(unicodedata.normalize("NFC", text), encoding, notes)


def _decoded(data: bytes, declared: str) -> tuple[str, str, tuple[Note, ...]]:
    for mark, codec, name in _MARKS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], codec, name), f"{name} with byte order mark", ()
    if b"\0" in data:
        return _without_mark(data)
    try:
        return data.decode("utf-8"), "UTF-8", ()
    except UnicodeDecodeError as error:
        _refuse_broken_utf8(data, error)
    if declared and declared != "utf-8":
        try:
            return data.decode(declared), encoding_name(declared), ()
        except UnicodeDecodeError:
            pass  # it names another encoding than it has, as saved web pages often do
    return _detected(data)


def encoding_name(codec: str) -> str:
    """`cp1251` as people call it: Windows-1251."""
    if re.fullmatch(r"cp125\d", codec):
        return f"Windows-{codec[2:]}"
    return _NAMES.get(codec, codec.upper().replace("_", "-"))


def _strict(data: bytes, codec: str, name: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError as error:
        raise ReadRefused(f"Byte {error.start:,} is not {name}, as its mark says. {_SAVE}") from error


def _without_mark(data: bytes) -> tuple[str, str, tuple[Note, ...]]:
    """UTF-8 with a stray zero byte, or UTF-16 without a mark, which shows in where its zero bytes are."""
    if data.count(0) * _STRAY <= len(data):
        with contextlib.suppress(UnicodeDecodeError):
            return data.decode("utf-8"), "UTF-8", ()
    probe = data[:_PROBE]
    even, odd = probe[0::2].count(0), probe[1::2].count(0)
    codec, name = ("utf-16-be", "UTF-16 BE") if even > odd else ("utf-16-le", "UTF-16 LE")
    if len(data) % 2 == 0 and max(even, odd) >= 8 * min(even, odd):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            text = ""
        if text and _reads_as_text(text[:_PROBE]):
            return text, name, (Note(f"Read as {name}: it has no byte order mark. Check a paragraph of it."),)
    raise ReadRefused("It is not text: it holds zero bytes. Save it as plain text or Markdown.")


def _reads_as_text(text: str) -> bool:
    """Whether nearly all of it is assigned, and it keeps to a few scripts, as text does and random numbers don't."""
    strange = sum(unicodedata.category(c) in ("Cn", "Co", "Cs", "Cc") and c not in "\r\n\t" for c in text)
    rows = {ord(c) >> 8 for c in text if not 0x2E00 <= ord(c) <= 0xD7FF}
    return strange * 50 <= len(text) and len(rows) <= 8 + len(text) // 200


def _refuse_broken_utf8(data: bytes, error: UnicodeDecodeError) -> None:
    """A file that is UTF-8 but for a few bytes: any other encoding would turn all of its letters to garbage."""
    good = len(re.findall(rb"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", data))
    lost = data.decode("utf-8", "replace").count("\ufffd")
    if good >= 4 and lost * 4 <= good:
        raise ReadRefused(f"Byte {error.start:,} is not UTF-8, though the rest is. {_SAVE}") from error


def _detected(data: bytes) -> tuple[str, str, tuple[Note, ...]]:
    codec = _best_code_page(data)
    name = "Latin-1" if codec == "cp1252" and not re.search(rb"[\x80-\x9f]", data) else encoding_name(codec)
    try:
        text = data.decode(codec)
    except (UnicodeDecodeError, LookupError) as error:
        raise ReadRefused(f"Its encoding can't be told: it is neither UTF-8 nor {name}. {_SAVE}") from error
    return text, name, (Note(f"Read as {name}: it is not UTF-8. Check letters with accents and quotation marks."),)


def _best_code_page(data: bytes) -> str:
    """Western Europe's unless the letters make better words in another: single-byte guesses are weak on short texts."""
    from charset_normalizer import from_bytes

    western = _is_western(data)
    matches = from_bytes(data[:_PROBE], cp_isolation=list(_CODE_PAGES), threshold=0.3)
    best = max(matches, key=lambda match: match.coherence, default=None)
    if best is None:
        return "cp1252"
    reads_as_well = max((m.coherence for m in matches if "cp1252" in m.could_be_from_charset), default=0.0)
    if western and (best.coherence < WEAK_COHERENCE or reads_as_well >= best.coherence):
        return "cp1252"
    return best.encoding


def _is_western(data: bytes) -> bool:
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        return False
    text = _LINE_ENDS.sub("\n", text)
    return _WESTERN.fullmatch(text) is not None and _FOREIGN_WORD.search(text) is None
