"""The one place that makes HTTP clients: every one has time-outs, and the proxy never stands before this machine."""

from __future__ import annotations

import ipaddress
import ssl
from urllib.parse import urlsplit

import httpx

CONNECT_S = 3.0
_STREAMS = httpx.Limits(
    max_connections=256, max_keepalive_connections=16, keepalive_expiry=2.0
)  # uvicorn closes after 5 s; we must be first

# Loading the certificates takes 0.1 to 0.4 s of the loop for each client; this machine and plain http need none.
_TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def is_loopback(url: str) -> bool:
    """Whether `url` points to this machine."""
    host = urlsplit(url).hostname or ""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def loopback_client(
    base_url: str = "", *, timeout_s: float | None = 30.0, headers: dict[str, str] | None = None
) -> httpx.AsyncClient:
    """A client for a server of this machine: no proxy, no redirects. `timeout_s` is the longest silence."""
    return _client(base_url, timeout_s, headers, trust_env=False)


def remote_client(
    base_url: str = "", *, timeout_s: float | None = 30.0, headers: dict[str, str] | None = None
) -> httpx.AsyncClient:
    """A client for another machine: the environment's proxy and certificates count."""
    return _client(base_url, timeout_s, headers, trust_env=True)


def client_for(
    base_url: str, *, timeout_s: float | None = 30.0, headers: dict[str, str] | None = None
) -> httpx.AsyncClient:
    """`loopback_client` or `remote_client`, by the address."""
    return _client(base_url, timeout_s, headers, trust_env=not is_loopback(base_url))


def _client(
    base_url: str, timeout_s: float | None, headers: dict[str, str] | None, *, trust_env: bool
) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        base_url=base_url,
        timeout=httpx.Timeout(timeout_s, connect=CONNECT_S),
        headers=headers,
        trust_env=trust_env,
        limits=_STREAMS,
        verify=(trust_env and not base_url.startswith("http://")) or _TRUSTS_NOBODY,
        follow_redirects=False,
    )
