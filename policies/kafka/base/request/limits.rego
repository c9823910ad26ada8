package kafka.base.request

# METADATA
# description: |
#   What of a decision input is larger than anything that Kafka's clients send, one sentence each: looked at before
#   anything else of it, since the work of a decision grows with each of these, some with its square. What is known of
#   clusters is not looked at, and neither is an input of few bytes, as nearly all have.
# scope: document
default excesses(_) := set()

excesses(document) := _excesses_of_large_input(object.remove(document, _unlimited_fields)) if {
	count(json.marshal(object.remove(document, _unlimited_fields))) > data.catalog.limits.decision.bytes
}

# METADATA
# description: What is too large about a batch, for which all its items are refused.
batch_excesses(items) := {message} if {
	count(items) > data.catalog.limits.decision.items
	message := $"items: {count(items)} in one batch: send no more than {data.catalog.limits.decision.items}"
} else := set()

_unlimited_fields := {"clusterState", "clusters"}

# How many there are first, so that what is looked at one by one is no more than that. No function is called with a
# value: OPA would compare it with all that the function was called with before.
_excesses_of_large_input(document) := found if {
	found := {message |
		walk(document, [path, value])
		type_name(value) in {"array", "object"}
		count(value) > data.catalog.limits.decision.entries
		most := _max_entries(path)
		count(value) > most
		message := $"{_path_text(path)}: {count(value)} entries: send no more than {most}"
	}
	found != set()
} else := union({_text_length_excesses(document), _name_length_excesses(document), _nesting_excesses(document)})

_text_length_excesses(document) := {message |
	most := data.catalog.limits.decision.characters
	walk(document, [path, value])
	is_string(value)
	count(value) > most
	message := $"{_path_text(path)}: a text of {count(value)} characters: send no more than {most}"
}

_name_length_excesses(document) := {message |
	most := data.catalog.limits.decision.nameCharacters
	walk(document, [path, value])
	is_object(value)
	longest := max({count(name) | some name, _ in value})
	longest > most
	message := $"{_path_text(path)}: a name of {longest} characters: send none with more than {most}"
}

_nesting_excesses(document) := {message |
	most := data.catalog.limits.decision.depth
	walk(document, [path, _])
	count(path) == most + 1
	message := $"{_path_text(path)}: nested more than {most} levels deep"
}

_max_entries(path) := data.catalog.limits.decision.partitions if {
	path[0] == "request"
	path[1] in data.catalog.limits.decision.byPartition
} else := data.catalog.limits.decision.entries

_path_text([]) := "the input"

_path_text(path) := substring(concat(".", [$"{step}" | some step in path]), 0, 80) if path != []
