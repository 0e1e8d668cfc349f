"""Customer tokens made by hand, with whatever claims and header: a JWT library refuses to make most of them."""

from __future__ import annotations

import base64
import hmac
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

LIFE_S = 900


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who holds the token and whose it shall be. `secret` signs for `tenant`, `other_secret` for `other_tenant`.

    `now` is in whole seconds since 1970.
    """

    asker: str
    owner: str
    tenant: str
    secret: bytes
    other_tenant: str
    other_secret: bytes
    now: int

    def claims(self, **changes: object) -> dict[str, object]:
        """Of the owner, good for a quarter of an hour; a claim changed to `...` is left out."""
        claims = {"sub": self.owner, "tenant": self.tenant, "iat": self.now, "exp": self.now + LIFE_S} | changes
        return {name: value for name, value in claims.items() if value is not ...}

    def by_kitchen(self, **changes: object) -> str:
        """Signed with the tenant's true secret: what nobody but the kitchen's own app can do."""
        return signed(self.claims(**changes), self.secret)

    def own(self) -> str:
        return self.by_kitchen(sub=self.asker)


def signed(
    claims: Mapping[str, object], secret: bytes, header: Mapping[str, object] | None = None, digest: str = "sha256"
) -> str:
    """A JWT with whatever claims and header; `header` goes over the usual one."""
    head = {"alg": "HS256", "typ": "JWT", **(header or {})}
    body = f"{part(to_json(head))}.{part(to_json(claims))}"
    return f"{body}.{part(hmac.new(secret, body.encode(), digest).digest())}"


def to_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
