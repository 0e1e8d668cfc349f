"""The order system of the settings: where it is, how it words things and how far its clock may be off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from engine_host.orders.kitchen import KitchenOrders
from engine_host.orders.port import OrdersFound, OrderStatus, OrdersUnavailable, VerifiedCustomer
from storage.paths import Home
from storage.secret_room import SecretRoom
from storage.settings import OrderSettings
from tests.fakes.lying_orders import CUSTOMER, LyingOrders, answer, moment, order_json

if TYPE_CHECKING:
    from pathlib import Path

WHO = VerifiedCustomer("kamala", CUSTOMER, datetime.now(UTC) + timedelta(hours=1))


async def test_that_the_settings_say_how_the_kitchens_own_system_words_things(tmp_path: Path) -> None:
    async with LyingOrders() as system:
        settings = OrderSettings(
            base_url=system.base_url,
            statuses={"On The Road": "out_for_delivery"},
            fields={"orders": "data.list", "courier_first_name": "rider.name"},
            clock_tolerance_s=30.0,
        )
        orders = KitchenOrders(Home(tmp_path), settings, SecretRoom(Home(tmp_path)))
        row = order_json(
            status="on the road", courier_first_name=..., rider={"name": "Ravi"}, as_of=moment(-20 / 60), shelf=3
        )
        system.lie = answer({"data": {"list": [row]}})
        found = await orders.active_orders(WHO)
        system.lie = answer({"data": {"list": [row | {"as_of": moment(-40 / 60)}]}})
        kept = await orders.active_orders(WHO)
        await orders.close()

    assert orders.demo is None
    assert isinstance(found, OrdersFound)
    assert (found.orders[0].status, found.orders[0].courier_first_name) == (OrderStatus.OUT_FOR_DELIVERY, "Ravi")
    assert isinstance(kept, OrdersUnavailable)
    assert "more than the 30 s" in kept.reason
