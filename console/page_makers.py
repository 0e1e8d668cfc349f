"""Makes a page by its key. Each page's modules are imported when it is first shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from console.page_context import PageContext


def make_page(key: str, context: PageContext) -> QWidget:
    match key:
        case "chat":
            from console.chat.page import ChatPage

            return ChatPage(context)
        case "articles":
            from console.articles.page import ArticlesPage

            return ArticlesPage(context)
        case "engine":
            from console.engine.page import EnginePage

            return EnginePage(context)
        case "live":
            from console.live.page import LivePage

            return LivePage(context)
        case "tenants":
            from console.tenants.page import TenantsPage

            return TenantsPage(context)
        case "settings":
            from console.settings.page import SettingsPage

            return SettingsPage(context)
        case _:
            raise ValueError(f"there is no page {key!r}")
