"""What is found out about a server before it is used, and how its certificate is checked."""

from __future__ import annotations

import datetime as dt
import ipaddress
import ssl
from typing import TYPE_CHECKING

import pytest

from engine_host.client.types import ChatDelta, ChatMessage, ChatRequest
from engine_host.engine import canary, watch
from engine_host.engine.errors import AttachFailed
from engine_host.engine.finding import Found
from engine_host.engine.session import EngineSession
from engine_host.engine.state import EngineStatus
from engine_host.http import Tls
from tests.engine_host.engine.conftest import until, until_status
from tests.fakes.fake_vllm import STORY, Behaviour, FakeVllm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from storage.paths import Home
    from storage.settings import Settings

FULL = Found("qwen", "0.32.0", 4096, metrics=True, tools=True, sleep=True)


@pytest.fixture
async def session(home: Home, settings: Settings) -> AsyncIterator[EngineSession]:
    one = EngineSession(home, settings)
    yield one
    await one.close()


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Key and self-signed certificate of 127.0.0.1 in one file."""
    x509 = pytest.importorskip("cryptography.x509")
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.oid.NameOID.COMMON_NAME, "test engine")])
    alternative = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    begin = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)
    made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    made = made.serial_number(x509.random_serial_number()).not_valid_before(begin)
    made = made.not_valid_after(begin + dt.timedelta(days=30)).add_extension(alternative, critical=False)
    made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    pem = serialization.Encoding.PEM
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = tmp_path_factory.mktemp("tls") / "server.pem"
    file.write_bytes(key.private_bytes(pem, *plain) + made.sign(key, hashes.SHA256()).public_bytes(pem))
    return file


def serving(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


async def test_that_what_a_vllm_is_stands_in_the_state(session: EngineSession) -> None:
    async with FakeVllm(Behaviour(sleep=True), model="qwen") as fake:
        await session.attach(fake.url)
        state = session.state.value
        assert state.found == FULL
        assert (FULL.missing, state.tools, state.model) == ((), True, "qwen")
        assert FULL.sentence == "vLLM 0.32.0: qwen with 4,096 tokens of context, metrics, tools, sleep."
        await session.detach()
        assert session.state.value.found is None


async def test_that_an_ordinary_server_answers_and_what_it_lacks_is_named(session: EngineSession) -> None:
    async with FakeVllm(Behaviour(version=None, metrics_page="", tools=False), model="qwen") as fake:
        await session.attach(fake.url)
        found = session.state.value.found
        assert found is not None
        assert found == Found("qwen", None, 4096)
        assert [sentence.split(":")[0] for sentence in found.missing] == [
            "It publishes no vLLM metrics",
            "It takes no tools",
        ]
        assert session.client is not None
        asked = ChatRequest("qwen", (ChatMessage("user", "Hi"),), max_tokens=50)
        told = [event.text async for event in session.client.stream(asked) if isinstance(event, ChatDelta)]
        assert "".join(told) == STORY
        assert session.state.value.status is EngineStatus.READY


async def test_that_an_attached_engine_is_asked_for_a_token_only_when_its_work_stands_still(
    session: EngineSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "ASK_EVERY_S", 0.02)
    monkeypatch.setattr(watch, "ANSWER_S", 0.2)
    monkeypatch.setattr(canary, "IDLE_S", 0.1)
    monkeypatch.setattr(canary, "STUCK_S", 0.2)
    async with FakeVllm(model="qwen") as fake:
        await session.attach(fake.url)
        asked = len(fake.counters.bodies)
        seen: list[int] = []
        fake.get_stuck()
        stalled = await until_status(session, EngineStatus.STALLED)
        seen.append(len(fake.counters.bodies))
        assert "made no token" in stalled.reason
        fake.get_stuck()
        await until(session, lambda state: state.is_well)
        assert asked < seen[0]
        await session.detach()


async def test_that_a_certificate_is_checked_by_the_file_that_is_named(
    session: EngineSession, certificate: Path
) -> None:
    async with FakeVllm(model="qwen", tls=serving(certificate)) as fake:
        with pytest.raises(AttachFailed, match=r"certificate of https://.* cannot be verified"):
            await session.attach(fake.url)
        await session.attach(fake.url, tls=Tls(certificate))
        found = session.state.value.found
        assert found is not None
        assert found.verified
        await session.detach()


async def test_that_an_unchecked_certificate_is_told(session: EngineSession, certificate: Path) -> None:
    engine = session.settings.engine.model_copy(update={"attach_verify": False})
    session.settings = session.settings.model_copy(update={"engine": engine})
    async with FakeVllm(model="qwen", tls=serving(certificate)) as fake:
        await session.attach(fake.url)
        found = session.state.value.found
        assert found is not None
        assert found.missing == ("Its certificate is not verified: whoever stands between could read what is sent.",)
        await session.detach()


async def test_that_a_certificate_file_that_is_none_is_refused(session: EngineSession, tmp_path: Path) -> None:
    with pytest.raises(AttachFailed, match="cannot be used"):
        await session.attach("https://127.0.0.1:9", tls=Tls(tmp_path / "missing.pem"))
    assert session.state.value.status is EngineStatus.NONE
