# METADATA
# title: Scopes of lists
# description: |
#   Which row of the catalogue a key of some component's file is about, also
#   behind a prefix (`data.catalog.listScopes`).
package kafka.lists.scope

# METADATA
# description: The component whose keys a file holds; `connector` stands for the one that its class and keys say.
# scope: document
component(name, _) := name if name != "connector"

component("connector", configs) := name if {
	name := data.catalog.listScopes.connectors[configs["connector.class"]]
} else := "connect-sink" if {
	some key in ["topics", "topics.regex"]
	key in object.keys(configs)
} else := "connect-source"

# METADATA
# description: Whether a component of this name is known.
# scope: document
is_known("connector") := true

is_known(name) if data.catalog.lists.components[name]

# METADATA
# description: The names of all components.
components := object.keys(data.catalog.lists.components) | {"connector"}

# METADATA
# description: |
#   The {name, row, value} of one key, `name` as Kafka names it once a prefix is off; null where the key is no
#   list-typed configuration of the component.
row(name, key) := object.get(rows(component(name, {}), {key: ""}), key, null)

# METADATA
# description: As `row`, for all keys of a file that are list-typed configurations, by key.
rows(name, configs) := object.union_n([
	_prefixed_rows_by_key(name, configs),
	_transform_rows_by_key(configs),
	_direct_rows_by_key(name, configs),
]) if {
	data.catalog.lists.components[name].transforms
} else := object.union(_prefixed_rows_by_key(name, configs), _direct_rows_by_key(name, configs)) if {
	count(data.catalog.listScopes.prefixes[name]) > 0 # its index reads the whole catalogue where one stands in
} else := _direct_rows_by_key(name, configs)

# METADATA
# description: |
#   As `rows`, with the rows that the cluster's own release has of a `kind` of resource, where an older one's catalogue
#   stands in. Of lists that it does not look at there are none.
own_rows(kind, name, configs) := {key: object.union(object.remove(entry, ["row"]), {"row": own[entry.name]}) |
	some key, entry in rows(name, configs)
	own[entry.name]
} if {
	own := data.catalog[kind].lists
} else := rows(name, configs)

# A key that is looked up costs little, the set of all keys a lot.
_direct_rows_by_key(name, configs) := {key: {"name": key, "row": row, "value": value} |
	some key, row in data.catalog.lists.components[name]
	value := configs[key]
}

_prefixed_rows_by_key(name, configs) := {key: {"name": rest, "row": row, "value": value} |
	some prefix in data.catalog.listScopes.prefixes[name]
	strings.any_prefix_match(object.keys(configs), prefix.starts)
	some key, value in configs
	startswith(key, prefix.starts)
	[before] := regex.find_n(prefix.pattern, key, 1)
	rest := substring(key, count(before), -1)
	row := [row | some owner in prefix.owners; row := data.catalog.lists.components[owner][rest]][0]
}

# transforms.<alias>.type names the class whose keys stand behind transforms.<alias>.
_transform_rows_by_key(configs) := {key: {"name": rest, "row": row, "value": value} |
	some alias in {alias |
		some key, _ in configs
		startswith(key, "transforms.")
		endswith(key, ".type")
		alias := trim_suffix(key, "type")
	}
	class := regex.replace(configs[$"{alias}type"], `^.*\.|\$(Key|Value)$`, "")
	some rest, row in data.catalog.lists.components[$"transform-{class}"]
	key := concat("", [alias, rest])
	value := configs[key]
}

# METADATA
# description: The keys of a component that have no default.
required(name) := {key |
	some key, row in data.catalog.lists.components[name]
	not "default" in object.keys(row)
	not key in object.get(data.catalog.listScopes.derived, name, [])
}
