"""Above the transcript: who asks, for which tenant, how much; and the line that says that no engine is ready."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from console.chat.figures_shown import derive_sums
from console.widgets.buttons import Button, Icon, IconButton
from console.widgets.label import Label
from console.widgets.page_header import PageHeader
from console.widgets.paragraph import Paragraph, Run
from console.widgets.pill import Pill, PillMark

if TYPE_CHECKING:
    from console.chat.acting_shown import Acting
    from console.chat.threads import Thread
    from console.theme.style import Theme

NO_ENGINE: Final = (
    "No engine is ready. Orders are still answered from the order system; "
    "help questions are answered by quoting the article."
)


class ThreadHeader(PageHeader):
    """`flag_asked()` on the flag."""

    flag_asked = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__("", parent=parent)
        self._tenant = Pill(theme, PillMark(""))
        self._customer = Pill(theme, PillMark(""))
        self._sums = Label("", "small", "text-3")
        self.flag = IconButton(theme, "flag", "Put this conversation on the review list")
        self.flag.clicked.connect(self.flag_asked)
        for widget in (self._tenant, self._customer):
            self.add_beside_title(widget)
        self.add_action(self._sums)
        self.add_action(self.flag)

    def show_thread(self, thread: Thread, acting: Acting) -> None:
        """A conversation without a turn shows who would ask."""
        is_new = not thread.turns and thread.conversation_id is None
        tenant_id = acting.tenant_id if is_new else thread.tenant_id
        customer_id = acting.customer_id if is_new else thread.customer_id
        tenant = next((known for known in acting.people.tenants if known.tenant_id == tenant_id), None)
        self.set_title((acting.customer_name or "New conversation") if is_new else thread.title)
        self._tenant.setVisible(bool(tenant_id))
        if tenant_id:
            name, colour = (tenant.name, tenant.colour) if tenant else (tenant_id, 0)
            self._tenant.set_mark(PillMark(name, series=colour))
        self._customer.setVisible(bool(customer_id))
        self._customer.set_mark(PillMark(customer_id, mono=True))
        self._sums.setText(derive_sums(thread.turns))
        self.flag.setVisible(thread.conversation_id is not None)
        self.flag.set_icon("flag", "accent-ink" if thread.flagged else "text-2")
        self.flag.set_name(
            "Take this conversation off the review list"
            if thread.flagged
            else "Put this conversation on the review list"
        )


class NoEngineLine(QWidget):
    """`followed()` on the link to the Engine page."""

    followed = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(8)
        lead = QVBoxLayout()
        lead.setContentsMargins(0, 1, 0, 0)
        lead.addWidget(Icon(theme, "warning", "warn", 14))
        lead.addStretch(1)
        row.addLayout(lead)
        row.addWidget(Paragraph(theme, (Run(NO_ENGINE, "text-2"),), px=12, line=17), 1)
        self.link = Button(theme, "Open Engine", "link")
        self.link.clicked.connect(self.followed)
        row.addWidget(self.link)
