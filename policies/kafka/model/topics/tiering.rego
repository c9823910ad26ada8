package kafka.model.topics

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.configs

# METADATA
# description: |
#   What Kafka refuses of overrides that ask for tiered storage, once all values are valid and only the first of it
#   (LogConfig.validateTopicLogConfigValues, 4.4). What counts are the values in force. Controllers look at their own
#   configuration, which nobody tells: it is taken to be as the brokers', and tiered storage to be off where every
#   broker tells that its own is.
_tiering_errors(document, overrides) := {errors.new("INVALID_CONFIG", message) |
	configs.typed("topic", "remote.storage.enable", overrides["remote.storage.enable"]) # which few topics have
	configs.invalid("topic", overrides) == set()
	message := _tiering_message(document, overrides)
}

# As `_tiering_errors`, of a change that touches some of what Kafka looks at.
_tiering_change_errors(document, overrides, touched) := _tiering_errors(document, overrides) if {
	some name in touched
	name in _tiering_config_names
} else := set()

_tiering_config_names := {"cleanup.policy", "remote.log.copy.disable", "remote.storage.enable"} | {name |
	some kept in _retention_names
	some name in [kept, $"local.{kept}"]
}

_tiering_message(document, overrides) := message if {
	brokers := object.remove(cluster.part(document, "brokers"), [""]) # no default of all brokers can turn it on
	{object.get(broker, ["configs", "remote.log.storage.system.enable"], null) | some broker in brokers} == {"false"}
	message := concat("", [
		"Tiered Storage functionality is disabled in the broker. ",
		"Topic cannot be configured with remote log storage.",
	])
} else := _tiering_problem(object.union_n([
	configs.topic_defaults(document),
	configs.values("topic", overrides),
	_retention_values_as_written(overrides),
]))

# Kafka compares the numbers that stand there, whichever of them mean no limit.
_retention_values_as_written(overrides) := {name: configs.parsed("topic", name, overrides[name]) |
	some kept in _retention_names
	some name in [kept, $"local.{kept}"]
}

_tiering_problem(values) := message if {
	{policy | some policy in values["cleanup.policy"]} - {"delete"} != set()
	message := concat("", [
		"Remote log storage only supports topics with cleanup.policy=delete ",
		"or cleanup.policy being an empty list.",
	])
} else := array.flatten([
	_local_retention_problems(values),
	_remote_copy_lag_problems(values),
	_disabled_remote_copy_problems(values),
])[0]

_local_retention_problems(values) := [$"Invalid value {local} for configuration local.{name}: {problem}" |
	some name in _retention_names
	local := values[$"local.{name}"]
	problem := _local_retention_problem(name, local, values[name])
]

# What Kafka looks at first.
_retention_names := ["retention.bytes", "retention.ms"]

# -2 is the whole of what is kept, -1 no limit.
_local_retention_problem(name, -1, limit) := $"Value must not be -1 as {name} value is set as {limit}." if limit > -1

_local_retention_problem(name, local, limit) := $"Value must not be more than {name} property value: {limit}" if {
	limit > -1
	local > limit
}

# From 4.4 on a segment is copied at the latest when local retention would delete it.
_remote_copy_lag_problems(values) := [concat("", [
	$"Invalid value {lag} for configuration remote.copy.lag.{unit}: ",
	$"Value must not exceed local.retention.{unit} (effective value: {kept})",
]) |
	some unit in ["bytes", "ms"]
	lag := values[$"remote.copy.lag.{unit}"]
	kept := _local_retention(values, unit)
	kept > -1
	lag > max([0, kept])
]

_local_retention(values, unit) := values[$"retention.{unit}"] if {
	values[$"local.retention.{unit}"] == -2
} else := values[$"local.retention.{unit}"]

_disabled_remote_copy_problems(values) := [message |
	values["remote.log.copy.disable"]
	some name in _retention_names
	not values[$"local.{name}"] in {-2, values[name]}
	message := concat("", [
		$"When `remote.log.copy.disable` is set to true, the `local.{name}` and `{name}` must be set to the identical ",
		"value because there will be no more logs copied to the remote storage.",
	])
]

# METADATA
# description: |
#   What Kafka refuses of an alteration that turns tiered storage off: to leave behind what the remote store has. Of
#   what was there before it reads the text as it stands, white space and all.
_tiering_disablement_errors(before, after) := {errors.new("INVALID_CONFIG", message) |
	lower(before["remote.storage.enable"]) == "true" # which few topics have
	{false} == {configs.typed("topic", name, object.get(after, name, "false")) |
		some name in ["remote.storage.enable", "remote.log.delete.on.disable"]
	}
	configs.invalid("topic", after) == set()
	message := concat(" ", [
		"It is invalid to disable remote storage without deleting remote data.",
		"If you want to keep the remote data and turn to read only,",
		"please set `remote.storage.enable=true,remote.log.copy.disable=true`.",
		"If you want to disable remote storage and delete all remote data,",
		"please set `remote.storage.enable=false,remote.log.delete.on.disable=true`.",
	])
}
