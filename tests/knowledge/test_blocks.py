from __future__ import annotations

import pytest

from knowledge.blocks import Kind, sections
from knowledge.sentences import sentence_spans


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text, 0, len(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("यह पहला है।दूसरा यह। तीसरा", ["यह पहला है।", "दूसरा यह।", "तीसरा"]),
        ("It costs Rs. 140 today. Fine.", ["It costs Rs. 140 today.", "Fine."]),
        ("Write to a@b.example now. 5.5 km is far.", ["Write to a@b.example now.", "5.5 km is far."]),
        ('He said "Stop!" Then he left.', ['He said "Stop!"', "Then he left."]),
        ("Ask J. Rao, e.g. by phone.", ["Ask J. Rao, e.g. by phone."]),
        ("  ", []),
    ],
)
def test_that_sentences_end_at_stops_and_dandas_only(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


BODY = """Intro.

# Boxes

Big boxes
--------

Text of big boxes.
Second line.

- one
  goes on
- two

| a | b |
|---|---|
| 1 | 2 |

```python
# not a heading

- not a list
```

***

## Empty

# Last
"""


def test_that_a_body_falls_into_sections_with_their_heading_paths() -> None:
    found = sections(BODY)
    assert [section.path for section in found] == [(), ("Boxes", "Big boxes"), ("Boxes",), ()]
    assert [BODY[s.blocks[0].start : s.blocks[0].end] for s in found[2:]] == ["## Empty", "# Last"]


def test_that_lists_tables_and_code_are_blocks_cut_only_at_their_seams() -> None:
    blocks = sections(BODY)[1].blocks
    assert [block.kind for block in blocks] == [Kind.PARAGRAPH, Kind.ITEM, Kind.ROW, Kind.CODE]
    atoms = [[BODY[start:end] for start, end in block.atoms] for block in blocks]
    assert atoms[0] == ["Text of big boxes.", "Second line."]
    assert atoms[1] == ["- one\n  goes on", "- two"]
    assert atoms[2] == ["| a | b |", "|---|---|", "| 1 | 2 |"]
    assert len(atoms[3]) == 1


def test_that_an_unclosed_code_block_reaches_to_the_end() -> None:
    body = "Text.\n\n~~~\n# no heading\n```\n"
    (section,) = sections(body)
    assert section.blocks[1].kind is Kind.CODE
    assert body[section.blocks[1].start :].startswith("~~~")
