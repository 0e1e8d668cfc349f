"""The theme in force: colours, icons and the style sheet, changed for the whole program at once."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette

from console.theme.fonts import load_fonts, ui_font
from console.theme.icons import IconShelf
from console.theme.tokens import load_tokens

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon, QPixmap
    from PySide6.QtWidgets import QApplication, QWidget

    from console.theme.tokens import ColorToken, ThemeName, ThemeSetting, Tokens


class Theme(QObject):
    """Made once at the start and handed to every widget that draws or shows an icon."""

    changed = Signal()

    def __init__(self, name: ThemeName = "light", parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: dict[ThemeName, Tokens] = {"light": load_tokens("light"), "dark": load_tokens("dark")}
        self._tokens = self._all[name]
        self._shelf = IconShelf()
        self._app: QApplication | None = None

    @property
    def name(self) -> ThemeName:
        return self._tokens.name

    @property
    def tokens(self) -> Tokens:
        return self._tokens

    def color(self, token: ColorToken, alpha: float = 1.0) -> QColor:
        color = QColor(self._tokens.colors[token])
        color.setAlphaF(alpha)
        return color

    def series_fill(self, n: int) -> QColor:
        """The fill of series `n`, counted from 1; after the eighth the colours start again."""
        return QColor(self._tokens.series[(n - 1) % len(self._tokens.series)].fill)

    def series_line(self, n: int) -> QColor:
        return QColor(self._tokens.series[(n - 1) % len(self._tokens.series)].line)

    def icon(self, name: str, color: ColorToken = "text-2", px: int = 16, gap: int = 0) -> QIcon:
        return self._shelf.icon(name, self.color(color), self.color("disabled"), px, gap)

    def pixmap(self, name: str, token: ColorToken, px: int, widget: QWidget) -> QPixmap:
        """The icon at the screen ratio of `widget`, for painting."""
        return self._shelf.pixmap(name, self.color(token), px, widget.devicePixelRatioF())

    def apply(self, app: QApplication) -> None:
        """Gives the program its fonts, palette and style sheet. Call it once, before the first widget is made."""
        load_fonts()
        app.setStyle("Fusion")
        app.setFont(ui_font())
        self._app = app
        self._dress(app)

    def set_name(self, name: ThemeName) -> None:
        """Changes to the light or the dark theme; every widget follows."""
        if name == self.name:
            return
        self._tokens = self._all[name]
        if self._app is not None:
            self._dress(self._app)
        self.changed.emit()

    def _dress(self, app: QApplication) -> None:
        app.setPalette(palette_of(self))
        app.setStyleSheet(style_sheet(self._tokens))


def style_sheet(tokens: Tokens) -> str:
    """The style sheet with every @token and @theme replaced. Longer names first: @text is in @text-2."""
    folder = files("assets").joinpath("theme")
    sheet = folder.joinpath("console.qss").read_text(encoding="utf-8")
    for token in sorted(tokens.colors, key=len, reverse=True):
        sheet = sheet.replace(f"@{token}", tokens.colors[token])
    return sheet.replace("THEME", tokens.name).replace("FOLDER", Path(str(folder)).as_posix())


def palette_of(theme: Theme) -> QPalette:
    roles: tuple[tuple[QPalette.ColorRole, ColorToken], ...] = (
        (QPalette.ColorRole.Window, "canvas"),
        (QPalette.ColorRole.Base, "surface"),
        (QPalette.ColorRole.Button, "surface"),
        (QPalette.ColorRole.Text, "text"),
        (QPalette.ColorRole.WindowText, "text"),
        (QPalette.ColorRole.ButtonText, "text"),
        (QPalette.ColorRole.PlaceholderText, "text-3"),
        (QPalette.ColorRole.Highlight, "accent-tint"),
        (QPalette.ColorRole.HighlightedText, "text"),
        (QPalette.ColorRole.Link, "accent-ink"),
        (QPalette.ColorRole.ToolTipBase, "surface"),
        (QPalette.ColorRole.ToolTipText, "text"),
    )
    palette = QPalette()
    for role, token in roles:
        palette.setColor(role, theme.color(token))
    return palette


def theme_from_setting(setting: ThemeSetting) -> ThemeName:
    """What the setting means on this screen: "system" asks the desktop and falls to light when it does not say."""
    if setting != "system":
        return setting
    dark = QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return "dark" if dark else "light"
