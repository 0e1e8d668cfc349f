"""Attach to a vLLM by URL and key. It closes only after the engine has answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.fields import set_fault
from console.widgets.label import Label

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.calls import Call
    from console.theme.style import Theme

    Attach = Callable[[str, str, bool], Call]


SCHEMES: Final = ("http://", "https://")


def derive_url_fault(url: str) -> str:
    """A sentence when this can't be the address of an engine, else ""."""
    rest = next((url[len(scheme) :] for scheme in SCHEMES if url.startswith(scheme)), None)
    if not url:
        return "Enter the address, such as http://10.0.0.7:8000."
    if rest is None:
        return "The address must begin with http:// or https://."
    return "" if rest.strip("/") else "The address lacks its host, such as 10.0.0.7:8000."


class AttachDialog(QDialog):
    """`attach(url, key, keep)` begins to ask the engine; closing the dialog meanwhile cancels it."""

    def __init__(
        self, theme: Theme, attach: Attach, url: str = "", *, may_keep: bool = True, parent: QWidget | None = None
    ) -> None:
        """`may_keep` offers the choice to keep address and key; without it the caller keeps them."""
        super().__init__(parent)
        self._attach = attach
        self._call: Call | None = None
        self.setWindowTitle("Attach to an engine")
        self.url = QLineEdit(url)
        self.url.setPlaceholderText("http://10.0.0.7:8000")
        self.url.setAccessibleName("Address")
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.key.setPlaceholderText("empty when it has none, or to use the one that is kept")
        self.key.setAccessibleName("API key")
        self.keep = QCheckBox("Keep address and key on this machine")
        self.ask = Button(theme, "Attach", "primary")
        self.ask.setDefault(True)
        self._cancel = Button(theme, "Cancel")
        self._fault = Label("", "fault", wrap=True)
        self._build()
        self.keep.setVisible(may_keep)
        self.keep.setChecked(not may_keep)
        self.ask.clicked.connect(self._ask)
        self._cancel.clicked.connect(self.reject)
        self.url.textEdited.connect(self._calm)
        self.key.textEdited.connect(self._calm)

    @property
    def fault(self) -> str:
        return self._fault.text()

    def done(self, result: int) -> None:
        call, self._call = self._call, None
        if call is not None:
            call.drop()
        super().done(result)

    @Slot()
    def _ask(self) -> None:
        url = self.url.text().strip()
        if fault := derive_url_fault(url):
            self._refuse(fault)
            return
        self._calm()
        self._wait(asking=True)
        self._call = self._attach(url, self.key.text(), self.keep.isChecked())
        self._call.done.connect(self._attached)
        self._call.failed.connect(self._failed)

    @Slot(object)
    def _attached(self, _value: object) -> None:
        self._call = None
        self.accept()

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._call = None
        self._wait(asking=False)
        self._refuse(str(error))

    @Slot()
    def _calm(self) -> None:
        set_fault(self.url, False)
        self._fault.setText("")

    def _refuse(self, sentence: str) -> None:
        set_fault(self.url, True)
        self._fault.setText(sentence)
        self.url.setFocus()

    def _wait(self, *, asking: bool) -> None:
        self.ask.setEnabled(not asking)
        self.ask.setText("Asking it…" if asking else "Attach")

    def _build(self) -> None:
        self.setFixedWidth(460)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(4)
        words = "Any vLLM server. It is asked for its model before it is used; it is never stopped from here."
        column.addWidget(Label(words, "small", wrap=True))
        column.addSpacing(6)
        column.addWidget(Label("Address", "small-strong"))
        column.addWidget(self.url)
        column.addSpacing(4)
        column.addWidget(Label("API key", "small-strong"))
        column.addWidget(self.key)
        self._fault.setMinimumHeight(30)
        column.addWidget(self._fault)
        column.addWidget(self.keep)
        column.addSpacing(8)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self.ask)
        column.addLayout(foot)
