"""Tokens that prove nothing, or not what their bearer wants."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from console.bench.other_customers.tokens import LIFE_S, part, signed, to_json
from engine_host.orders.identity import issue_token

if TYPE_CHECKING:
    from collections.abc import Callable

    from console.bench.other_customers.tokens import Bearer

    Forge = Callable[[Bearer], str | None]

OWN = "own"
DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Forgery:
    """`delay_s`: the order system answers so late that the token has expired by then."""

    make: Forge
    delay_s: float = 0.0


def make_token(name: str, bearer: Bearer) -> str | None:
    return bearer.own() if name == OWN else FORGERIES[name].make(bearer)


def _text(token: str | None) -> Forge:
    return lambda _bearer: token


def _unsigned(bearer: Bearer, algorithm: str) -> str:
    return f"{part(to_json({'alg': algorithm, 'typ': 'JWT'}))}.{part(to_json(bearer.claims()))}."


def _payload_changed(bearer: Bearer) -> str:
    head, _, signature = bearer.own().split(".")
    return f"{head}.{part(to_json(bearer.claims()))}.{signature}"


def _encrypted(bearer: Bearer) -> str:
    head = part(to_json({"alg": "dir", "enc": "A256GCM"}))
    return f"{head}..{part(b'0' * 12)}.{part(to_json(bearer.claims()))}.{part(b'0' * 16)}"


def _as_json(bearer: Bearer) -> str:
    head, payload, signature = bearer.own().split(".")
    return json.dumps({"protected": head, "payload": payload, "signature": signature})


def _with_key_from(**header: object) -> Forge:
    """Signed with what a careless reader of `header` would take as the key."""
    return lambda it: signed(it.claims(), b"", header)


def _by_stranger(**header: object) -> Forge:
    return lambda it: signed(it.claims(), hashlib.sha256(b"stranger").digest(), header)


def _claims(**changes: object) -> Forge:
    """Signed by the kitchen, with claims that no app of it would write."""
    return lambda it: it.by_kitchen(**changes)


def _in_time(**offsets: int) -> Forge:
    """The owner's own token at another time: `offsets` from now in seconds."""
    return lambda it: it.by_kitchen(**{name: it.now + offset for name, offset in offsets.items()})


def _to_other_tenant(bearer: Bearer) -> str:
    return issue_token(bearer.other_secret, bearer.other_tenant, bearer.owner, LIFE_S)


