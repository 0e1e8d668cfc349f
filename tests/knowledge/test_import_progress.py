"""How far each file of an import is, before it has its row."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from knowledge.importing import ImportProgress
    from knowledge.library import Library


async def test_that_a_file_is_told_as_read_then_embedded_then_done(library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "articles"
    folder.mkdir()
    (folder / "late.md").write_text("\n\n".join(f"## Part {n}\n\nText of part {n}." for n in range(3)))
    (folder / "scan.png").write_bytes(b"\x89PNG\r\n")
    heard: list[ImportProgress] = []

    await library.add_paths([folder], lambda _row: None, on_progress=heard.append)

    late = [(one.done_chunks, one.total_chunks) for one in heard if one.source_name == "late.md"]
    assert late == [(0, 0), (0, 3), (3, 3)]
    assert [one.total_chunks for one in heard if one.source_name == "scan.png"] == [0]


async def test_that_an_unchanged_file_is_never_in_work(library: Library, tmp_path: Path) -> None:
    file = tmp_path / "late.md"
    file.write_text("A late box is free.")
    await library.add_paths([file], lambda _row: None)
    heard: list[ImportProgress] = []
    await library.add_paths([file], lambda _row: None, on_progress=heard.append)
    assert heard == []
