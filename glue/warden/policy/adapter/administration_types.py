"""Rows of requests about a cluster as a whole, its groups and its delegation tokens."""

from collections.abc import Mapping

from warden.policy.adapter.administration import (
    build_election,
    build_election_refusal,
    build_feature_updates,
    build_log_dirs_refusal,
    parse_moves,
    parse_unregistration,
    parse_voter,
)
from warden.policy.adapter.delegation_tokens import parse_expiry, parse_new_token, parse_renewal
from warden.policy.adapter.group_offsets import (
    build_commit_refusal,
    parse_commit,
    parse_deleted_offsets,
    parse_deleted_share_offsets,
    parse_share_offsets,
)
from warden.policy.adapter.request_type import RequestType

__all__ = ["ADMINISTRATION_TYPES"]

ADMINISTRATION_TYPES: Mapping[str, RequestType] = {
    "UpdateFeatures": RequestType(
        operation="UpdateFeatures", validates=True, resource="features", read_whole=build_feature_updates
    ),
    "ElectLeaders": RequestType(
        operation="ElectLeaders",
        resource="leaders",
        read_whole=build_election,
        refuse_whole=build_election_refusal,
        whole_since=1,
    ),
    "UnregisterBroker": RequestType(
        operation="UnregisterBroker", resource="registration", read_whole=parse_unregistration
    ),
    "AddRaftVoter": RequestType(operation="AddRaftVoter", resource="voter", read_whole=parse_voter),
    "RemoveRaftVoter": RequestType(operation="RemoveRaftVoter", resource="voter", read_whole=parse_voter),
    "AlterReplicaLogDirs": RequestType(
        operation="AlterReplicaLogDirs",
        text_since=None,
        resource="log directories",
        read_whole=parse_moves,
        refuse_whole=build_log_dirs_refusal,
    ),
    "CreateDelegationToken": RequestType(
        operation="CreateDelegationToken", text_since=None, resource="token", read_whole=parse_new_token
    ),
    "RenewDelegationToken": RequestType(
        operation="RenewDelegationToken", text_since=None, resource="token", read_whole=parse_renewal
    ),
    "ExpireDelegationToken": RequestType(
        operation="ExpireDelegationToken", text_since=None, resource="token", read_whole=parse_expiry
    ),
    "DeleteGroups": RequestType(
        lists=("groupsNames",),
        operation="DeleteGroup",
        response="results",
        text_since=3,
        resource="group",
        subject="group",
        echo=lambda struct: {"groupId": struct.get("name")},
    ),
    "OffsetDelete": RequestType(
        operation="DeleteGroupOffsets", text_since=None, resource="group", read_whole=parse_deleted_offsets
    ),
    **dict.fromkeys(
        ("OffsetCommit", "TxnOffsetCommit"),
        RequestType(
            operation="AlterGroupOffsets",
            text_since=None,
            resource="group",
            read_whole=parse_commit,
            refuse_whole=build_commit_refusal,
        ),
    ),
    "AlterShareGroupOffsets": RequestType(
        operation="AlterGroupOffsets", resource="group", read_whole=parse_share_offsets
    ),
    "DeleteShareGroupOffsets": RequestType(
        operation="DeleteGroupOffsets", resource="group", read_whole=parse_deleted_share_offsets
    ),
}
"""By the name of the request, without ``Request``."""
