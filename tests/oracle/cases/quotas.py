"""AlterQuota: client quotas of users, client ids and addresses, by AlterClientQuotas."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from tests.fixtures.conditions import eventually
from tests.oracle.broker import Answer, Answers, Broker, unused
from tests.oracle.cases.sampling import Case, complete

__all__ = ["answers", "cases", "clear", "requested", "unchanged"]

_TYPES = {"user": "user", "clientId": "client-id", "ip": "ip"}
_KEYS = ("producer_byte_rate", "consumer_byte_rate", "request_percentage", "controller_mutation_rate")
_IP_KEY = "connection_creation_rate"
_EVERY_KEY = (*_KEYS, _IP_KEY, "", "acks", "Producer_Byte_Rate")
_LONG = 2.0**63
_VALUES = (
    0,
    -1,
    -0.5,
    1e-9,
    0.5,
    1,
    1.5,
    1.0000001,
    1.00001,
    1024,
    2147483647,
    2147483648,
    _LONG - 1024,
    _LONG,
    2 * _LONG,
    1e300,
)
_USERS = ("", " ", "a b", "ä", "<default>", "x,ip=1.1.1.1")
_IPS = (
    *(
        "",
        "1.2.3.4",
        "1.2.3",
        "1.2.65535",
        "1.2.65536",
        "1.2",
        "1.16777216",
        "1",
        "4294967296",
        "1.2.3.4.5",
        "256.1.1.1",
    ),
    *("010.0.0.1", "1.2.3.", ".1", "1..2", "0000000001.2.3.4", "1.2.3.0x4", "0x7f.1", "-1.2.3.4", "1.2.3.4/8", "1,2"),
    *("::", "::1", "[::1]", "[::1", "::1]", "1::2::3", "::ffff:1.2.3.4", "1:2:3:4:5:6:7", "12345::", "1.2.3.4:80"),
    *("::1%", "fe80::1%1", "[fe80::1%1]", "fe80::1%no-such-interface", "fe80::1%1%1"),
    *("localhost", "LOCALHOST", "no such host", "no-such-host.invalid", " 1.2.3.4", "ä.invalid", None),
)
Op = Mapping[str, Any]


def _case(
    name: str, entity: Mapping[str, str | None], ops: Sequence[Op], before: Mapping[str, float] | None = None
) -> Case:
    sent = {
        "entity": [{"entityType": _TYPES.get(field, field), "entityName": value} for field, value in entity.items()],
        "ops": [
            {"key": op["key"], "value": float(op.get("value", 0)), "remove": op.get("remove", False)} for op in ops
        ],
    }
    state = {"quotas": {_key(entity): before}} if before else {}
    return Case(name, "AlterQuota", {"entity": dict(entity), "ops": list(ops)}, sent, state)


def _key(entity: Mapping[str, str | None]) -> str:
    """The entity's key in a cluster state."""
    parts = [(_TYPES[field], entity[field]) for field in _TYPES if field in entity]
    return ",".join(f"{type_}={'<default>' if name is None else name}" for type_, name in parts)


def _entity(entity: Mapping[str, str | None]) -> frozenset[tuple[str, str | None]]:
    """What tells an entity from all others, also one that is called <default>."""
    return frozenset(entity.items())


def _set(key: str, value: float) -> Op:
    return {"key": key, "value": value}


def _remove(key: str) -> Op:
    return {"key": key, "remove": True}


def cases() -> list[Case]:
    """Every key with every edge of a value, every sort of entity, and changes of what is there."""
    edges = [
        _case(f"{key!r} {value} of a {sort}", {sort: f"10.0.{i}.{j}"}, [_set(key, value)])
        for i, key in enumerate(_EVERY_KEY)
        for j, value in enumerate(_VALUES)
        for sort in (("ip",) if key == _IP_KEY else ("user",))
    ]
    edges += [_case(f"user {name!r}", {"user": name}, [_set(_KEYS[0], 1)]) for name in _USERS]
    edges += [_case(f"client-id {name!r}", {"clientId": name}, [_set(_KEYS[0], 1)]) for name in _USERS]
    edges += [_case(f"ip {name!r}", {"ip": name}, [_set(_IP_KEY, 1)]) for name in _IPS]
    edges += [
        _case(f"ip {name!r}, a user's key", {"ip": name}, [_set(_KEYS[0], 1)]) for name in ("", "1.2.3.9", "1.2.3")
    ]
    edges += [_case("ip of no host, too much", {"ip": "no-such-host.invalid"}, [_set(_IP_KEY, 2 * _LONG)])]
    edges += [
        _case("of nobody", {}, []),
        _case("of a group", {"group": "g"}, []),
        _case("<default>, by null", {"user": None}, []),
    ]
    return complete("AlterQuota", edges, _draw)


