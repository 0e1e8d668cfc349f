"""The demo order system's own small SQLite file: customers, planned orders, moves by hand. One process has it open."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from engine_host.orders.demo.plan import Plan, Standing, Step, moved, standing_at
from engine_host.orders.port import Order, OrderItem, OrderStatus

if TYPE_CHECKING:
    from pathlib import Path

    from engine_host.orders.demo.seed import Seed

OVER: Final = timedelta(hours=2)
"""How long after its last planned step a day is over."""
SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS day (started_at TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS customer (
    customer_id TEXT PRIMARY KEY, tenant_id TEXT NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS planned (
    order_id TEXT PRIMARY KEY, customer_id TEXT NOT NULL REFERENCES customer, items TEXT NOT NULL,
    amount REAL NOT NULL, currency TEXT NOT NULL, courier TEXT, steps TEXT NOT NULL, expected REAL NOT NULL);
CREATE TABLE IF NOT EXISTS hand_move (
    order_id TEXT PRIMARY KEY REFERENCES planned, status TEXT NOT NULL, status_changed_at TEXT NOT NULL,
    version INTEGER NOT NULL, left_kitchen_at TEXT, delivered_at TEXT);
"""
TABLES: Final = ("hand_move", "planned", "customer", "day")


@dataclass(frozen=True, slots=True)
class DemoCustomer:
    customer_id: str
    tenant_id: str
    name: str
    language: str


class DemoBook:
    """Every call is one short transaction; `now` is aware UTC."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA foreign_keys=ON")
        self._db.executescript(SCHEMA)

    def close(self) -> None:
        self._db.close()

    def day_started_at(self) -> datetime | None:
        row = self._db.execute("SELECT started_at FROM day").fetchone()
        return datetime.fromisoformat(row["started_at"]) if row else None

    def day_is_over(self, now: datetime) -> bool:
        """No day was seeded yet, or its last planned step lies hours back."""
        started = self.day_started_at()
        if started is None:
            return True
        return all(self._plan(row, started).last + OVER < now for row in self._db.execute("SELECT * FROM planned"))

    def seed(self, seed: Seed, now: datetime) -> None:
        """Start a new day at `now`: everything that was there is gone."""
        customers = [(c.id, c.tenant, c.name, c.language) for c in seed.customer]
        orders = [
            (o.order_id, o.customer, json.dumps([item.model_dump() for item in o.items]), o.total.amount,
             o.total.currency, o.courier_first_name, json.dumps(o.steps), o.plan_minutes["expected"])
            for o in seed.order
        ]  # fmt: skip
        self._db.execute("BEGIN IMMEDIATE")
        with self._db:
            for table in TABLES:
                self._db.execute(f"DELETE FROM {table}")  # noqa: S608 - a constant, not what someone sent
            self._db.execute("INSERT INTO day VALUES (?)", (now.isoformat(),))
            self._db.executemany("INSERT INTO customer VALUES (?, ?, ?, ?)", customers)
            self._db.executemany("INSERT INTO planned VALUES (?, ?, ?, ?, ?, ?, ?, ?)", orders)

    def customers(self) -> tuple[DemoCustomer, ...]:
        rows = self._db.execute("SELECT customer_id, tenant_id, name, language FROM customer ORDER BY tenant_id, name")
        return tuple(DemoCustomer(*row) for row in rows)

    def orders(self, now: datetime) -> tuple[Order, ...]:
        """All orders of the day as they stand at `now`, by number."""
        started = self.day_started_at()
        if started is None:
            return ()
        moves = {row["order_id"]: _standing(row) for row in self._db.execute("SELECT * FROM hand_move")}
        return tuple(
            self._order(row, moves.get(row["order_id"]), started, now)
            for row in self._db.execute("SELECT * FROM planned ORDER BY order_id")
        )

    def order(self, order_id: str, now: datetime) -> Order | None:
        return next((order for order in self.orders(now) if order.order_id == order_id), None)

    def move(self, order_id: str, status: OrderStatus, now: datetime) -> Order | None:
        """Move an order by hand: its plan no longer moves it. None when there is no such order."""
        order = self.order(order_id, now)
        if order is None:
            return None
        at = moved(
            Standing(order.status, order.status_changed_at, order.version, order.left_kitchen_at, order.delivered_at),
            status,
            now,
        )
        left, delivered = (moment and moment.isoformat() for moment in (at.left_kitchen_at, at.delivered_at))
        self._db.execute(
            "INSERT OR REPLACE INTO hand_move VALUES (?, ?, ?, ?, ?, ?)",
            (order_id, at.status, at.status_changed_at.isoformat(), at.version, left, delivered),
        )
        return self.order(order_id, now)

    def _order(self, row: Any, by_hand: Standing | None, started: datetime, now: datetime) -> Order:
        plan = self._plan(row, started)
        at = by_hand or standing_at(plan, now)
        return Order(
            order_id=row["order_id"],
            customer_id=row["customer_id"],
            status=at.status,
            status_changed_at=at.status_changed_at,
            version=at.version,
            items=tuple(OrderItem(**item) for item in json.loads(row["items"])),
            total_amount=row["amount"],
            total_currency=row["currency"],
            placed_at=plan.steps[0].at,
            left_kitchen_at=at.left_kitchen_at,
            expected_at=plan.expected_at,
            delivered_at=at.delivered_at,
            courier_first_name=row["courier"],
            as_of=now,
        )

    def _plan(self, row: Any, started: datetime) -> Plan:
        def moment(minutes: float) -> datetime:
            return (started + timedelta(minutes=minutes)).astimezone(UTC)

        steps = tuple(Step(OrderStatus(status), moment(at)) for status, at in json.loads(row["steps"]))
        return Plan(steps, moment(row["expected"]))


def _standing(row: Any) -> Standing:
    left, delivered = (row[name] and datetime.fromisoformat(row[name]) for name in ("left_kitchen_at", "delivered_at"))
    changed = datetime.fromisoformat(row["status_changed_at"])
    return Standing(OrderStatus(row["status"]), changed, row["version"], left, delivered)
