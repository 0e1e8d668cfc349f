"""The page of the first use: the steps, this machine, and what is being done."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from console.setup.kitchen import Kitchen
from console.setup.run import SetupRun
from console.setup.works import setup_works
from console.welcome.machine_card import DoingCard, MachineCard
from console.welcome.presenter import SetupPresenter
from console.welcome.setup_shown import derive_heading, derive_machine, derive_steps, running_step
from console.welcome.step_row import StepRow
from console.widgets.attach_dialog import AttachDialog, AttachWish
from console.widgets.buttons import Button, Icon
from console.widgets.cards import Card
from console.widgets.label import ElidedLabel, Label

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager

    from console.bridge.calls import Call
    from console.page_context import PageContext
    from console.welcome.presenter import SetupView
    from storage.settings import Settings

LEFT_PX: Final = 740
RIGHT_PX: Final = 396
GAP_PX: Final = 24
SAFE: Final = (
    "You can close the window or pull the plug. What is done stays done, and the next start goes on from here."
)


class SetupPage(QWidget):
    """`finished` when every step is done, or when a person opens the console before that."""

    finished = Signal()

    def __init__(self, context: PageContext, run: SetupRun, parent: QWidget | None = None) -> None:
        """Begins to do what is missing at once."""
        super().__init__(parent)
        self._context = context
        self.presenter = SetupPresenter(context.bridge, context.house, run, self._rerun, context.zone)
        self.rows = [StepRow(context.theme) for _ in self.presenter.state.setup.steps]
        self.machine = MachineCard(context.theme)
        self.doing = DoingCard(context.theme)
        self.open_now = Button(context.theme, "Open the console now")
        self.stop = Button(context.theme, "Stop setting up", "quiet")
        self._heading = Label("", "body-2")
        self._fault = Label("", "fault", wrap=True)
        self._dialog: AttachDialog | None = None
        self._families = frozenset(QFontDatabase.families())
        self._build()
        self._connect()
        self._show()
        self.presenter.go_on()

    @property
    def dialog(self) -> AttachDialog | None:
        """The Attach dialog while it is open."""
        return self._dialog

    def _rerun(self, settings: Settings) -> SetupRun:
        return SetupRun(setup_works(self._context.house.home, settings, kitchen=self._kitchen))

    def _kitchen(self) -> AbstractAsyncContextManager[Kitchen]:
        house = self._context.house
        return nullcontext(Kitchen(house.database, house.library))

    @Slot()
    def _show(self) -> None:
        view: SetupView = self.presenter.state
        self._heading.setText(derive_heading(view.setup))
        for place, (row, shown) in enumerate(zip(self.rows, derive_steps(view.setup), strict=True)):
            row.show_step(shown, first=place == 0)
        now = running_step(view.setup)
        self.doing.set_title(f"What step {now[0]} is doing" if now else "What was done")
        if view.machine is not None:
            self.machine.show_facts(derive_machine(view.machine, view.setup, self._families))
        self.stop.setText("Stopping…" if view.stopping else "Stop setting up" if view.running else "Go on")
        self.stop.setEnabled(not view.stopping)
        self._fault.setText(view.fault)
        self._fault.setVisible(bool(view.fault))

    @Slot()
    def _stop_or_go_on(self) -> None:
        if self.presenter.state.running:
            self.presenter.stop()
        else:
            self.presenter.go_on()

    @Slot()
    def _choose_python(self) -> None:
        program, _ = QFileDialog.getOpenFileName(
            self, "The Python that has vLLM", "", "Python (python*);;All files (*)"
        )
        if program:
            self.presenter.use_python(program)

    @Slot()
    def _open_attach(self) -> None:
        self._dialog = AttachDialog(self._context.theme, self._attach, may_keep=False, parent=self)
        self._dialog.finished.connect(self._attach_closed)
        self._dialog.open()

    def _attach(self, wish: AttachWish) -> Call:
        return self.presenter.attach_instead(wish.url, wish.key, wish.kept_tls)

    @Slot()
    def _attach_closed(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _connect(self) -> None:
        self.presenter.changed.connect(self._show)
        self.presenter.said.connect(self.doing.add_line)
        self.presenter.done.connect(self.finished)
        self.machine.doctor_asked.connect(self.presenter.doctor)
        self.open_now.clicked.connect(self.finished)
        self.stop.clicked.connect(self._stop_or_go_on)
        for row in self.rows:
            row.python_asked.connect(self._choose_python)
            row.attach_asked.connect(self._open_attach)

    # Building

    def _build(self) -> None:
        inner = QWidget()
        inner.setProperty("scrolled", True)
        across = QHBoxLayout(inner)
        across.setContentsMargins(GAP_PX, 78, GAP_PX, GAP_PX)
        across.addStretch(1)
        middle = QWidget()
        middle.setMaximumWidth(LEFT_PX + GAP_PX + RIGHT_PX)
        middle.setMinimumWidth(900)
        middle.setLayout(self._build_middle())
        across.addWidget(middle, 1000)
        across.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidget(inner)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(scroll)

    def _build_middle(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(Label("Setting up Dabba Console", "heading"))
        column.addSpacing(4)
        column.addWidget(self._heading)
        column.addSpacing(22)
        sides = QHBoxLayout()
        sides.setSpacing(GAP_PX)
        sides.addLayout(self._build_left(), LEFT_PX)
        sides.addLayout(self._build_right(), RIGHT_PX)
        column.addLayout(sides)
        column.addStretch(1)
        return column

    def _build_left(self) -> QVBoxLayout:
        card = Card(padding=1)
        card.body.setSpacing(0)
        for row in self.rows:
            card.body.addWidget(row)
        column = QVBoxLayout()
        column.setSpacing(16)
        column.addWidget(card)
        column.addWidget(self._fault)
        column.addLayout(self._build_foot())
        column.addStretch(1)
        return column

    def _build_foot(self) -> QHBoxLayout:
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(Label("Everything goes to", "small", "text-3"))
        foot.addWidget(ElidedLabel(str(self._context.house.home.root), "mono", "text-2"), 1)
        foot.addWidget(self.open_now)
        foot.addWidget(self.stop)
        return foot

    def _build_right(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(12)
        column.addWidget(self.machine)
        column.addWidget(self.doing)
        note = QHBoxLayout()
        note.setSpacing(8)
        note.addWidget(Icon(self._context.theme, "info", "info", 14), 0, Qt.AlignmentFlag.AlignTop)
        note.addWidget(Label(SAFE, "small", wrap=True), 1)
        column.addLayout(note)
        column.addStretch(1)
        return column
