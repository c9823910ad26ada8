package checks.site

# METADATA
# title: Policies of ConfigMaps
# description: |
#   What keeps modules of ConfigMaps from being loaded: pairs of the module's path and a sentence. `input.modules` has
#   sources by configmaps/NAMESPACE/NAME/KEY, and `input.namespaces` by namespace what its policies may be about
#   (`fleet` or `namespace`). They may be about placement alone, since who may write a ConfigMap has no say about Kafka,
#   and read what data.catalog.placement.policyReads lists: nothing else of `data`, and nothing that is found only when
#   the policy is evaluated.
# entrypoint: true
config_map_problems contains [path, problem] if {
	some path, module in _modules
	some problem in _config_map_problems(path, module)
}

_config_map_problems(path, module) := {problem} if {
	names := _package_path(module)
	own := _own_package(path)
	not _is_own_package(names, own)
	maps := _config_maps_text(path)
	problem := $"package {_dotted_name(names)} is not for {maps}: use {_package_text(own)} or {_package_text(own)}.NAME"
} else := (_about_rule_problems(module) | _read_problems(path, module)) | _with_keyword_problems(module)

_is_own_package(names, own) if {
	array.slice(names, 0, count(own)) == own
	(count(names) - count(own)) in {0, 1}
}

_namespace(path) := split(path, "/")[1]

_namespace_scope(path) := object.get(input.namespaces, _namespace(path), "none")

# Where what a ConfigMap says is evaluated.
_own_package(path) := ["site", "placement"] if {
	_namespace_scope(path) == "fleet"
} else := ["site", "tenants", _namespace(path)]

_config_maps_text(path) := "ConfigMaps" if {
	_namespace_scope(path) == "fleet"
} else := $"ConfigMaps of namespace {_namespace(path)}"

_package_text(["site", "placement"]) := "site.placement"

_package_text(["site", "tenants", namespace]) := $"site.tenants[{json.marshal(namespace)}]"

# Prefixes of `data`, in which * stands for the ConfigMap's own namespace.
_readable_prefixes(path) := {[_expanded_name(name, _namespace(path)) | some name in prefix] |
	some prefix in data.catalog.placement.policyReads[_namespace_scope(path)]
}

_expanded_name("*", namespace) := namespace

_expanded_name(name, _) := name if name != "*"

_data_term := {"type": "var", "value": "data"}

_read_problems(path, module) := {problem |
	readable := _readable_prefixes(path)
	some names in _data_paths(module)
	not _is_readable(names, readable)
	listed := concat(", ", sort({concat(".", array.concat(["data"], prefix)) | some prefix in readable}))
	problem := $"{concat(".", array.concat(["data"], names))} is not for {_config_maps_text(path)}: read below {listed}"
}

_is_readable(names, readable) if {
	some prefix in readable
	array.slice(names, 0, count(prefix)) == prefix
}

# What a module refers to below `data`, as far as that is written down; [] for `data` itself.
_data_paths(module) := {_literal_names_after_head(list) |
	walk([object.get(module, "imports", []), object.get(module, "rules", [])], [_, list])
	is_array(list)
	list[0] == _data_term
} | {[] |
	walk([object.get(module, "imports", []), object.get(module, "rules", [])], [at, node])
	node == _data_term
	at[count(at) - 1] != 0
}

_literal_names_after_head(list) := [term.value |
	some i in numbers.range(1, count(list) - 1)
	term := list[i]
	every before in array.slice(list, 1, i + 1) { before.type == "string" }
] if {
	count(list) > 1
} else := []

# Another `data`, or another function, would have a rule of the bundle read or decide what it does not.
_with_keyword_problems(module) := {problem |
	walk(object.get(module, "rules", []), [_, expression])
	some replaced in expression["with"]
	head := _head_name(replaced.target)
	head != "input"
	problem := $"with {head} is not for ConfigMaps: use with input alone"
}

# A function whose name has no dot is no reference.
_head_name(target) := target.value if target.type == "var"

_head_name(target) := target.value[0].value if target.type == "ref"

# METADATA
# title: What cannot be read
# description: |
#   The paths of `input.modules` that are not Rego. The compiler says where; nothing is loaded of which nobody has seen
#   what it reads, whatever the compiler says.
# entrypoint: true
config_map_unread contains path if {
	some path, _ in input.modules
	not _modules[path]
}

# METADATA
# title: What ConfigMaps define
# description: The paths of `input.modules` by the rule that they define, to name all of those that conflict.
# entrypoint: true
config_map_rules[name] contains path if {
	some path, module in _modules
	some rule in module.rules
	name := concat(".", array.flatten(["data", _package_path(module), _head_names(rule.head.ref)]))
}

_head_names(ref) := [ref[0].value | ref[0]] if {
	count(ref) == 1
} else := array.concat([ref[0].value], _literal_names_after_head(ref))
