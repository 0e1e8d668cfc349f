"""Attach to a server by URL, key and certificate. It says what the server is once that has answered."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from console.widgets.buttons import Button
from console.widgets.fields import set_fault
from console.widgets.label import Label
from engine_host.engine.finding import Found
from engine_host.http import Tls

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bridge.calls import Call
    from console.theme.style import Theme

    Attach = Callable[["AttachWish"], Call]


SCHEMES: Final = ("http://", "https://")
UNVERIFIED: Final = (
    "Whoever stands between could pretend to be this engine, read what is asked and change what is answered. "
    "Turn it off only in a network of your own."
)


@dataclass(frozen=True, slots=True)
class AttachWish:
    """`key` "" = none, or the one that is kept. `keep`: address, key and certificate are kept on this machine."""

    url: str
    key: str
    tls: Tls
    keep: bool

    @property
    def kept_tls(self) -> Tls | None:
        """None where it says nothing: what is set for other engines then stays."""
        return self.tls if self.url.startswith("https://") else None


def derive_url_fault(url: str) -> str:
    """A sentence when this can't be the address of an engine, else ""."""
    rest = next((url[len(scheme) :] for scheme in SCHEMES if url.startswith(scheme)), None)
    if not url:
        return "Enter the address, such as http://10.0.0.7:8000."
    if rest is None:
        return "The address must begin with http:// or https://."
    return "" if rest.strip("/") else "The address lacks its host, such as 10.0.0.7:8000."


class AttachDialog(QDialog):
    """`attach(wish)` begins to ask the server; closing the dialog meanwhile cancels it. Brings its call a Found, that
    is shown before the dialog is closed."""

    def __init__(
        self, theme: Theme, attach: Attach, url: str = "", *, tls: Tls | None = None, may_keep: bool = True,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        """`may_keep` offers the choice to keep it all; without it the caller keeps it. `tls` is what is set now."""
        super().__init__(parent)
        self._attach = attach
        self._call: Call | None = None
        self._answered = False
        self.setWindowTitle("Attach to an engine")
        self.url = _field("Address", "http://10.0.0.7:8000", url)
        self.key = _field("API key", "empty when it has none, or to use the one that is kept")
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.ca_file = _field("Certificate file", "empty: the certificates of this machine")
        self.verify = QCheckBox("Verify its certificate")
        self.keep = QCheckBox("Keep address and key on this machine")
        self.ask = Button(theme, "Attach", "primary")
        self.ask.setDefault(True)
        self._cancel = Button(theme, "Cancel")
        self._fault = Label("", "fault", wrap=True)
        self._warning = Label(UNVERIFIED, "small", "warn", wrap=True)
        self._found = Label("", "small", wrap=True)
        self._set(tls or Tls(), may_keep=may_keep)
        self._build()
        self._connect()
        self._show_secure()

    @property
    def fault(self) -> str:
        return self._fault.text()

    @property
    def found(self) -> str:
        """What the server said of itself; "" until it has answered."""
        return self._found.text()

    def done(self, result: int) -> None:
        call, self._call = self._call, None
        if call is not None:
            call.drop()
        super().done(result)

    @Slot()
    def _ask(self) -> None:
        if self._answered:
            self.accept()
            return
        url = self.url.text().strip()
        if fault := derive_url_fault(url):
            self._refuse(fault)
            return
        self._calm()
        self._wait(asking=True)
        ca_file = self.ca_file.text().strip()
        tls = Tls(Path(ca_file).expanduser() if ca_file else None, self.verify.isChecked())
        self._call = self._attach(AttachWish(url.rstrip("/"), self.key.text(), tls, self.keep.isChecked()))
        self._call.done.connect(self._attached)
        self._call.failed.connect(self._failed)

    @Slot(object)
    def _attached(self, found: object) -> None:
        self._call = None
        if not isinstance(found, Found):
            self.accept()
            return
        self._answered = True
        self._found.setText("\n".join((f"Attached. {found.sentence}", *found.missing)))
        self._found.show()
        self._fault.hide()
        for widget in (self.url, self.key, self.ca_file, self.verify, self.keep):
            widget.setEnabled(False)
        self._cancel.hide()
        self.ask.setEnabled(True)
        self.ask.setText("Done")

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self._call = None
        self._wait(asking=False)
        self._refuse(str(error))

    @Slot()
    def _calm(self) -> None:
        set_fault(self.url, False)
        self._fault.setText("")
        self._show_secure()

    @Slot()
    def _show_secure(self) -> None:
        """Certificates count for https only."""
        secure = self.url.text().strip().startswith("https://")
        for widget in (self._ca_label, self.ca_file, self.verify):
            widget.setVisible(secure)
        self.ca_file.setEnabled(self.verify.isChecked())
        self._warning.setVisible(secure and not self.verify.isChecked())
        self.adjustSize()

    def _refuse(self, sentence: str) -> None:
        set_fault(self.url, True)
        self._fault.setText(sentence)
        self.url.setFocus()

    def _wait(self, *, asking: bool) -> None:
        self.ask.setEnabled(not asking)
        self.ask.setText("Asking it…" if asking else "Attach")

    def _set(self, tls: Tls, *, may_keep: bool) -> None:
        self.ca_file.setText(str(tls.ca_file) if tls.ca_file else "")
        self.verify.setChecked(tls.verify)
        self.keep.setVisible(may_keep)
        self.keep.setChecked(not may_keep)
        self._found.hide()

    def _connect(self) -> None:
        self.ask.clicked.connect(self._ask)
        self._cancel.clicked.connect(self.reject)
        self.url.textChanged.connect(self._calm)
        self.key.textEdited.connect(self._calm)
        self.ca_file.textEdited.connect(self._calm)
        self.verify.toggled.connect(self._show_secure)

    def _build(self) -> None:
        self.setFixedWidth(460)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 16)
        column.setSpacing(4)
        words = "Any OpenAI-compatible server. It is asked what it is before it is used; it is never stopped from here."
        column.addWidget(Label(words, "small", wrap=True))
        column.addSpacing(6)
        self._ca_label = Label("Certificate file (PEM)", "small-strong")
        for label, field in (
            (Label("Address", "small-strong"), self.url),
            (Label("API key", "small-strong"), self.key),
            (self._ca_label, self.ca_file),
        ):
            column.addWidget(label)
            column.addWidget(field)
            column.addSpacing(4)
        for widget in (self.verify, self._warning, self._fault, self._found, self.keep):
            column.addWidget(widget)
        column.addSpacing(8)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self.ask)
        column.addLayout(foot)


def _field(name: str, placeholder: str, text: str = "") -> QLineEdit:
    field = QLineEdit(text)
    field.setPlaceholderText(placeholder)
    field.setAccessibleName(name)
    return field
