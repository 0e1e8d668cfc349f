"""Where a person asks: as whom, in which language, what; and Stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPlainTextEdit, QWidget

from console.chat.acting_shown import LANGUAGE_CHOICES, derive_customers, derive_tenants, derive_token
from console.chat.blocks import KeyHint
from console.theme.fonts import ui_font
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Card
from console.widgets.fields import ComboBox
from console.widgets.label import Label

if TYPE_CHECKING:
    from datetime import datetime

    from PySide6.QtGui import QKeyEvent, QResizeEvent

    from console.chat.acting_shown import Acting
    from console.theme.style import Theme

HINT = "Type what a customer would type. Enter sends, Shift+Enter makes a new line."
NARROW = 700
LEAST_LINES, MOST_LINES, LINE_PX = 2, 8, 21


class QuestionBox(QPlainTextEdit):
    """Enter asks, Shift+Enter makes a new line. It grows with its text up to 8 lines."""

    sent = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bare", True)
        self.setFont(ui_font(14))
        self.setPlaceholderText(HINT)
        self.setAccessibleName("Question")
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(0)
        self.textChanged.connect(self._fit)
        self._fit()

    def keyPressEvent(self, e: QKeyEvent) -> None:
        if e.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not e.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            if not e.isAutoRepeat():
                self.sent.emit()
            return
        super().keyPressEvent(e)

    @Slot()
    def _fit(self) -> None:
        lines = max(LEAST_LINES, min(MOST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * LINE_PX + 4)


class Composer(Card):
    """`identity_chosen(tenant, customer)`, `language_chosen(tag)`, `sent(text)`, `stopped()`, `edited(text)`."""

    identity_chosen = Signal(str, str)
    language_chosen = Signal(str)
    sent = Signal(str)
    stopped = Signal()
    edited = Signal(str)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(padding=0, look="control", parent=parent)
        self._theme = theme
        self._can_ask = False
        self._running = False
        self._token_text = ""
        self.body.setContentsMargins(12, 8, 8, 8)
        self.body.setSpacing(8)
        self._tenant = ComboBox(theme, name="Tenant", small=True)
        self._customer = ComboBox(theme, name="Customer", small=True)
        self._customer_id = QLineEdit()
        self._language = ComboBox(theme, LANGUAGE_CHOICES, name="Language", small=True)
        self._act_as = Label("Act as", "small", "text-3")
        self._act_as.setContentsMargins(0, 0, 6, 0)
        self._token = Label("", "caption")
        self.box = QuestionBox()
        self.stop_button = Button(theme, "Stop", "danger", "stop")
        self.send_button = Button(theme, "Send", "primary", "send")
        self._escape = KeyHint(theme, "Esc")
        self._build_identity()
        self.body.addWidget(self.box)
        self._build_actions()
        self.box.sent.connect(self._send)
        self.box.textChanged.connect(self._edited)
        self.show_running(running=False)

    def show_acting(self, acting: Acting, now: datetime) -> None:
        listed = acting.people.lists_customers
        self._tenant.set_choices(derive_tenants(acting.people))
        self._tenant.set_key(acting.tenant_id)
        self._customer.set_choices(derive_customers(acting))
        self._customer.set_key(acting.customer_id)
        self._customer.setVisible(listed)
        self._customer_id.setVisible(not listed)
        if not self._customer_id.hasFocus():
            self._customer_id.setText(acting.customer_id)
        self._language.set_key(acting.language)
        self._token_text = derive_token(acting, now)
        self._show_token()
        self._can_ask = bool(acting.tenant_id)
        self._tell()

    def show_running(self, *, running: bool) -> None:
        self._running = running
        self.stop_button.setVisible(running)
        self._escape.setVisible(running)
        self._tell()

    def show_draft(self, text: str) -> None:
        if text != self.box.toPlainText():
            self.box.setPlainText(text)
            self.box.moveCursor(self.box.textCursor().MoveOperation.End)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._act_as.setVisible(self.width() >= NARROW)
        self._show_token()

    def _show_token(self) -> None:
        """In a narrow window only how long it is still good; the tooltip says the rest."""
        is_short = self.width() < NARROW
        self._token.setText(self._token_text.removeprefix("token valid ") if is_short else self._token_text)
        self._token.setToolTip(self._token_text)

    def _tell(self) -> None:
        self.send_button.setEnabled(self._can_ask and not self._running and bool(self.box.toPlainText().strip()))

    def _build_identity(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._act_as)
        self._customer_id.setProperty("small", True)
        self._customer_id.setPlaceholderText("Customer id, empty = nobody")
        self._customer_id.setAccessibleName("Customer id")
        self._customer_id.setFixedWidth(180)
        for field in (self._tenant, self._customer, self._customer_id, self._language):
            row.addWidget(field)
        row.addStretch(1)
        row.addWidget(Icon(self._theme, "key", "text-3", 13))
        row.addWidget(self._token)
        row.addSpacing(4)
        self._tenant.chosen.connect(self._choose_tenant)
        self._customer.chosen.connect(self._choose_customer)
        self._customer_id.editingFinished.connect(self._name_customer)
        self._language.chosen.connect(self.language_chosen)
        self.body.addLayout(row)

    def _build_actions(self) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(Label("Customers see only released sentences.", "small", "text-3"))
        row.addStretch(1)
        row.addWidget(self._escape)
        row.addWidget(self.stop_button)
        row.addWidget(self.send_button)
        self.stop_button.clicked.connect(self.stopped)
        self.send_button.clicked.connect(self._send)
        self.body.addLayout(row)

    @Slot()
    def _send(self) -> None:
        if self.send_button.isEnabled():
            self.sent.emit(self.box.toPlainText())

    @Slot()
    def _edited(self) -> None:
        self._tell()
        self.edited.emit(self.box.toPlainText())

    @Slot(str)
    def _choose_tenant(self, tenant_id: str) -> None:
        self.identity_chosen.emit(tenant_id, "")

    @Slot(str)
    def _choose_customer(self, customer_id: str) -> None:
        self.identity_chosen.emit(self._tenant.key, customer_id)

    @Slot()
    def _name_customer(self) -> None:
        self.identity_chosen.emit(self._tenant.key, self._customer_id.text().strip())
