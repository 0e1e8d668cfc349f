"""PDF files as tests need them: pages of drawing instructions, with the fonts and pictures that they name."""

from __future__ import annotations

import io

import pypdf
from pypdf.constants import UserAccessPermissions

HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
KRUTI = "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+KrutiDev010 /Encoding /WinAnsiEncoding >>"
PICTURE = "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"
UNMAPPED = (
    "<< /Type /Font /Subtype /Type0 /BaseFont /Nameless /Encoding /Identity-H /DescendantFonts [ "
    "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Nameless /CIDSystemInfo "
    "<< /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >> ] >>"
)
DRAW_PICTURE = "q 500 0 0 700 20 20 cm /Im1 Do Q"


def pdf(*pages: str, font: str = HELVETICA, to_unicode: str = "", annotations: str = "") -> bytes:
    """A PDF with these pages; `/F1` is the font, `/Im1` a picture, `/Clear` paints nothing.

    `to_unicode` is the text of a CMap for the font.
    """
    kids = " ".join(f"{10 + 2 * number} 0 R" for number in range(len(pages)))
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {len(pages)} /Kids [ {kids} ] >>",
        3: f"{font.removesuffix('>>')}/ToUnicode 5 0 R >>" if to_unicode else font,
        4: _stream("\0", PICTURE),
        5: _stream(to_unicode),
    }
    for number, content in enumerate(pages):
        objects[10 + 2 * number] = (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {11 + 2 * number} 0 R "
            "/Resources << /Font << /F1 3 0 R >> /XObject << /Im1 4 0 R >> /ExtGState << /Clear << /ca 0 >> >> >> "
            f"/Annots [{annotations}] >>"
        )
        objects[11 + 2 * number] = _stream(content)
    return _file(objects)


def text_page(*lines: tuple[float, str], left: float = 60, top: float = 780) -> str:
    """Lines of (size, text) under one another; a line "" leaves a gap."""
    drawn: list[str] = []
    y = top
    for size, line in lines:
        y -= size * 1.2
        if line:
            drawn.append(f"BT /F1 {size} Tf {left} {y:.1f} Td ({line}) Tj ET")
    return "\n".join(drawn)


def devanagari_pdf(text: str) -> bytes:
    """A page whose glyphs are mapped to `text`, one code for each character, as a font with a ToUnicode map does."""
    letters = sorted(set(text))
    code = {letter: f"{number:04x}" for number, letter in enumerate(letters, 1)}
    lines = "".join(f"<{code[letter]}> <{ord(letter):04x}>\n" for letter in letters)
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /x def /CMapType 2 def\n"
        "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
        f"{len(letters)} beginbfchar\n{lines}endbfchar\nendcmap end end"
    )
    rows = [text[start : start + 45] for start in range(0, len(text), 45)]
    drawn = [
        f"BT /F1 10 Tf 40 {800 - 14 * number} Td <{''.join(code[letter] for letter in row)}> Tj ET"
        for number, row in enumerate(rows)
    ]
    return pdf("\n".join(drawn), font=UNMAPPED, to_unicode=cmap)


def locked(data: bytes, user: str = "", owner: str = "owner", allows: int = -1) -> bytes:
    """The PDF encrypted; `allows` are its permission bits."""
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    flags = UserAccessPermissions(allows & 0xFFFFFFFF)
    writer.encrypt(user, owner, permissions_flag=flags, algorithm="RC4-128")
    return _written(writer)


def with_attachment(data: bytes, name: str, content: bytes) -> bytes:
    writer = pypdf.PdfWriter(clone_from=io.BytesIO(data))
    writer.add_attachment(name, content)
    return _written(writer)


def _written(writer: pypdf.PdfWriter) -> bytes:
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()


def _stream(content: str, entries: str = "") -> str:
    return f"<< {entries} /Length {len(content.encode('latin-1'))} >>\nstream\n{content}\nendstream"


def _file(objects: dict[int, str]) -> bytes:
    made = bytearray(b"%PDF-1.4\n")
    places: dict[int, int] = {}
    for number, body in objects.items():
        places[number] = len(made)
        made += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(made)
    made += f"xref\n0 {max(objects) + 1}\n".encode()
    made += b"".join(_place(places.get(number)) for number in range(max(objects) + 1))
    made += f"trailer << /Size {max(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(made)


def _place(place: int | None) -> bytes:
    return b"0000000000 65535 f \n" if place is None else f"{place:010d} 00000 n \n".encode()
