package kafka.changes

# METADATA
# description: |
#   Topic configs whose value is another than the one that is declared, by name. What is declared and only in force by
#   default is the same, as is an override that says what would be in force anyway; `defaults` are the cluster's.
# scope: document
drifted(declared, overrides, defaults) := altered_names("topic", {
	"before": object.union(in_force, overrides),
	"after": object.union(in_force, declared),
}) if {
	in_force := {name: object.get(defaults, name, object.get(data.catalog.topic.configs, [name, "default"], null)) |
		some name in (object.keys(declared) | object.keys(overrides))
	}
}
