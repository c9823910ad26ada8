"""A real broker as the oracle: what it answers to a request, and what it has stored afterwards."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from warden.base.toolchain import versions
from warden.demo.class_path import build_class_path
from warden.demo.java import run_java
from warden.state.sources.kafka.change_requests import _RESULTS, _build_message
from warden.state.sources.kafka.login.connection import Connection

__all__ = ["Answer", "Oracle", "stored_topic"]

Answer = tuple[int, str | None]
"""Kafka's error code, 0 for none, and its text."""


class Oracle:
    """The broker.

    Args:
        connection: To it.
        data: Its ``log.dirs``: stored configs are read from the metadata log, as describing them shows lists parsed.
    """

    def __init__(self, connection: Connection, data: Path) -> None:
        self.connection = connection
        self._data = data

    def response(self, form: str, request: Mapping[str, Any]) -> Any:
        """Send a request in the writing of Kafka's JSON and return kafka-python's response."""
        from kafka.protocol import admin

        return self.connection.send(_build_message(getattr(admin, f"{form}Request"), request), check=False)

    def answers(self, form: str, request: Mapping[str, Any]) -> list[tuple[str, Answer]]:
        """Return the answer about each resource, or partition, with the resource's name, in the response's order."""
        found = []
        for result in getattr(self.response(form, request), _RESULTS.get(form, "responses")):
            name = str(getattr(result, "resource_name", None) or getattr(result, "name", None))
            found += [
                (name, (int(part.error_code), getattr(part, "error_message", None)))
                for part in (getattr(result, "partitions", None) or [result])
            ]
        return found

    def create(self, topics: Mapping[str, Mapping[str, str]]) -> None:
        """Create topics of one partition with some overrides each."""
        elements = [
            {
                "name": name,
                "numPartitions": 1,
                "replicationFactor": 1,
                "assignments": [],
                "configs": [{"name": key, "value": value} for key, value in configs.items()],
            }
            for name, configs in topics.items()
        ]
        request = {"topics": elements, "timeoutMs": 300_000, "validateOnly": False}
        refused = [(name, answer) for name, answer in self.answers("CreateTopics", request) if answer[0]]
        assert [] == refused

    def stored(self) -> dict[str, dict[str, str]]:
        """Return the overrides of every topic, character by character as the controller keeps them."""
        found: dict[str, dict[str, str]] = {}
        tools = build_class_path(versions.KAFKA_MODULES.get(versions.KAFKA, {}).get("kafka-tools", versions.KAFKA))
        for log in sorted(self._data.glob("__cluster_metadata-0/*.log")):
            arguments = ["--cluster-metadata-decoder", "--files", str(log)]
            printed = run_java("org.apache.kafka.tools.DumpLogSegments", arguments, class_path=tools)
            for line in printed.splitlines():
                if '"CONFIG_RECORD"' in line:
                    record = json.loads(line.partition("payload: ")[2])["data"]
                    overrides = found.setdefault(record["resourceName"], {})
                    overrides.pop(record["name"], None)
                    if record["value"] is not None:
                        overrides[record["name"]] = record["value"]
        return found


def stored_topic(configs: Mapping[str, str]) -> dict[str, Any]:
    """Return the contract's topic of one partition and one replica, with these configs."""
    return {
        "numPartitions": 1,
        "replicationFactor": 1,
        "replicasAssignments": {"0": [1]},
        "configs": configs,
        "labels": {},
        "internal": False,
        "markedForDeletion": False,
        "reassigning": {},
    }
