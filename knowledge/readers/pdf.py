"""PDF files by PDFium: their characters page by page, and why some have no text that could be an article.

Runs in the child process of `apart`. What becomes of the characters is decided in `pdf_lines`.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any, Final

import pypdfium2 as pdfium  # pyright: ignore[reportMissingTypeStubs]
import pypdfium2.raw as untyped_raw  # pyright: ignore[reportMissingTypeStubs]

from knowledge.errors import ReadRefused
from knowledge.readers.hidden_note import hidden_notes, shortened
from knowledge.readers.kinds import LOCKED
from knowledge.readers.legacy_fonts import legacy_font
from knowledge.readers.pdf_lines import Glyph, Page, markdown_of_pages
from knowledge.readers.record import Extract, Note

raw: Any = untyped_raw  # made from C headers
DAMAGED: Final = "It is damaged: no page of it can be found. Export or download it again."
MOST_PAGES: Final = 600
MOST_CHARACTERS: Final = 1_000_000
UNMAPPED_SHARE: Final = 0.03
SCAN_LETTERS: Final = 25
_MAY_COPY: Final = 1 << 4
_FILL: Final = 0
_NO_PAINT: Final = (3, 7)  # text rendering modes: neither filled nor stroked, only the edge of a clip
_FONT_EVERY: Final = 25


@dataclass(slots=True)
class _Found:
    pages: list[Page] = field(default_factory=list[Page])
    characters: int = 0
    unmapped: int = 0
    laid_on: int = 0
    lost: list[int] = field(default_factory=list[int])
    hidden: list[str] = field(default_factory=list[str])
    fonts: set[str] = field(default_factory=set[str])


def extract_pdf(data: bytes) -> Extract:
    """The text of a PDF as Markdown. Raises ReadRefused for one that is locked, scanned or has no readable text."""
    document = _opened(data)
    try:
        return _extracted(document)
    finally:
        document.close()


def _opened(data: bytes) -> pdfium.PdfDocument:
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", 0) == raw.FPDF_ERR_PASSWORD:
            raise ReadRefused(LOCKED) from error
        raise ReadRefused(DAMAGED) from error
    if not raw.FPDF_GetDocPermissions(document) & _MAY_COPY:
        raise ReadRefused(
            "Its author forbade copying its text. Ask the author for a file without that restriction, "
            "or, if you are the author, export it again without it."
        )
    if len(document) > MOST_PAGES:
        raise ReadRefused(f"It has {len(document):,} of at most {MOST_PAGES} pages. Split it by topic.")
    return document


def _extracted(document: pdfium.PdfDocument) -> Extract:
    found = _Found()
    for number in range(len(document)):
        try:
            page = document[number]
        except pdfium.PdfiumError:
            found.lost.append(number + 1)
            continue
        _read_page(page, found)
        page.close()
        if found.characters > MOST_CHARACTERS:
            raise ReadRefused(f"It has more than {MOST_CHARACTERS:,} characters. Split it by topic.")
    if not found.pages:
        raise ReadRefused(DAMAGED)
    _refuse_garbage(found)
    _refuse_scan(found)
    body, repeated = markdown_of_pages(found.pages)
    notes = _notes(document, found)
    if repeated:
        notes.append(Note(f"Lines that come back on most pages were left out: {shortened(' / '.join(repeated))}."))
    return Extract(body, notes=tuple(notes))


def _read_page(page: pdfium.PdfPage, found: _Found) -> None:
    text = page.get_textpage()
    count = text.count_chars()
    found.characters += count
    objects: Any = page
    pictures = sum(1 for _ in objects.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE]))
    box = tuple(ctypes.c_double() for _ in range(4))
    all_glyphs = [_glyph(text, index, box) for index in range(count)]
    for index in range(0, count, _FONT_EVERY):
        found.fonts.add(_font(text, index))
    found.unmapped += sum(raw.FPDFText_HasUnicodeMapError(text, index) == 1 for index in range(count))
    paper = page.get_bbox()
    shown = [glyph for glyph in all_glyphs if glyph.made or _is_on_page(glyph, paper)]
    if any(not glyph.made and not glyph.invisible for glyph in shown):  # a scan's own text layer is all invisible
        shown = [glyph for glyph in shown if not glyph.invisible]
    kept = set(map(id, shown))
    hidden = "".join(glyph.text for glyph in all_glyphs if id(glyph) not in kept)
    if any(map(str.isalpha, hidden)):
        found.hidden.append(" ".join(hidden.split()))
    found.laid_on += sum(_is_laid_on(page, index) for index in range(raw.FPDFPage_GetAnnotCount(page)))
    found.pages.append(Page(tuple(shown), pictures, page.get_height()))
    text.close()


def _is_laid_on(page: pdfium.PdfPage, index: int) -> bool:
    """Whether an annotation shows text of its own: a form's field, or words typed on the page."""
    annotation = raw.FPDFPage_GetAnnot(page, index)
    subtype = raw.FPDFAnnot_GetSubtype(annotation)
    raw.FPDFPage_CloseAnnot(annotation)
    return subtype in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_FREETEXT)


