"""Word files (.docx) by mammoth: what is left when changes are accepted. Comments and hidden text are not read.

Runs in the child process of `apart`. Mammoth reads runs that Word hides, so they are taken out before.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final
from xml.etree import ElementTree as ET

import mammoth  # pyright: ignore[reportMissingTypeStubs]

from knowledge.errors import ReadRefused
from knowledge.readers.hidden_note import hidden_notes
from knowledge.readers.kinds import LOCKED, MIB
from knowledge.readers.legacy_fonts import legacy_font
from knowledge.readers.record import Extract, Note
from knowledge.readers.web_markdown import markdown_of
from knowledge.readers.web_tree import seen_page

if TYPE_CHECKING:
    from collections.abc import Iterator

    Node = ET.Element

_W: Final = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_TEXT_PARTS: Final = re.compile(r"word/(?:document\d*|footnotes|endnotes)\.xml")
_UNREAD_PARTS: Final = re.compile(r"word/(?:media|embeddings|theme|fonts)/|word/comments|customXml/|docProps/")
_GONE: Final = frozenset((f"{_W}del", f"{_W}moveFrom"))
_READ_AS: Final = f"{_W}smartTag"
_WRAPS: Final = frozenset(f"{_W}{name}" for name in ("fldSimple", "bdo", "dir"))
"""Elements around text that mammoth would leave out with their text; it reads what is in a smart tag."""
_UNREAD: Final = re.compile(r"\{[^}]*\}(?:oMath|altChunk|ruby)")
_STYLES: Final = "p[style-name='Title'] => h1:fresh\np[style-name='Subtitle'] => p:fresh"
LARGEST_PART: Final = 30 * MIB
LARGEST_WHOLE: Final = 80 * MIB
_TINY_HALF_POINTS: Final = 4
_DAMAGED: Final = "It is damaged: a part of it is missing or can't be unpacked. Open it in Word and save it again."


@dataclass(slots=True)
class _Cleared:
    """What was taken out of the file's parts. `latin` = letters set in a legacy Devanagari font."""

    hidden: list[str] = field(default_factory=list[str])
    deleted: int = 0
    comments: int = 0
    unread: int = 0
    fonts: set[str] = field(default_factory=set[str])


