"""Reads the sample customers and orders (assets/sample_kitchen/orders.toml). Pure but for the file."""

from __future__ import annotations

import tomllib
from importlib import resources
from itertools import pairwise
from typing import Final, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine_host.orders.errors import SeedRefused
from engine_host.orders.port import OrderStatus

PROMISE: Final = "expected"


class _Seed(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SeedCustomer(_Seed):
    id: str = Field(min_length=1)
    tenant: str = Field(min_length=1)
    name: str = Field(min_length=1)
    language: str = Field(min_length=2)


class SeedItem(_Seed):
    name: str = Field(min_length=1)
    quantity: int = Field(ge=1)
    diet: str = Field(min_length=1)


class SeedTotal(_Seed):
    amount: float = Field(ge=0)
    currency: str = Field(pattern="^[A-Z]{3}$")


class SeedOrder(_Seed):
    """`plan_minutes`: status or `expected` -> minutes from the start of the day, negative before it."""

    order_id: str = Field(min_length=1)
    customer: str
    items: tuple[SeedItem, ...] = Field(min_length=1)
    total: SeedTotal
    courier_first_name: str | None = None
    plan_minutes: dict[str, float]

    @property
    def steps(self) -> tuple[tuple[OrderStatus, float], ...]:
        return tuple((OrderStatus(name), at) for name, at in self.plan_minutes.items() if name != PROMISE)

    @model_validator(mode="after")
    def _plan_makes_sense(self) -> Self:
        unknown = set(self.plan_minutes) - {*OrderStatus, PROMISE}
        if unknown or not {OrderStatus.PLACED, PROMISE} <= set(self.plan_minutes):
            raise ValueError(f"plan_minutes of {self.order_id} needs placed and expected, and only known steps")
        minutes = [at for _, at in self.steps]
        if self.steps[0][0] is not OrderStatus.PLACED or any(b < a for a, b in pairwise(minutes)):
            raise ValueError(f"the steps of {self.order_id} are not in the order of their times")
        return self


class Seed(_Seed):
    customer: tuple[SeedCustomer, ...] = Field(min_length=1)
    order: tuple[SeedOrder, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _everything_belongs_together(self) -> Self:
        known = {customer.id for customer in self.customer}
        if len(known) < len(self.customer) or len({order.order_id for order in self.order}) < len(self.order):
            raise ValueError("a customer or order is there twice")
        strangers = sorted({order.customer for order in self.order} - known)
        if strangers:
            raise ValueError(f"orders name customers that are not there: {', '.join(strangers)}")
        return self


def sample_seed() -> Seed:
    """The sample kitchen's customers and orders. Raises SeedRefused."""
    return parse_seed(resources.files("assets").joinpath("sample_kitchen", "orders.toml").read_text(encoding="utf-8"))


def parse_seed(text: str) -> Seed:
    """Customers and orders from the text of an orders.toml. Raises SeedRefused."""
    try:
        return Seed.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SeedRefused(f"The sample orders are not valid TOML: {error}. Correct that line.") from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in fault["loc"]) or "the file"
        what = fault["msg"].removeprefix("Value error, ")
        raise SeedRefused(f"The sample orders can't be used: {where}: {what}. Correct orders.toml.") from error