def _glyph(text: pdfium.PdfTextPage, index: int, box: tuple[ctypes.c_double, ...]) -> Glyph:
    code = raw.FPDFText_GetUnicode(text, index)
    raw.FPDFText_GetCharBox(text, index, *box)
    left, right, bottom, top = box
    item = raw.FPDFText_GetTextObject(text, index)
    return Glyph(
        text=chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "",
        left=left.value,
        right=right.value,
        bottom=bottom.value,
        top=top.value,
        size=raw.FPDFText_GetFontSize(text, index),
        made=raw.FPDFText_IsGenerated(text, index) == 1,
        invisible=_paints_nothing(text, index, raw.FPDFTextObj_GetTextRenderMode(item) if item else _FILL),
    )


def _paints_nothing(text: pdfium.PdfTextPage, index: int, mode: int) -> bool:
    if mode != _FILL:
        return mode in _NO_PAINT
    color = tuple(ctypes.c_uint() for _ in range(4))
    return bool(raw.FPDFText_GetFillColor(text, index, *color)) and color[3].value == 0


def _font(text: pdfium.PdfTextPage, index: int) -> str:
    name, flags = ctypes.create_string_buffer(200), ctypes.c_int()
    raw.FPDFText_GetFontInfo(text, index, name, len(name), flags)
    return name.value.decode("utf-8", "replace")


def _is_on_page(glyph: Glyph, box: tuple[float, float, float, float]) -> bool:
    left, bottom, right, top = box
    inside = glyph.right >= left and glyph.left <= right and glyph.top >= bottom and glyph.bottom <= top
    return inside and max(glyph.top - glyph.bottom, glyph.right - glyph.left, glyph.size) >= 1


def _refuse_garbage(found: _Found) -> None:
    font = next((name for name in map(legacy_font, sorted(found.fonts)) if name), "")
    if font:
        raise ReadRefused(
            f"Its text is written in {font}, a font that shows Latin letters as Devanagari: read, it is garbage. "
            "Convert its text to Unicode and save it as .docx or .md."
        )
    if found.unmapped > UNMAPPED_SHARE * found.characters:
        raise ReadRefused(
            f"{found.unmapped:,} of its {found.characters:,} characters can't be read: the font does not say which "
            "letters they are. Export it again with its fonts embedded, or save its text as .docx or .md."
        )


def _refuse_scan(found: _Found) -> None:
    letters = sum(page.letters for page in found.pages)
    pictures = sum(page.pictures for page in found.pages)
    pages = "1 page" if len(found.pages) == 1 else f"{len(found.pages):,} pages"
    if pictures and all(page.letters < SCAN_LETTERS for page in found.pages):
        text = f"only {letters} letters" if letters else "no text"
        raise ReadRefused(f"It needs OCR: {pages} of pictures with {text}. Run OCR over it, or type its text.")
    if not letters:
        raise ReadRefused(f"It has no text: {pages} and no letter. Export it again, or save its text as .md.")


def _notes(document: pdfium.PdfDocument, found: _Found) -> list[Note]:
    notes = list(hidden_notes(found.hidden))
    if found.lost:
        notes.append(Note(f"Damaged pages were not read: {_listed(found.lost)}. Export the file again.", flag=True))
    scans = [number for number, page in enumerate(found.pages, 1) if page.pictures and page.letters < 5]
    if scans:
        notes.append(Note(f"Pages that are only pictures were not read: {_listed(scans)}. They need OCR.", flag=True))
    recognised = sum(page.is_recognised for page in found.pages)
    if recognised:
        pages = "1 page" if recognised == 1 else f"{recognised:,} pages"
        notes.append(Note(f"The text of {pages} comes from OCR. Check names and numbers.", flag=True))
    attached = raw.FPDFDoc_GetAttachmentCount(document)
    if attached > 0:
        notes.append(Note(f"Files inside the PDF were not read: {attached}. Add them on their own.", flag=True))
    if found.laid_on:
        notes.append(
            Note(f"Form fields and words typed on pages were not read: {found.laid_on}. Look at them.", flag=True)
        )
    if found.unmapped:
        notes.append(Note(f"{found.unmapped:,} characters could not be read. Compare it with the file.", flag=True))
    return notes


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:8])) + ("…" if len(numbers) > 8 else "")
