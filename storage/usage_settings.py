"""The sections of the settings about what usage costs, and how our own metrics are offered."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from storage.setting_types import Section

Price = Annotated[float, Field(ge=0, le=1_000_000)]


class Prices(Section):
    """What tokens cost, by the million, or what the machine costs by the hour; 0 = no price, and then no cost is told.

    Computed and cached tokens in and tokens out have a price each. The machine's hours are shared among the tenants by
    the KV memory that their turns held. Only one of the two ways is used.
    """

    currency: str = Field(default="₹", min_length=1, max_length=8)
    in_per_million: Price = 0.0
    cached_per_million: Price = 0.0
    out_per_million: Price = 0.0
    machine_per_hour: Price = 0.0

    @property
    def by_tokens(self) -> bool:
        return (self.in_per_million, self.cached_per_million, self.out_per_million) != (0.0, 0.0, 0.0)

    @property
    def by_machine(self) -> bool:
        return self.machine_per_hour > 0

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.by_tokens and self.by_machine:
            raise ValueError("prices are by the token or by the hour of the machine, not both: set one of them to 0")
        return self


class MetricsSettings(Section):
    """`serve`: while the console runs, http://127.0.0.1:`port`/metrics tells a Prometheus what the ledger says."""

    serve: bool = False
    port: int = Field(default=9808, ge=1024, le=65_535)
