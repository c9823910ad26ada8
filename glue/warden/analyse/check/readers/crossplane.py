"""ACLs of Crossplane's provider for Kafka; topics are a row of `formats`."""

from collections.abc import Iterator, Mapping
from typing import Final

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.nodes import Node
from warden.analyse.check.readers.acls import parse_acl

__all__ = ["parse_crossplane_acl"]

_PLACES: Final[Mapping[str, str]] = {
    "resourceType": "spec forProvider resourceType",
    "resourceName": "spec forProvider resourceName",
    "patternType": "spec forProvider resourcePatternTypeFilter",
    "principal": "spec forProvider resourcePrincipal",
    "host": "spec forProvider resourceHost",
    "operation": "spec forProvider resourceOperation",
    "permissionType": "spec forProvider resourcePermissionType",
}


def parse_crossplane_acl(node: Node, file: str) -> Iterator[Declaration]:
    """Yield the ACL of an AccessControlList.

    Raises:
        UnusableDeclaration: A value is missing or cannot be read, is one of a filter, or is not what the provider
            does: it allows whatever the file says.
    """
    declared = parse_acl(node, file, "crossplane", _PLACES, "spec providerConfigRef name")
    if declared.request["acl"]["permissionType"] == "DENY":
        line = declared.find_line(["acl", "permissionType"])
        raise UnusableDeclaration(
            line, "the provider allows what is denied here, and this is not evaluated: deny it otherwise"
        )
    yield declared
