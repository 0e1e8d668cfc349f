from __future__ import annotations

import pytest

from engine_host.http import client_for, is_loopback, loopback_client, remote_client


@pytest.mark.parametrize(
    ("url", "here"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost", True),
        ("http://[::1]:80/x", True),
        ("http://127.8.8.8", True),
        ("http://example.org", False),
        ("http://10.0.0.4:8000", False),
        ("http://localhost.example.org", False),
        ("nonsense", False),
    ],
)
def test_that_this_machine_is_told_from_others(url: str, here: bool) -> None:
    assert is_loopback(url) is here


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", None])
async def test_that_no_proxy_stands_before_this_machine(monkeypatch: pytest.MonkeyPatch, proxy: str | None) -> None:
    if proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy)
    for client, asks_environment in (
        (loopback_client("http://127.0.0.1:9"), False),
        (client_for("http://localhost:9"), False),
        (client_for("http://example.org"), True),
        (remote_client(), True),
    ):
        async with client:
            assert client.trust_env is asks_environment
            assert client.timeout.connect == 3.0
            assert client.timeout.read == 30.0
