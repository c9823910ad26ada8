package kafka.lists

import data.kafka.lists.scope

# METADATA
# title: Lists under another release
# description: |
#   Which stored values of list-typed configurations a newer Kafka would refuse or read in another way. The input is
#   {"from", "to", "items": {key: {"component", "configs"}}}; the answer has findings under the same keys.
# entrypoint: true
default upgrade := {"errors": ["the input is missing: send {from, to, items}"], "findings": {}}

upgrade := {"errors": sort(_upgrade_problems), "findings": {}} if _upgrade_problems != set()

upgrade := {"errors": [], "findings": findings} if {
	_upgrade_problems == set()
	from := version(input.from)
	to := version(input.to)
	findings := {key: found |
		some key, item in input.items
		found := [object.union({"name": name}, outcome) |
			some name, entry in scope.rows(scope.component(item.component, item.configs), item.configs)
			outcome := outcome_under(entry.row, entry.name, entry.value, from, to)
		]
	}
}

# METADATA
# description: |
#   What the release `to` makes of a value that was stored under `from`, both as `version` has them: {outcome, message}
#   with outcome refused or reinterpreted; undefined where nothing changes, or the release is older than the KIP.
outcome_under(row, name, value, from, to) := {"outcome": "refused", "message": error} if {
	to >= version(row.since)
	error := _value_result(row, name, {"value": value}, "parse").errors[0]
} else := {"outcome": "reinterpreted", "message": message} if {
	to >= version(row.since)
	from < version(row.since)
	message := _reinterpretation_message(row, name, value)
}

_reinterpretation_message(_, name, value) := duplicates_warning(name, value)

_reinterpretation_message(row, name, value) := data.catalog.listScopes.emptyMeans[name] if {
	_list_or_error(name, value).list == []
	row.isEmptyAllowed
}

# METADATA
# description: A release as three numbers, so that releases compare; undefined where it is none.
version(text) := [to_number(major), to_number(minor), _number_or_zero(patch)] if {
	[[_, major, minor, patch]] := regex.find_all_string_submatch_n(`^([0-9]+)\.([0-9]+)(?:\.([0-9]+))?$`, text, 1)
}

_number_or_zero("") := 0

_number_or_zero(digits) := to_number(digits) if digits != ""

_upgrade_problems contains "the input is not an object: send {from, to, items}" if not is_object(input)

_upgrade_problems contains $"{field}: {json.marshal(release)} is not a release such as 4.2 or 4.2.0" if {
	is_object(input)
	some field in ["from", "to"]
	release := object.get(input, field, null)
	not version(release)
}

_upgrade_problems contains $"{field}: Kafka {release} is not known: the newest is {newest}, the oldest {oldest}" if {
	some field in ["from", "to"]
	release := input[field]
	known := data.catalog.releases.known
	not _minor_release(version(release)) in {_minor_release(version(one)) | some one in known}
	oldest := known[0]
	newest := known[count(known) - 1]
}

_upgrade_problems contains $"to: {input.to} is older than from, {input.from}" if version(input.to) < version(input.from)

_upgrade_problems contains "items: not an object of key to {component, configs}" if {
	is_object(input)
	not is_object(object.get(input, "items", null))
}

_upgrade_problems contains $"items.{key}: {problem}" if {
	is_object(input.items)
	some key, item in input.items
	some problem in _item_problems(item)
}

# A patch changes no list, and patches appear more often than Warden does; below 1.0 all three numbers name a release.
_minor_release(three) := array.slice(three, 0, 2) if three[0] > 0

_minor_release(three) := three if three[0] == 0

_item_problems(item) := {"not an object {component, configs}"} if {
	not is_object(item)
} else := {_unknown_component_problem(name) |
	name := object.get(item, "component", null)
	not scope.is_known(name)
} | {"configs: not an object of name to string or null" |
	not _has_text_or_null_values(object.get(item, "configs", null))
}

_has_text_or_null_values(configs) if {
	is_object(configs)
	every value in configs { type_name(value) in {"string", "null"} }
}