def extract_word(data: bytes) -> Extract:
    """The text of a Word file as Markdown. Raises ReadRefused."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = _parts(archive)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise ReadRefused(_DAMAGED) from error
    if "word/document.xml" not in parts:
        raise ReadRefused("It is not a Word document: it holds no text part. Save it again as .docx.")
    cleared = _Cleared()
    try:
        hiding = _hiding_styles(parts.get("word/styles.xml", b""))
        for name in [name for name in parts if _TEXT_PARTS.fullmatch(name)]:
            parts[name] = _cleared_part(parts[name], hiding, cleared)
    except ET.ParseError as error:
        raise ReadRefused(_DAMAGED) from error
    _refuse_legacy(cleared)
    page = seen_page(_html(parts))
    cleared.hidden += page.hidden
    return Extract(markdown_of(page.body), notes=tuple(_notes(cleared)))


def _parts(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """The parts that matter for the text, each and all together of bounded size."""
    parts: dict[str, bytes] = {}
    for info in archive.infolist():
        if info.flag_bits & 1:
            raise ReadRefused(LOCKED)
        if _UNREAD_PARTS.match(info.filename) or info.is_dir():
            continue
        with archive.open(info) as part:
            parts[info.filename] = part.read(LARGEST_PART + 1)
        if len(parts[info.filename]) > LARGEST_PART or sum(map(len, parts.values())) > LARGEST_WHOLE:
            raise ReadRefused("It unpacks to more text than an article may have. Split it by topic.")
    return parts


def _hiding_styles(styles: bytes) -> frozenset[str]:
    """The ids of styles whose text Word does not show."""
    if not styles:
        return frozenset()
    root = ET.fromstring(styles)  # noqa: S314 - in a process of its own, with limits
    styles_by_id = {style.get(f"{_W}styleId", ""): style for style in root.iter(f"{_W}style")}
    return frozenset(name for name in styles_by_id if _style_hides(name, styles_by_id))


def _style_hides(name: str, styles_by_id: dict[str, Node]) -> bool:
    """Whether a style, or the nearest of those that it is based on that says so, hides text."""
    seen: set[str] = set()
    while name in styles_by_id and name not in seen:
        seen.add(name)
        switch = styles_by_id[name].find(f"{_W}rPr/{_W}vanish")
        if switch is not None:
            return _is_on(switch)
        base = styles_by_id[name].find(f"{_W}basedOn")
        name = base.get(f"{_W}val", "") if base is not None else ""
    return False


def _cleared_part(part: bytes, hiding: frozenset[str], cleared: _Cleared) -> bytes:
    root = ET.fromstring(part)  # noqa: S314 - as above
    waiting = [(root, False, False)]
    while waiting:
        parent, in_table, in_hidden = waiting.pop()
        for child in list(parent):
            if child.tag in _GONE:
                cleared.deleted += any(part.text for name in ("delText", "t") for part in child.iter(_W + name))
                parent.remove(child)
                continue
            if child.tag == f"{_W}tr" and child.find(f"{_W}trPr/{_W}del") is not None:
                cleared.deleted += 1
                parent.remove(child)
                continue
            if child.tag in _WRAPS:
                child.tag = _READ_AS
            cleared.unread += _UNREAD.fullmatch(child.tag) is not None
            cleared.comments += child.tag == f"{_W}commentReference"
            hidden = in_hidden or (child.tag == f"{_W}p" and _style_of(child, "pPr", "pStyle") in hiding)
            if child.tag == f"{_W}r":
                cleared.fonts.update(_fonts(child))
                if hidden or _hides(child, hiding, in_table):
                    _keep_hidden(child, cleared)
                    parent.remove(child)
                    continue
            waiting.append((child, in_table or child.tag == f"{_W}tc", hidden))
    return ET.tostring(root, encoding="utf-8", xml_declaration=True)


def _keep_hidden(run: Node, cleared: _Cleared) -> None:
    text = "".join(run.itertext()).strip()
    if any(map(str.isalnum, text)):
        cleared.hidden.append(text)


def _hides(run: Node, hiding: frozenset[str], in_table: bool) -> bool:
    look = run.find(f"{_W}rPr")
    if look is None:
        return False
    if _is_on(look.find(f"{_W}vanish")) or _style_of(run, "rPr", "rStyle") in hiding:
        return True
    size = look.find(f"{_W}sz")
    half_points = size.get(f"{_W}val", "") if size is not None else ""
    if half_points.isascii() and half_points.isdigit() and int(half_points[:6]) <= _TINY_HALF_POINTS:
        return True
    color = look.find(f"{_W}color")
    white = color is not None and color.get(f"{_W}val", "").upper() == "FFFFFF"
    return white and not in_table and look.find(f"{_W}shd") is None and look.find(f"{_W}highlight") is None


def _style_of(element: Node, properties: str, name: str) -> str:
    style = element.find(f"{_W}{properties}/{_W}{name}")
    return style.get(f"{_W}val", "") if style is not None else ""


def _is_on(switch: Node | None) -> bool:
    return switch is not None and switch.get(f"{_W}val", "true").lower() not in ("false", "0", "off", "none")


def _fonts(run: Node) -> Iterator[str]:
    fonts = run.find(f"{_W}rPr/{_W}rFonts")
    if fonts is not None and any((text.text or "").strip() for text in run.iter(f"{_W}t")):
        yield from (fonts.get(f"{_W}{script}", "") for script in ("ascii", "hAnsi"))


def _refuse_legacy(cleared: _Cleared) -> None:
    font = next((name for name in map(legacy_font, sorted(cleared.fonts)) if name), "")
    if font:
        raise ReadRefused(
            f"Its text is written in {font}, a font that shows Latin letters as Devanagari: read, it is garbage. "
            "Convert its text to Unicode and save it again."
        )


def _html(parts: dict[str, bytes]) -> str:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    packed.seek(0)
    untyped: Any = mammoth
    return untyped.convert_to_html(packed, style_map=_STYLES, convert_image=untyped.images.img_element(_nothing)).value


def _nothing(_image: object) -> dict[str, str]:
    return {}


def _notes(cleared: _Cleared) -> Iterator[Note]:
    yield from hidden_notes(cleared.hidden)
    if cleared.comments:
        count = "1 comment was" if cleared.comments == 1 else f"{cleared.comments:,} comments were"
        yield Note(f"{count} left out: what reviewers say is not part of the article.")
    if cleared.unread:
        what = "1 formula or inserted document" if cleared.unread == 1 else f"{cleared.unread:,} formulas or documents"
        yield Note(f"Not read: {what}. Look for gaps, and write it as text.", flag=True)
    if cleared.deleted:
        count = "1 deletion" if cleared.deleted == 1 else f"{cleared.deleted:,} deletions"
        yield Note(f"Tracked changes were read as accepted: {count} left out. Check that they are agreed.", flag=True)
