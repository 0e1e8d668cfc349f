"""What is promised to customers, in seconds: the lines that the screens draw and the values that turn red."""

from __future__ import annotations

from typing import Final

TTFT_PROMISE_S: Final = 0.8
INTER_TOKEN_PROMISE_S: Final = 0.2
