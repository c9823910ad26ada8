package checks.state

# METADATA
# description: |
#   What of the cluster's state (`rules`) and of the prepared input (`inputs`) can change whether a rule is broken, by
#   the ids of the rules that read more than that: what is left out only fills its words or its patch. By that a rule is
#   not evaluated where something is not known. What fills words counts where it may be undefined, since the rule is
#   not broken then, and where it is of the rule's order, which says whether the change made it worse.
# entrypoint: true
deciding := {
	"rules": {id: some_parts | some id, some_parts in _deciding_parts; some_parts != parts.rules[id]},
	"inputs": {id: paths | some id, paths in _deciding_reads; paths != reads[id]},
}

_deciding_parts[id] := sort(union({own, others, _parts_behind_inputs(_deciding_reads[id])})) if {
	some id, file in input.rules
	own := _state_parts(file, _modules_without_message_terms[file])
	others := {part | some other in _deciding_files(file); some part in _parts_by_file[other]}
}

_deciding_reads[id] := sort(own | {path | some other in _deciding_files(file); some path in _reads_by_file[other]}) if {
	some id, file in input.rules
	own := _input_reads(_modules_without_message_terms[file])
}

_deciding_files(file) := graph.reachable(_used_files, first) - {file} if {
	family := _family_directory(file)
	named := _variable_names(_modules_without_message_terms[file].rules)
	first := {other |
		some other in _files_by_family[family]
		other != file
		_usable_names[other] & named != set()
	}
}

# A rule's file without its words, and without what of it only they use.
_modules_without_message_terms[file] := object.union(_modules[file], {"rules": rules}) if {
	some file in _rule_files
	orders := _order_arguments(input.modules[file])
	wordless := [_without_message_terms(rule, orders, file) | some rule in _modules[file].rules]
	wordless != _modules[file].rules
	names := _rego_rule_names(file)
	named := {name: union({_variable_names(rule) | some rule in wordless; rule.head.name == name}) | some name in names}
	seen := {name | some name in names; not startswith(name, "_")} | _names_used_elsewhere(file)
	used := graph.reachable(named, seen)
	rules := [rule | some rule in wordless; rule.head.name in used]
}

_rego_rule_names(file) := {rule.head.name | some rule in _modules[file].rules}

_names_used_elsewhere(file) := _rego_rule_names(file) & named if {
	family := _family_directory(file)
	named := union({_variable_names(_modules[other].rules) | some other in _files_by_family[family]; other != file})
}

_variable_names(tree) := {node.value | walk(tree, [_, node]); node.type == "var"}

# The arguments by which violation.new orders violations.
_order_arguments(source) := {names[1] |
	some names in regex.find_all_string_submatch_n(`(?:of|from): (\w+)`, line, -1)
} if {
	line := concat("", regex.find_n(`(?m)^# +order: .*$`, source, -1))
}

# Three rounds: what fills words, and what in turn fills only that.
_without_message_terms(rule, orders, file) := _blanked_rule(twice, _unused_assignment_places(twice, file)) if {
	rule.head.name == "deny"
	once := _blanked_rule(rule, _message_term_places(rule, orders, file))
	twice := _blanked_rule(once, _unused_assignment_places(once, file))
} else := rule

_blanked_rule(rule, places) := json.patch(rule, [{"op": "replace", "path": place, "value": {}} | some place in places])

# Places of words in the head, or in what a variable of the head is assigned.
_message_term_places(rule, orders, file) := {place |
	some n in [2, 4]
	[base, term] := _violation_argument(rule, n)
	some at in _blankable_paths(term, n, orders)
	place := array.concat(base, at)
	walk(term, [at, value])
	_is_always_defined(value, file)
}

_violation_argument(rule, n) := [["head", "key", "value", n], term] if {
	_is_ref_ending_in(rule.head.key.value[0], ["violation", "new"])
	term := rule.head.key.value[n]
	term.type != "var"
}

_violation_argument(rule, n) := [["body", i, "terms", 2], value] if {
	_is_ref_ending_in(rule.head.key.value[0], ["violation", "new"])
	term := rule.head.key.value[n]
	term.type == "var"
	[[i, value]] := [[i, expression.terms[2]] |
		some i, expression in rule.body
		_assigned_name(expression) == term.value
	]
}

# The values of arguments one by one; a patch as a whole.
_blankable_paths(_, 4, _) := {[]}

_blankable_paths(term, 2, orders) := {["value", i, 1] |
	term.type == "object"
	some i, [key, _] in term.value
	not key.value in orders
}

_unused_assignment_places(rule, file) := {["body", i, "terms", 2] |
	some i, expression in rule.body
	name := _assigned_name(expression)
	count([1 | walk(rule, [_, node]); node.type == "var"; node.value == name]) == 1
	_is_always_defined(expression.terms[2], file)
}

_assigned_name(expression) := expression.terms[1].value if {
	_is_ref_ending_in(expression.terms[0], ["assign"])
	expression.terms[1].type == "var"
}
