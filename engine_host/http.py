"""The one place that makes HTTP clients: every one has time-outs, and the proxy never stands before this machine."""

from __future__ import annotations

import ipaddress
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx

if TYPE_CHECKING:
    from pathlib import Path

CONNECT_S = 3.0
_STREAMS = httpx.Limits(
    max_connections=256, max_keepalive_connections=16, keepalive_expiry=3.5
)  # uvicorn closes after 5 s; we must be first

# Loading the certificates takes 0.1 to 0.4 s of the loop for each client; this machine and plain http need none.
_TRUSTS_NOBODY = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@dataclass(frozen=True, slots=True)
class Tls:
    """How an https server is believed: by the certificates in `ca_file` (PEM), or, with `verify` False, by nothing."""

    ca_file: Path | None = None
    verify: bool = True

    def context(self) -> ssl.SSLContext:
        """Raises OSError when `ca_file` cannot be read or holds no certificate."""
        if self.verify:
            return ssl.create_default_context(cafile=self.ca_file)
        unchecked = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
        return unchecked


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
    base_url: str, *, timeout_s: float | None = 30.0, headers: dict[str, str] | None = None, tls: Tls | None = None
) -> httpx.AsyncClient:
    """`loopback_client` or `remote_client`, by the address. `tls` None = the machine's own certificates.

    Raises OSError when a certificate file of `tls` cannot be used.
    """
    return _client(base_url, timeout_s, headers, trust_env=not is_loopback(base_url), tls=tls)


def _client(
    base_url: str,
    timeout_s: float | None,
    headers: dict[str, str] | None,
    *,
    trust_env: bool,
    tls: Tls | None = None,
) -> httpx.AsyncClient:
    plain = base_url.startswith("http://")
    checks = tls.context() if tls is not None and not plain else (trust_env and not plain) or _TRUSTS_NOBODY
    return httpx.AsyncClient(
        base_url=base_url,
        timeout=httpx.Timeout(timeout_s, connect=CONNECT_S),
        headers=headers,
        trust_env=trust_env,
        limits=_STREAMS,
        verify=checks,
        follow_redirects=False,
    )
