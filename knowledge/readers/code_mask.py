"""Code of a Markdown text set aside while the rest is cleaned, and put back as it was. Pure."""

from __future__ import annotations

import re
from typing import Final

# Two noncharacters of Unicode: no text may hold them, so they can stand for a piece of code.
_OPEN, _SHUT = "\ufdd0", "\ufdd1"
_MARK: Final = re.compile(f"{_OPEN}(\\d+){_SHUT}")
_FENCE: Final = re.compile(r" {0,3}(?:> ?)?(`{3,}|~{3,})")
_TICKS: Final = re.compile(r"`+")


class CodeMask:
    """`text` has marks for its fenced blocks and code spans; `restored` puts those that are left back in."""

    def __init__(self, text: str) -> None:
        self._code: list[str] = []
        plain = text.replace(_OPEN, "").replace(_SHUT, "")
        self.text = self._without_spans(self._without_fences(plain))

    def restored(self, text: str) -> str:
        while _MARK.search(text):  # a span may lie in a line that was set aside with its fence
            text = _MARK.sub(lambda match: self._code[int(match[1])], text)
        return text

    def _kept(self, code: str) -> str:
        self._code.append(code)
        return f"{_OPEN}{len(self._code) - 1}{_SHUT}"

    def _without_fences(self, text: str) -> str:
        done: list[str] = []
        inside: list[str] = []
        fence = ""
        for line in text.split("\n"):
            opened = _FENCE.match(line)
            if not fence:
                fence = opened[1] if opened else ""
                (inside if fence else done).append(line)
                continue
            inside.append(line)
            if opened and opened[1].startswith(fence) and not line[opened.end() :].strip():
                done.append(self._kept("\n".join(inside)))
                inside, fence = [], ""
        if inside:
            done.append(self._kept("\n".join(inside)))
        return "\n".join(done)

    def _without_spans(self, text: str) -> str:
        """Spans between runs of as many backticks, in one paragraph."""
        return "\n\n".join(self._paragraph(paragraph) for paragraph in text.split("\n\n"))

    def _paragraph(self, text: str) -> str:
        runs = list(_TICKS.finditer(text))
        by_length: dict[int, list[int]] = {}
        for number in range(len(runs) - 1, -1, -1):
            by_length.setdefault(len(runs[number][0]), []).append(number)
        parts: list[str] = []
        position = number = 0
        while number < len(runs):
            opened = runs[number]
            same = by_length[len(opened[0])]
            while same and same[-1] <= number:
                same.pop()
            if same:
                shut = runs[same[-1]]
                parts += [text[position : opened.start()], self._kept(text[opened.start() : shut.end()])]
                position, number = shut.end(), same[-1]
            number += 1
        return "".join([*parts, text[position:]])
