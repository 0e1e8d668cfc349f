"""Customer identity: the short-lived token that the kitchen's own app signs and code verifies (JWT, HS256).

The clock tolerance is zero: a token is good up to the second that it names and no longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Final, cast

import jwt

from engine_host.orders.port import VerifiedCustomer

LONGEST_LIFE_S: Final = 24 * 60 * 60
LONGEST_TOKEN: Final = 4096
LONGEST_ID: Final = 128
SHORTEST_SECRET: Final = 32
ALGORITHM: Final = "HS256"

_SENTENCES: Final[tuple[tuple[type[jwt.PyJWTError], str], ...]] = (
    (jwt.ExpiredSignatureError, "it has expired"),
    (jwt.ImmatureSignatureError, "its start lies in the future"),
    (jwt.MissingRequiredClaimError, "a required claim (sub, tenant, iat or exp) is missing"),
    (jwt.InvalidAlgorithmError, "it is not signed with HS256"),
    (jwt.InvalidSignatureError, "its signature does not match the secret of this tenant"),
)


@dataclass(frozen=True, slots=True)
class IdentityRefused:
    """The token proves nothing. `reason` is a sentence for staff; a customer never reads it."""

    reason: str


def issue_token(secret: bytes, tenant_id: str, customer_id: str, ttl_s: int, now: datetime | None = None) -> str:
    """Sign a token as the kitchen's app would. `ttl_s` is its life in seconds, 1 to 86,400.

    Raises ValueError for a life outside that range, an empty id or a secret shorter than 32 bytes.
    """
    if not 0 < ttl_s <= LONGEST_LIFE_S:
        raise ValueError(f"A customer token lives 1 to {LONGEST_LIFE_S} seconds, not {ttl_s}.")
    if not tenant_id or not customer_id:
        raise ValueError("A customer token needs a tenant and a customer.")
    if len(secret) < SHORTEST_SECRET:
        raise ValueError(f"The secret of a tenant has at least {SHORTEST_SECRET} bytes, not {len(secret)}.")
    issued = int((now or datetime.now(UTC)).timestamp())
    claims = {"sub": customer_id, "tenant": tenant_id, "iat": issued, "exp": issued + ttl_s}
    return jwt.encode(claims, secret, algorithm=ALGORITHM)


def verify_token(token: object, tenant_id: str, secret: bytes) -> VerifiedCustomer | IdentityRefused:
    """Whom `token` proves to be a customer of `tenant_id`. Never raises, whatever `token` is."""
    if not isinstance(token, str) or not token:
        return _refused("there is no token")
    if len(token) > LONGEST_TOKEN:
        return _refused(f"the token is longer than {LONGEST_TOKEN} characters")
    if len(secret) < SHORTEST_SECRET:
        return _refused(f"the secret of this tenant is shorter than {SHORTEST_SECRET} bytes")
    claims = _claims(token, secret)
    return claims if isinstance(claims, IdentityRefused) else _customer(claims, tenant_id)


def _claims(token: str, secret: bytes) -> dict[str, object] | IdentityRefused:
    try:
        decoded = jwt.decode(
            token, secret, algorithms=[ALGORITHM], leeway=0, options={"require": ["sub", "tenant", "iat", "exp"]}
        )
    except jwt.PyJWTError as error:
        return _refused(next((text for kind, text in _SENTENCES if isinstance(error, kind)), "it can't be read"))
    except (
        ValueError,
        TypeError,
        OverflowError,
        RecursionError,
    ):  # deep JSON and odd numbers get past PyJWT's own tree
        return _refused("it can't be read")
    return cast("dict[str, object]", decoded)


def _customer(claims: dict[str, object], tenant_id: str) -> VerifiedCustomer | IdentityRefused:
    subject, expires, issued = claims["sub"], _seconds(claims["exp"]), _seconds(claims["iat"])
    if not isinstance(subject, str) or not subject.strip() or len(subject) > LONGEST_ID:
        return _refused("it names no customer")
    if not tenant_id or claims["tenant"] != tenant_id:
        return _refused("it belongs to another tenant")
    if expires is None or issued is None or not 0 < expires - issued <= LONGEST_LIFE_S:
        return _refused("its life is not between 1 second and 24 hours")
    return VerifiedCustomer(tenant_id, subject, datetime.fromtimestamp(expires, UTC))


def _seconds(value: object) -> int | None:
    if isinstance(value, float) and isfinite(value):
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _refused(fact: str) -> IdentityRefused:
    return IdentityRefused(f"The customer's identity is not verified: {fact}. Let the customer sign in again.")
