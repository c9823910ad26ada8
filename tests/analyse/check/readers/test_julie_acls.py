"""The ACLs that JulieOps makes of consumers and producers, as its AclsBindingsBuilder does."""

from typing import Any

from tests.analyse.check.conftest import Read

TOPOLOGY = """\
context: shop
projects:
  - name: orders
    consumers:
      - {principal: "User:c"}
      - {principal: "User:g", group: "eu-*"}
    producers:
      - {principal: "User:p"}
      - {principal: "User:i", idempotence: "true"}
    topics:
      - {name: a}
      - name: b
        producers:
          - {principal: "User:t", transactionId: "tx-*"}
"""


def test_each_acl_once(read: Read) -> None:
    """For each topic of the project its own, for groups and the cluster one; a star at the end is a prefix."""
    contents = read(TOPOLOGY)
    acls = [one for one in contents.declared if one.operation == "CreateAcl"]
    found = [_short(one.request["acl"]) for one in acls]
    a, b = (
        [
            *[f"User:{user} {what} TOPIC shop.orders.{name}" for user in "cg" for what in ("DESCRIBE", "READ")],
            *[f"User:{user} {what} TOPIC shop.orders.{name}" for user in "pi" for what in ("DESCRIBE", "WRITE")],
        ]
        for name in "ab"
    )
    transactional = [
        *[f"User:t {what} TOPIC shop.orders.b" for what in ("DESCRIBE", "WRITE")],
        *[f"User:t {what} TRANSACTIONAL_ID tx- PREFIXED" for what in ("DESCRIBE", "WRITE")],
        "User:t IDEMPOTENT_WRITE CLUSTER kafka-cluster",
    ]
    once = ["User:c READ GROUP *", "User:g READ GROUP eu- PREFIXED", "User:i IDEMPOTENT_WRITE CLUSTER kafka-cluster"]

    assert [] == contents.faults
    assert sorted([*a, *b, *once, *transactional]) == sorted(found)
    assert {"*"} == {one.request["acl"]["host"] for one in acls}
    assert {5, 6, 8, 9, 14} == {one.line for one in acls}


def _short(acl: dict[str, Any]) -> str:
    prefixed = "" if acl["patternType"] == "LITERAL" else " PREFIXED"
    return f"{acl['principal']} {acl['operation']} {acl['resourceType']} {acl['resourceName']}{prefixed}"
