"""Topics of Terraform's providers: where a resource has what of a topic, and what a plan does to it."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from warden.analyse.check.model import Declaration, UnusableDeclaration
from warden.analyse.check.readers.terraform.planned_change import PlannedChange, read_count, read_string
from warden.analyse.check.resolve import format_unknown_replicas, select_changed_numbers

__all__ = ["TopicAttributes"]


@dataclass(frozen=True)
class TopicAttributes:
    """Where a resource of a topic has its fields.

    Args:
        name, partitions, replicas, configs: Attributes; `replicas` is empty where the resource has none.
        absent_number: The number of partitions where nothing is said.
        shape: How configs are written: a map by name, one block with ``_`` in place of dots, or the text of JSON.
        tags: A list of ``key`` and ``value`` that are labels; empty for none.
        assignments: A list of ``partition_id`` and ``replica_ids``; empty for none.
    """

    name: str
    partitions: str
    replicas: str
    configs: str
    absent_number: int = -1
    shape: Literal["map", "block", "json"] = "map"
    tags: str = ""
    assignments: str = ""

    def read(self, action: str, change: PlannedChange) -> Declaration | None:
        """Return what is to be decided."""
        values = change.before if action == "delete" else change.after
        if action != "delete" and change.is_unknown(self.name):
            raise UnusableDeclaration(change.line, f"the topic's name {change.when}: it is not evaluated")
        topic = read_string(values, self.name)
        before = self._build_state(change.before) if action != "create" and change.before else None
        earlier = {"earlier_labels": self._build_labels(change.before)} if self.tags else {}
        if action == "delete":
            return change.declare("DeleteTopic", {"topic": topic}, before=before, **earlier)
        unknown = tuple(self._iter_unknown_pointers(change))
        if action == "create":
            request = {
                "topic": topic,
                **self._build_numbers(values),
                "configs": self._build_configs(values),
                **self._build_optional_fields(values),
            }
            return change.declare("CreateTopic", request, unknown=unknown)
        old, new = self._build_configs(change.before), self._build_configs(change.after)
        new |= {name: old[name] for name in self._list_unknown_configs(change) if name in old}
        if change.is_unknown(self.configs) or (self.shape == "block" and not change.after.get(self.configs)):
            new = dict(old)  # without the block they stay
        request = {"topic": topic, "configs": {"mode": "resolved", "before": old, "after": new}}
        before_numbers = self._build_numbers(change.before)
        request |= select_changed_numbers(self._build_numbers(values), before_numbers)
        note = format_unknown_replicas(request, before_numbers)
        labels = {"labels": self._build_labels(values), **earlier} if self.tags else {}
        return change.declare("AlterTopic", request, before=before, unknown=unknown, note=note, **labels)

    def locate(self, lines: Mapping[str, int]) -> dict[str, int]:
        """Return the line of each value by its path in the request.

        Args:
            lines: Line of each attribute, and of each element of one behind a ``/``.
        """
        places = {self.name: "topic", self.partitions: "numPartitions", self.replicas: "replicationFactor"}
        request_lines = {places[name]: line for name, line in lines.items() if name in places}
        for path, line in lines.items():
            name, slash, key = path.partition("/")
            if name == self.configs:
                request_lines[f"configs{slash}{key.replace('_', '.') if self.shape == 'block' else key}"] = line
        return request_lines

    def _iter_unknown_pointers(self, change: PlannedChange) -> Iterator[str]:
        if change.is_unknown(self.partitions):
            yield "/request/numPartitions"
        if not self.replicas or change.is_unknown(self.replicas):
            yield "/request/replicationFactor"
        if self.tags and isinstance(change.unknown, dict) and change.unknown.get(self.tags):
            yield "/request/labels"
        if change.is_unknown(self.configs):
            yield "/request/configs"
        for key in self._list_unknown_configs(change):
            yield f"/request/configs/{key.replace('~', '~0').replace('/', '~1')}"

    def _build_state(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """The topic before the change, as far as the plan has refreshed it."""
        return {"replicationFactor": -1, **self._build_numbers(values), "configs": self._build_configs(values)}

    def _build_numbers(self, values: Mapping[str, Any]) -> dict[str, int]:
        numbers = {"numPartitions": read_count(values, self.partitions, self.absent_number)}
        return numbers | ({"replicationFactor": read_count(values, self.replicas, -1)} if self.replicas else {})

    def _build_optional_fields(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """What only some resources have: labels, and where replicas are placed."""
        tags = self._build_labels(values)
        placed = {str(entry["partition_id"]): entry["replica_ids"] for entry in values.get(self.assignments) or []}
        return ({"labels": tags} if tags else {}) | ({"replicasAssignments": placed} if placed else {})

    def _build_labels(self, values: Mapping[str, Any]) -> dict[str, str]:
        return {str(tag["key"]): str(tag.get("value") or "") for tag in values.get(self.tags) or []}

    def _build_configs(self, values: Mapping[str, Any]) -> dict[str, str]:
        configs: Any = values.get(self.configs) or {}
        if self.shape == "json" and configs:
            configs = json.loads(configs)
        if self.shape == "block" and configs:
            configs = {name.replace("_", "."): value for name, value in configs[0].items() if value != ""}
        return {name: _as_text(name, value) for name, value in configs.items() if value is not None}

    def _list_unknown_configs(self, change: PlannedChange) -> list[str]:
        if self.shape != "block":
            return change.list_unknown_keys(self.configs)
        blocks = change.unknown.get(self.configs) if isinstance(change.unknown, dict) else None
        inner = blocks[0] if isinstance(blocks, list) and blocks and isinstance(blocks[0], dict) else {}
        return [name.replace("_", ".") for name, value in inner.items() if value is True]


def _as_text(name: str, value: Any) -> str:
    """A value as Kafka gets it."""
    if isinstance(value, dict | list):
        raise UnusableDeclaration(1, f"{name} is a list or an object: write a string, its items with commas between")
    return json.dumps(value) if isinstance(value, bool) else str(value)
