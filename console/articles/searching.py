"""Tries searches as a customer's would be: while a person types, after a pause, a newer one replacing an older one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from console.articles.search_calls import Tried, keep_as_known, try_search
from console.articles.search_shown import NO_TENANT, SHOWN, Found, Probe
from console.widgets.notices import Notice
from knowledge.article import Asker, Audience
from knowledge.evaluate.questions import KnownQuestion

if TYPE_CHECKING:
    from collections.abc import Sequence

    from console.articles.search_shown import HitShown
    from console.bridge.calls import Call
    from console.page_context import PageContext
    from storage.records import Tenant

PAUSE_MS: Final = 250


class SearchDesk(QObject):
    """`changed()` when the probe, the answer or the waiting changed; `made_known()` when there is a known question
    more, or one with another right passage."""

    changed = Signal()
    made_known = Signal()

    def __init__(self, context: PageContext, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._context = context
        self._call: Call | None = None
        self._keeping: Call | None = None
        self.probe = Probe()
        self.found: Found | None = None
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self.search)

    @property
    def most(self) -> int:
        """Passages at most that an answer is given."""
        return self._context.house.settings.knowledge.passages

    @property
    def waits(self) -> bool:
        return self._call is not None

    def offer_tenants(self, tenants: Sequence[Tenant]) -> None:
        """Who may be asked for; the first one is asked for until a person chooses another."""
        known = [tenant.tenant_id for tenant in tenants]
        if self.probe.tenant_id not in known:
            self.probe = replace(self.probe, tenant_id=known[0] if known else "")
            self.changed.emit()
            self.search_soon()

    @Slot(str)
    def ask(self, text: str) -> None:
        self._drop()
        self.probe = replace(self.probe, text=text)
        self._pause.start()

    def try_as(self, text: str, tenant_id: str, language: str) -> None:
        """Search as somebody asked."""
        self.probe = replace(self.probe, text=text, tenant_id=tenant_id, language=language)
        self.search()

    @Slot(str)
    def choose_tenant(self, tenant_id: str) -> None:
        self.probe = replace(self.probe, tenant_id=tenant_id)
        self.search()

    @Slot(str)
    def choose_audience(self, audience: str) -> None:
        self.probe = replace(self.probe, audience=audience)
        self.search()

    @Slot(str)
    def choose_language(self, language: str) -> None:
        self.probe = replace(self.probe, language=language)
        self.search()

    def search_soon(self) -> None:
        """Search again after the pause: the articles changed."""
        if self.probe.text.strip():
            self._pause.start()

    @Slot()
    def search(self) -> None:
        self._pause.stop()
        self._drop()
        probe = self.probe
        if not probe.text.strip():
            self._show(None)
        elif not probe.tenant_id:
            self._show(Found(probe, sentence=NO_TENANT))
        else:
            self._begin(probe)

    def _begin(self, probe: Probe) -> None:
        today = datetime.now(UTC).astimezone(self._context.zone).date()
        asker = Asker(probe.tenant_id, Audience(probe.audience), probe.language, today)
        work = partial(try_search, self._context.house.library, probe.text.strip(), asker, max(self.most, SHOWN))
        self._call = self._context.bridge.submit(work, "search test")
        self._call.done.connect(self._have)
        self._call.failed.connect(self._cannot)
        self.changed.emit()

    def _drop(self) -> None:
        if self._call is not None:
            self._call.drop()
            self._call = None

    def make_known(self, hit: HitShown) -> None:
        """Keep the question that was tried, with this passage as the one that answers it."""
        if self.found is None or self._keeping is not None:
            return
        work = partial(keep_as_known, self._context.house, self.found.probe, hit)
        self._keeping = self._context.bridge.submit(work, "known question")
        self._keeping.done.connect(self._known)
        self._keeping.failed.connect(self._not_known)
        self._keeping.finished.connect(self._kept)

    @Slot(object)
    def _known(self, question: object) -> None:
        text = question.text if isinstance(question, KnownQuestion) else ""
        fact = f"“{text}” is a known question: every evaluation asks it from now on."
        self._context.notify(Notice("known question", "ok", fact))
        self.made_known.emit()

    @Slot(object)
    def _not_known(self, error: Exception) -> None:
        self._context.notify(Notice("known question", "error", str(error)))

    @Slot()
    def _kept(self) -> None:
        self._keeping = None

    @Slot(object)
    def _have(self, tried: object) -> None:
        if isinstance(tried, Tried):
            self._show(Found(self.probe, tried.retrieved, tried.explained))

    @Slot(object)
    def _cannot(self, error: Exception) -> None:
        self._show(Found(self.probe, sentence=str(error)))

    def _show(self, found: Found | None) -> None:
        self._call = None
        self.found = found
        self.changed.emit()
