"""Customer tokens: who gets in, and the many ways to be kept out."""

from __future__ import annotations

import base64
import json
from datetime import UTC, datetime, timedelta

import jwt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_host.orders.identity import IdentityRefused, issue_token, verify_token
from engine_host.orders.port import VerifiedCustomer

SECRET = b"k" * 32
OTHER_SECRET = b"x" * 32
NOW = datetime.now(UTC)


def signed(secret: bytes = SECRET, algorithm: str = "HS256", **changes: object) -> str:
    at = int(NOW.timestamp())
    claims: dict[str, object] = {"sub": "C-2291", "tenant": "kamala", "iat": at, "exp": at + 600}
    claims |= changes
    return jwt.encode({k: v for k, v in claims.items() if v is not ...}, secret, algorithm=algorithm)


def hand_made(header: object, payload: object, signature: bytes = b"") -> str:
    def part(data: bytes) -> str:
        return base64.urlsafe_b64encode(data).rstrip(b"=").decode()

    return ".".join((part(json.dumps(header).encode()), part(json.dumps(payload).encode()), part(signature)))


def test_that_a_token_of_this_tenant_proves_its_customer() -> None:
    verified = verify_token(issue_token(SECRET, "kamala", "C-2291", 600), "kamala", SECRET)

    assert isinstance(verified, VerifiedCustomer)
    assert (verified.tenant_id, verified.customer_id) == ("kamala", "C-2291")
    assert timedelta(seconds=590) < verified.expires_at - datetime.now(UTC) <= timedelta(seconds=600)


def test_that_a_token_whose_times_carry_fractions_is_good() -> None:
    at = datetime.now(UTC).timestamp()

    assert isinstance(verify_token(signed(iat=at, exp=at + 60.5), "kamala", SECRET), VerifiedCustomer)


AT = int(NOW.timestamp())
DAY = 86_400
CLAIMS = {"sub": "C-1", "tenant": "kamala", "iat": AT, "exp": AT + 3600}
REFUSED: dict[str, object] = {
    "nothing": None,
    "empty text": "",
    "bytes": signed().encode(),
    "a number": 12,
    "a list": [signed()],
    "plain words": "let me in",
    "dots only": "..",
    "huge": "a" * 5_000_000,
    "deep JSON in the header": base64.urlsafe_b64encode(b"[" * 2900).decode() + ".e30.",
    "unsigned": hand_made({"alg": "none", "typ": "JWT"}, CLAIMS),
    "unsigned, odd case": hand_made({"alg": "nOnE"}, CLAIMS),
    "other algorithm": signed(secret=SECRET * 2, algorithm="HS512"),
    "other secret": signed(secret=OTHER_SECRET),
    "changed after signing": signed()[:-4] + "AAAA",
    "other tenant": signed(tenant="annapurna"),
    "no tenant": signed(tenant=...),
    "tenant is a list": signed(tenant=["kamala"]),
    "no customer": signed(sub=...),
    "blank customer": signed(sub="  "),
    "endless customer": signed(sub="C" * 500),
    "no exp": signed(exp=...),
    "no iat": signed(iat=...),
    "expired a second ago": signed(iat=AT - 60, exp=AT - 1),
    "issued tomorrow": signed(iat=AT + DAY, exp=AT + DAY + 60),
    "lives longer than a day": signed(exp=AT + DAY + 1),
    "ends before it starts": signed(iat=AT + 5, exp=AT + 4),
    "exp is text": signed(exp="tomorrow"),
    "exp is endless": signed(exp=10**400),
    "iat is true": signed(iat=True),
    "not yet valid": signed(nbf=AT + DAY, exp=AT + DAY - 1),
    "meant for another audience": signed(aud="bank"),
}


@pytest.mark.parametrize("token", REFUSED.values(), ids=REFUSED.keys())
def test_that_a_token_that_proves_nothing_is_refused_with_a_sentence(token: object) -> None:
    refused = verify_token(token, "kamala", SECRET)

    assert isinstance(refused, IdentityRefused)
    assert refused.reason.startswith("The customer's identity is not verified: ")
    assert "Error" not in refused.reason


@given(st.one_of(st.text(), st.binary(), st.integers(), st.text(alphabet="eyJ.abc_-01", max_size=200)))
def test_that_no_made_up_token_gets_in_or_raises(token: object) -> None:
    assert isinstance(verify_token(token, "kamala", SECRET), IdentityRefused)


def test_that_a_tenant_without_a_name_or_secret_verifies_nobody() -> None:
    assert isinstance(verify_token(signed(tenant=""), "", SECRET), IdentityRefused)
    assert isinstance(verify_token(signed(), "kamala", b""), IdentityRefused)


@pytest.mark.parametrize(
    ("secret", "tenant", "customer", "ttl"),
    [(SECRET, "kamala", "C-1", 0), (SECRET, "kamala", "C-1", DAY + 1), (SECRET, "", "C-1", 60),
     (SECRET, "kamala", "", 60), (b"short", "kamala", "C-1", 60)],
)  # fmt: skip
def test_that_no_token_is_signed_that_would_be_refused(secret: bytes, tenant: str, customer: str, ttl: int) -> None:
    with pytest.raises(ValueError, match=r"token|secret"):
        issue_token(secret, tenant, customer, ttl)
