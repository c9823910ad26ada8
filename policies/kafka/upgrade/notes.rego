# METADATA
# description: What an upgrade changes for every cluster, whatever it has.
package kafka.upgrade

import data.kafka.lists

_all_notes := array.flatten([_request_version_notes, _config_type_notes, _release_change_notes, _history_limit_notes])

_request_version_notes := [$"Kafka {input.to} no longer takes versions of requests that old clients send: {shown}" |
	shown := concat(", ", [$"{api} below {after.min}" |
		some api, [before, after] in _changed_steps_by_name(data.catalog.history.apis, "min")
		before.min < after.min
	])
	shown != ""
]

_config_type_notes := [$"in Kafka {input.to} configs of {component}s have other types: {shown}" |
	some component, steps in data.catalog.history.configs
	shown := concat(", ", [$"{name} {after.type} ({before.type} before)" |
		some name, [before, after] in _changed_steps_by_name(steps, "type")
	])
	shown != ""
]

_release_change_notes := [$"from Kafka {release} on {change}" |
	some release, changes in data.catalog.releases.changes
	lists.version(input.from) < lists.version(release)
	lists.version(input.to) >= lists.version(release)
	some change in changes
]

_history_limit_notes := [$"configs are compared from Kafka {_oldest_release} on: what was changed before is not known" |
	lists.version(input.from) < _oldest_version
]

# By name the two steps of which a field is another.
_changed_steps_by_name(history, field) := {name: [before, after] |
	some name, steps in history
	before := step_at(steps, lists.version(input.from))
	after := step_at(steps, lists.version(input.to))
	before[field] != after[field]
}

_oldest_release := [minor | some minor, version in _version_by_minor_release; version == _oldest_version][0]

_oldest_version := min({version | some version in _version_by_minor_release})