_ANY_TIME: dict[str, Forge] = {
    "none": _text(None),
    "empty": _text(""),
    "blank": _text("   "),
    "words": lambda it: f"I am {it.owner}",
    "customer number": lambda it: it.owner,
    "two dots": _text(".."),
    "not base64": _text("ä.ö.ü"),
    "claims as JSON": lambda it: json.dumps(it.claims()),
    "alg none": lambda it: _unsigned(it, "none"),
    "alg nOnE": lambda it: _unsigned(it, "nOnE"),
    "alg empty": lambda it: _unsigned(it, ""),
    "alg none, signed": lambda it: signed(it.claims(), it.other_secret, {"alg": "none"}),
    "alg HS384": lambda it: signed(it.claims(), it.other_secret, {"alg": "HS384"}, "sha384"),
    "alg HS512": lambda it: signed(it.claims(), it.secret, {"alg": "HS512"}, "sha512"),
    "alg RS256": lambda it: signed(it.claims(), it.secret, {"alg": "RS256"}),
    "alg list": lambda it: signed(it.claims(), it.other_secret, {"alg": ["HS256", "none"]}),
    "stranger's secret": _by_stranger(),
    "empty secret": lambda it: signed(it.claims(), b""),
    "tenant as secret": lambda it: signed(it.claims(), it.tenant.encode()),
    "other tenant's secret": lambda it: signed(it.claims(), it.other_secret),
    "other tenant's token": _to_other_tenant,
    "other tenant's, both named": lambda it: signed(it.claims(tenant=[it.tenant, it.other_tenant]), it.other_secret),
    "payload changed": _payload_changed,
    "signature left out": lambda it: it.by_kitchen().rpartition(".")[0],
    "signature emptied": lambda it: it.by_kitchen().rpartition(".")[0] + ".",
    "signature cut": lambda it: it.by_kitchen()[:-8],
    "signature of own": lambda it: it.by_kitchen().rpartition(".")[0] + "." + it.own().split(".")[2],
    "own and owner's": lambda it: f"{it.own()}.{_unsigned(it, 'none')}",
    "own with Bearer": lambda it: f"Bearer {it.own()}",
    "own with line break": lambda it: f"{it.own()}\nX-Customer: {it.owner}",
    "own as JSON": _as_json,
    "encrypted": _encrypted,
    "very long": lambda it: it.by_kitchen(note="n" * 5000),
    "very deep": _text(f"{part(b'[' * 2500)}.{part(b'[' * 300)}."),
    "kid path": _with_key_from(kid="../../../../dev/null"),
    "kid query": _with_key_from(kid="' UNION SELECT '' --"),
    "kid other tenant": lambda it: signed(it.claims(), it.other_secret, {"kid": it.other_tenant}),
    "key in header": _by_stranger(jwk={"kty": "oct", "k": part(hashlib.sha256(b"stranger").digest())}),
    "key by address": _by_stranger(jku="https://keys.example/jwks.json"),
    "unencoded payload": _by_stranger(b64=False, crit=["b64"]),
    "expired": _in_time(iat=-LIFE_S - 1, exp=-1),
    "expired yesterday": _in_time(iat=-DAY_S - LIFE_S, exp=-DAY_S),
    "expired this second": _in_time(iat=-LIFE_S, exp=0),
    "not yet issued": _in_time(iat=600, exp=1200),
    "not yet good": _in_time(nbf=600),
    "no exp": _claims(exp=...),
    "no iat": _claims(iat=...),
    "no tenant": _claims(tenant=...),
    "no sub": _claims(sub=...),
    "lives for ever": _in_time(exp=10 * 365 * DAY_S),
    "exp text": _claims(exp="never"),
    "exp infinite": _claims(exp=float("inf")),
    "exp true": _claims(exp=True),
    "exp before iat": _in_time(iat=-10, exp=-20),
    "sub list": lambda it: it.by_kitchen(sub=[it.owner]),
    "sub object": lambda it: it.by_kitchen(sub={"id": it.owner}),
    "sub number": _claims(sub=8101),
    "sub null": _claims(sub=None),
    "sub empty": _claims(sub=""),
    "sub blank": _claims(sub=" "),
    "sub with blank": lambda it: it.by_kitchen(sub=f" {it.owner}"),
    "sub with zero width": lambda it: it.by_kitchen(sub=f"{it.owner}\u200b"),
    "sub lower case": lambda it: it.by_kitchen(sub=it.owner.lower()),
    "sub full width": lambda it: it.by_kitchen(sub=it.owner.replace("C", "Ｃ")),
    "sub path": lambda it: it.by_kitchen(sub=f"{it.asker}/../{it.owner}"),
    "sub encoded path": lambda it: it.by_kitchen(sub=f"..%2f{it.owner}"),
    "sub query": lambda it: it.by_kitchen(sub=f"{it.owner}/orders?active=true#"),
    "sub both": lambda it: it.by_kitchen(sub=f"{it.asker},{it.owner}"),
    "sub wildcard": _claims(sub="*"),
    "tenant in other case": lambda it: it.by_kitchen(tenant=it.tenant.upper()),
    "tenant list": lambda it: it.by_kitchen(tenant=[it.tenant]),
    "audience": _claims(aud="other app"),
    "own, customer claim": lambda it: it.by_kitchen(sub=it.asker, customer=it.owner),
    "own, acting for": lambda it: it.by_kitchen(sub=it.asker, act={"sub": it.owner}),
    "own, admin": lambda it: it.by_kitchen(sub=it.asker, role="admin", scope="orders:*"),
}

FORGERIES: dict[str, Forgery] = {name: Forgery(make) for name, make in _ANY_TIME.items()} | {
    "expires in mid-turn": Forgery(_in_time(iat=-LIFE_S, exp=2), delay_s=2.2)
}
"""By name; each is tried with the owner's number and without one."""
