"""Word files as tests need them: the XML of a body, packed with the parts that belong to it."""

from __future__ import annotations

import io
import zipfile

_NAMES = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.'
    'wordprocessingml.document.main+xml"/></Types>'
)
_LINKS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" '
    'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_STYLES = (
    f"<w:styles {_NAMES}>"
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="Heading{level}"><w:name w:val="heading {level}"/></w:style>'
        for level in (1, 2)
    )
    + '<w:style w:type="character" w:styleId="Ghost"><w:name w:val="Ghost"/><w:rPr><w:vanish/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Shade"><w:basedOn w:val="Ghost"/></w:style>'
    '<w:style w:type="paragraph" w:styleId="Seen"><w:basedOn w:val="Ghost"/>'
    '<w:rPr><w:vanish w:val="0"/></w:rPr></w:style>'
    '<w:style w:type="paragraph" w:styleId="Round"><w:basedOn w:val="Round"/></w:style>'
    "</w:styles>"
)


def word(body: str, **parts: str) -> bytes:
    """A .docx with this XML in its body. `parts` replace or add files below word/, without their suffix."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", _TYPES)
        archive.writestr("_rels/.rels", _LINKS)
        document = f"<w:document {_NAMES}><w:body>{body}</w:body></w:document>"
        for name, part in {"document": document, "styles": _STYLES, **parts}.items():
            archive.writestr(f"word/{name}.xml", part)
    return packed.getvalue()


def paragraph(text: str, style: str = "", look: str = "") -> str:
    """A paragraph of one run; `look` is XML of the run's properties."""
    styled = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{styled}{run(text, look)}</w:p>"


def run(text: str, look: str = "") -> str:
    return f'<w:r>{f"<w:rPr>{look}</w:rPr>" if look else ""}<w:t xml:space="preserve">{text}</w:t></w:r>'


def table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"
