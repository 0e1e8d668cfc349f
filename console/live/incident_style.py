"""How an incident report looks: the light theme's colours, the fonts of whoever reads it, and readable on paper."""

from __future__ import annotations

from string import Template
from typing import Final

from console.theme.tokens import load_tokens

_SHEET: Final = Template("""
body { font: 13px/1.4 system-ui, sans-serif; color: $text; background: $canvas; margin: 24px auto; padding: 0 16px;
  max-width: 1180px; font-variant-numeric: tabular-nums; }
h1 { font-size: 20px; margin: 0; }
h2 { font-size: 13px; margin: 20px 0 6px; } h2 span { color: $text3; font-weight: 400; }
.lead { margin: 2px 0; } .small { color: $text3; font-size: 12px; margin: 2px 0 12px; }
.panels { display: grid; grid-template-columns: repeat(auto-fill, minmax(440px, 1fr)); gap: 12px; }
figure { margin: 0; padding: 10px 12px; background: $surface; border: 1px solid $line; border-radius: 8px;
  break-inside: avoid; }
figure h2 { margin: 0 0 4px; } .missing { color: $text2; text-align: center; padding: 60px 20px; margin: 0; }
figcaption { font-size: 11px; color: $text2; } figcaption > span { margin-right: 12px; white-space: nowrap; }
figcaption b { color: $text; font-weight: 600; }
figcaption .names { display: block; white-space: normal; color: $text3; }
figcaption i { display: inline-block; width: 10px; border-top: 2px solid; margin: 0 4px 3px 0; }
figcaption i.dashed { border-top-style: dashed; }
svg { width: 100%; display: block; }
table { border-collapse: collapse; width: 100%; background: $surface; border: 1px solid $line; font-size: 12px; }
th, td { text-align: left; padding: 5px 10px; border-bottom: 1px solid $line; vertical-align: top; }
th { background: $sunken; font-weight: 500; font-size: 11px; color: $text2; }
""")


def _style() -> str:
    colors = load_tokens("light").colors
    return _SHEET.substitute({name.replace("-", ""): value for name, value in colors.items()})


STYLE: Final = _style()