def _draw(source: Random, number: int) -> Case:
    fields = source.choice(
        [["user"], ["clientId"], ["ip"], ["user", "clientId"], ["user", "ip"], ["clientId", "ip"], [*_TYPES]]
    )
    entity: dict[str, str | None] = {}
    own_name = True
    for field in fields:
        plain = f"192.168.{number // 250}.{number % 250}" if field == "ip" else f"{field}{number}"
        entity[field] = plain if source.random() < 0.8 else source.choice(_IPS if field == "ip" else (*_USERS, None))
        own_name = own_name and entity[field] == plain
    own = (_IP_KEY,) if "ip" in entity else _KEYS
    keys = [source.choice(own if source.random() < 0.9 else _EVERY_KEY) for _ in range(source.randint(0, 3))]
    ops = [
        _remove(key)
        if source.random() < 0.3
        else _set(key, source.choice(_VALUES) if source.random() < 0.4 else source.randint(1, 9))
        for key in keys
    ]
    may_be = own_name and ("ip" not in fields or fields == ["ip"])
    before = {key: float(source.randint(1, 9)) for key in own if source.random() < 0.5} if may_be else None
    return _case(f"random {number}", entity, ops, before)


def requested(_case: Case, state: Any, _change: Any) -> Any:
    """What is compared of what rules see: the entity's quotas."""
    return {key: float(value) for key, value in state["quotas"].items()}


def unchanged(case: Case) -> Any:
    """What is there before: the entity's quotas."""
    return next(iter(case.state.get("quotas", {}).values()), {})


def answers(broker: Broker, every: Sequence[Case]) -> Answers:
    """What the broker answers to each case, and the quotas afterwards of entities that no other case alters."""
    before = [
        _case(case.name, case.request["entity"], [_set(key, value) for key, value in quotas.items()])
        for case in every
        for quotas in case.state.get("quotas", {}).values()
    ]
    assert [] == [answer for answer in _alter(broker, before).values() if answer.code]
    first: dict[Any, Case] = {}
    for case in every:
        first.setdefault(_entity(case.request["entity"]), case)
    reported = _alter(broker, [case for case in every if case is not first[_entity(case.request["entity"])]], only=True)
    done = _alter(broker, list(first.values()))
    after = _described(broker)
    clear(broker)
    return reported | {case.name: replace(done[case.name], after=after.get(key, {})) for key, case in first.items()}


def clear(broker: Broker) -> None:
    """Remove every quota: one of all users would throttle whatever asks the broker next."""
    entries = [
        {
            "entity": [{"entityType": part.entity_type, "entityName": part.entity_name} for part in entry.entity],
            "ops": [{"key": one.key, "value": 0.0, "remove": True} for one in entry.values],
        }
        for entry in broker.send("DescribeClientQuotas", {"components": [], "strict": False}).entries
    ]
    response = broker.send("AlterClientQuotas", {"entries": entries, "validateOnly": False})
    assert {0} == {entry.error_code for entry in response.entries}


def _alter(broker: Broker, every: Sequence[Case], *, only: bool = False) -> dict[str, Answer]:
    """Alter quotas, or only ask whether they may be."""
    return broker.answers(
        "AlterClientQuotas",
        {case.name: (_entity(case.request["entity"]), case.sent) for case in every},
        lambda entries: {"entries": entries, "validateOnly": only},
        lambda response: (
            (_described_entity(entry.entity), entry.error_code, entry.error_message) for entry in response.entries
        ),
    )


def _described(broker: Broker) -> dict[Any, dict[str, float]]:
    """The quotas of every entity, once the broker knows what the controller has done."""
    user = unused("last")
    last = _case("last", {"user": user}, [_set(_KEYS[0], 1)])
    assert _alter(broker, [last])["last"].code == 0

    def read() -> dict[Any, dict[str, float]] | None:
        entries = broker.send("DescribeClientQuotas", {"components": [], "strict": False}).entries
        found = {_described_entity(entry.entity): {one.key: one.value for one in entry.values} for entry in entries}
        return found if _entity({"user": user}) in found else None

    return eventually(read, "the broker knows of all quotas")


def _described_entity(entity: Any) -> frozenset[tuple[str, str | None]]:
    fields = {type_: field for field, type_ in _TYPES.items()}
    return _entity({fields.get(part.entity_type, part.entity_type): part.entity_name for part in entity})
