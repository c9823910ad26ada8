"""Requests about a cluster as a whole, each decided as one: what it is about, and its decision input."""

from collections.abc import Sequence
from typing import Any

from warden.policy.adapter.fields import Malformed
from warden.policy.adapter.structs import Struct, list_structs, parse_code, parse_structs, parse_text
from warden.policy.adapter.topic_ids import format_topic_id

__all__ = [
    "build_election",
    "build_election_refusal",
    "build_feature_updates",
    "build_log_dirs_refusal",
    "parse_moves",
    "parse_unregistration",
    "parse_voter",
]

_UPGRADE, _SAFE_DOWNGRADE = 1, 2
_UPGRADE_TYPES = {_UPGRADE: "UPGRADE", _SAFE_DOWNGRADE: "SAFE_DOWNGRADE", 3: "UNSAFE_DOWNGRADE"}
"""FeatureUpdate.UpgradeType by its code."""
_ELECTION_TYPES = {0: "PREFERRED", 1: "UNCLEAN"}
"""ElectionType by its code."""

_UPDATES_FAILED = "The update failed for all features since the following feature had an error: "


def build_feature_updates(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the updates of UpdateFeatures; before version 1 a downgrade that is allowed is a safe one."""
    updates = [_parse_feature_update(struct) for struct in parse_structs(request, "featureUpdates")]
    return ", ".join(update["feature"] for update in updates), {"featureUpdates": updates}


def _parse_feature_update(struct: Struct) -> dict[str, Any]:
    feature, level = parse_text(struct, "feature"), parse_code(struct, "maxVersionLevel")
    code = parse_code(
        {"upgradeType": _SAFE_DOWNGRADE if struct.get("allowDowngrade") else _UPGRADE, **struct}, "upgradeType"
    )
    if code not in _UPGRADE_TYPES:
        why = "The controller does not support the given upgrade type."
        text = f"{_UPDATES_FAILED}Invalid update version {level} for feature {feature}. {why}"
        raise Malformed(text, (95, "INVALID_UPDATE_VERSION"))
    return {"feature": feature, "maxVersionLevel": level, "upgradeType": _UPGRADE_TYPES[code]}


def parse_unregistration(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the broker of UnregisterBroker (KIP-631)."""
    broker = str(parse_code(request, "brokerId"))
    return broker, {"broker": broker}


def parse_voter(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the voter of AddRaftVoter and RemoveRaftVoter (KIP-853): its id, and that of its metadata's directory."""
    voter = str(parse_code(request, "voterId"))
    return voter, {"voter": voter, "directory": format_topic_id(request.get("voterDirectoryId")) or ""}


def parse_moves(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the replicas of AlterReplicaLogDirs (KIP-113), with the log directory that each is to move to."""
    replicas: list[dict[str, Any]] = [
        {
            "topic": parse_text(topic, "name"),
            "partitions": _parse_partitions(topic),
            "directory": parse_text(dir_, "path"),
        }
        for dir_ in parse_structs(request, "dirs")
        for topic in parse_structs(dir_, "topics")
    ]
    return ", ".join(replica["topic"] for replica in replicas), {"replicas": replicas}


def build_log_dirs_refusal(request: Struct, error: Struct) -> dict[str, Any]:
    """Return the response to moves that are refused: each partition has the error."""
    topics = [topic for dir_ in list_structs(request.get("dirs")) for topic in list_structs(dir_.get("topics"))]
    results = [
        {
            "topicName": topic.get("name"),
            "partitions": [{"partitionIndex": partition, **error} for partition in _parse_list(topic, "partitions")],
        }
        for topic in topics
    ]
    return {"errorCode": 0, "results": results}


def build_election(request: Struct) -> tuple[str, dict[str, Any]]:
    """Return the election of ElectLeaders; before version 1 all are of the preferred replicas."""
    code = parse_code({"electionType": 0, **request}, "electionType")
    if code not in _ELECTION_TYPES:
        raise Malformed(f"Unknown election type {code}")
    parsed: dict[str, Any] = {"electionType": _ELECTION_TYPES[code], "topicPartitions": None}
    if request.get("topicPartitions") is None:
        return "every partition", parsed
    named = parse_structs(request, "topicPartitions")
    parsed["topicPartitions"] = [
        {"topic": parse_text(struct, "topic"), "partitions": _parse_partitions(struct)} for struct in named
    ]
    return ", ".join(topic["topic"] for topic in parsed["topicPartitions"]), parsed


def build_election_refusal(request: Struct, error: Struct) -> dict[str, Any]:
    """Return the response to an election that is refused: clients show the text that stands at a partition."""
    named = [
        {
            "topic": struct.get("topic"),
            "partitionResult": [{"partitionId": partition, **error} for partition in _parse_list(struct, "partitions")],
        }
        for struct in list_structs(request.get("topicPartitions"))
    ]
    if any(result["partitionResult"] for result in named):
        return {"errorCode": 0, "replicaElectionResults": named}
    return {"errorCode": error["errorCode"], "replicaElectionResults": []}


def _parse_partitions(struct: Struct) -> list[Any]:
    if struct.get("partitions") is not None and not isinstance(struct["partitions"], list | tuple):
        raise Malformed("partitions: must be a list")
    return list(_parse_list(struct, "partitions"))


def _parse_list(struct: Struct, field: str) -> Sequence[Any]:
    """Return what stands in a list; of what is none, nothing."""
    value = struct.get(field)
    return value if isinstance(value, list | tuple) else ()
