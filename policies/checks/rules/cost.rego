package checks.rules

# METADATA
# description: |
#   Numbers are data. What remains are those that are no choice: nothing, one, and Kafka's -1 for "not limited" or
#   "default".
_number_problems contains _problem(file, term, $"the number {term.value} stands in a rule: make it a parameter") if {
	some file, module in _rule_modules
	some rule in module.rules
	walk(rule, [_, term])
	term.type == "number"
	not term.value in {-1, 0, 1}
}

# METADATA
# description: |
#   The cost of a decision does not grow with the cluster: topics are looked up by name, all of them are never looked
#   at. Whether they are known at all may be tested: a statement that is the reference alone.
_topic_iteration_problems contains _problem(file, term, message) if {
	some file, module in _modules
	startswith(file, "kafka/")
	some rule in module.rules
	walk(rule, [path, term])
	term.type == "ref"
	some i, part in term.value
	_are_all_topics(term.value, i, part)
	[i + 1, path[count(path) - 1]] != [count(term.value), "terms"]
	message := "all topics of a cluster are looked at: look one up by its name, or keep a total"
}

_are_all_topics(parts, i, part) if {
	part == object.union(part, {"type": "string", "value": "topics"})
	parts[i - 1].value != "totals"
	_is_iteration(parts, i + 1)
	some before in array.slice(parts, 0, i)
	before.value in {"clusters", "clusterState"}
}

_is_iteration(parts, next) if next == count(parts)

_is_iteration(parts, next) if {
	parts[next].type == "var"
	startswith(parts[next].value, "$")
}
