"""Rows of requests about a cluster as a whole, its groups and its delegation tokens."""

from collections.abc import Mapping

from warden.policy.adapter.administration import (
    build_election,
    build_feature_updates,
    build_log_dirs_refusal,
    read_moves,
    read_unregistration,
    read_voter,
    refuse_election,
)
from warden.policy.adapter.delegation_tokens import read_expiry, read_new_token, read_renewal
from warden.policy.adapter.group_offsets import (
    read_commit,
    read_deleted_offsets,
    read_deleted_share_offsets,
    read_share_offsets,
    refuse_commit,
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
        refuse_whole=refuse_election,
        whole_since=1,
    ),
    "UnregisterBroker": RequestType(
        operation="UnregisterBroker", resource="registration", read_whole=read_unregistration
    ),
    "AddRaftVoter": RequestType(operation="AddRaftVoter", resource="voter", read_whole=read_voter),
    "RemoveRaftVoter": RequestType(operation="RemoveRaftVoter", resource="voter", read_whole=read_voter),
    "AlterReplicaLogDirs": RequestType(
        operation="AlterReplicaLogDirs",
        text_since=None,
        resource="log directories",
        read_whole=read_moves,
        refuse_whole=build_log_dirs_refusal,
    ),
    "CreateDelegationToken": RequestType(
        operation="CreateDelegationToken", text_since=None, resource="token", read_whole=read_new_token
    ),
    "RenewDelegationToken": RequestType(
        operation="RenewDelegationToken", text_since=None, resource="token", read_whole=read_renewal
    ),
    "ExpireDelegationToken": RequestType(
        operation="ExpireDelegationToken", text_since=None, resource="token", read_whole=read_expiry
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
        operation="DeleteGroupOffsets", text_since=None, resource="group", read_whole=read_deleted_offsets
    ),
    **dict.fromkeys(
        ("OffsetCommit", "TxnOffsetCommit"),
        RequestType(
            operation="AlterGroupOffsets",
            text_since=None,
            resource="group",
            read_whole=read_commit,
            refuse_whole=refuse_commit,
        ),
    ),
    "AlterShareGroupOffsets": RequestType(
        operation="AlterGroupOffsets", resource="group", read_whole=read_share_offsets
    ),
    "DeleteShareGroupOffsets": RequestType(
        operation="DeleteGroupOffsets", resource="group", read_whole=read_deleted_share_offsets
    ),
}
"""By the name of the request, without ``Request``."""
