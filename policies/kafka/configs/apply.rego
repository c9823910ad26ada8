package kafka.configs

import data.kafka.lists

# METADATA
# description: |
#   The overrides of a resource of `kind` after `change` has been applied to `before`, following
#   ConfigurationControlManager (Kafka 4.3): APPEND and SUBTRACT start from the override or else from the
#   ConfigDef default, never from the broker's value.
# scope: document
after(kind, before, change) := object.union(object.remove(before, named), set_values) if {
	change.mode == "incremental"
	named := {op.name | some op in change.ops}
	set_values := {name: value |
		some name in named
		op := [op | some op in change.ops; op.name == name][0] # a doubled name is refused, and must not stop OPA
		value := _altered_text(object.get(before, name, _default_text(kind, name)), op)
	}
}

after(_, _, change) := {name: text | some name, text in change.entries; text != null} if change.mode == "full"

# Null stands for what is removed, as in KAFKA-15014.
after(_, _, change) := {name: text | some name, text in change.after; text != null} if change.mode == "resolved"

# METADATA
# description: What the change names, with the value it leaves there; null where it removes the override.
# scope: document
explicit(kind, before, change) := {op.name: object.get(result, op.name, null) | some op in change.ops} if {
	change.mode == "incremental"
	result := after(kind, before, change)
}

explicit(_, _, change) := change.entries if change.mode == "full"

explicit(_, before, change) := {name: object.get(change.after, name, null) |
	some name in (object.keys(before) | object.keys(change.after))
	object.get(before, name, null) != object.get(change.after, name, null)
} if {
	change.mode == "resolved"
}

# METADATA
# description: |
#   Overrides that a full replacement removes by not naming them; Kafka hides them from its policies (KAFKA-14195).
implicitly_deleted(before, change) := sort(object.keys(before) - object.keys(change.entries)) if {
	change.mode == "full"
} else := []

_altered_text(_, op) := op.value if {
	op.op == "SET"
	op.value != null
}

_altered_text(old, op) := concat(",", array.concat(_list_members(old), new)) if {
	op.op == "APPEND"
	present := {part | some part in _list_members(old)}
	new := lists.distinct([part | some part in _operand_members(op.value); not part in present])
}

# Each piece of the operand removes one occurrence, the first that is left, as List.remove does.
_altered_text(old, op) := concat(",", [part | some i, part in parts; not i in gone]) if {
	op.op == "SUBTRACT"
	parts := _list_members(old)
	pieces := _operand_members(op.value)
	gone := {place |
		some i, piece in pieces
		before := count([same | some same in array.slice(pieces, 0, i); same == piece])
		place := [j | some j, part in parts; part == piece][before]
	}
}

_default_text(kind, name) := object.get(data.catalog[kind].defaults.configs, name, "")

_list_members(text) := [part | some part in split(text, ","); part != ""]

# Java's String.split drops trailing empty pieces, but an empty string is one empty piece.
_operand_members("") := [""]

_operand_members(text) := split(trim_right(text, ","), ",") if trim_right(text, ",") != ""

_operand_members(text) := [] if {
	text != ""
	trim_right(text, ",") == ""
}
