"""Names of audited resources: no two of a cluster have one."""

from typing import Any

from warden.analyse.scan.audits import OPERATIONS, iter_audits, list_audited_kinds

READ = {"permissionType": "ALLOW", "operation": "READ", "resourceType": "TOPIC", "patternType": "LITERAL", "host": "*"}
OWN: dict[str, list[list[Any]]] = {operation: [] for operation in OPERATIONS.values()}
OWN["AuditAcl"] = [["topics", {"of": "resourceName"}]]


def list_names(state: dict[str, Any]) -> list[str]:
    """The names of what is audited."""
    return [audit.resource for audit in iter_audits(state, dict.fromkeys(list_audited_kinds(state), "c"), OWN)]


def test_acls() -> None:
    """A group's name and a principal's may be any text; one with blanks is quoted, and a common one is not."""
    acls = [
        {**READ, "resourceName": "a", "principal": "User:b to User:c"},
        {**READ, "resourceName": "a to User:b", "principal": "User:c"},
        {**READ, "resourceName": "a", "principal": "User:b"},
    ]

    assert [
        'ALLOW READ on LITERAL TOPIC a to "User:b to User:c" from *',
        'ALLOW READ on LITERAL TOPIC "a to User:b" to User:c from *',
        "ALLOW READ on LITERAL TOPIC a to User:b from *",
    ] == list_names({"acls": {"any": acls}})


def test_clients() -> None:
    """A name with a comma or a quote is quoted."""
    configs: dict[str, Any] = {"a, client-id b": {"": {}}, "a": {"b": {}}, '"a"': {"": {}}}

    assert {'user "a, client-id b"', "user a, client-id b", r'user "\"a\""'} == set(
        list_names({"clientConfigs": configs})
    )
