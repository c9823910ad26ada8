# METADATA
# title: A site's own modules
# description: |
#   What keeps a site's modules from being evaluated, or has them change Warden's own rules. `input` is
#   {"modules": {path: source}}; what cannot be parsed is left to the compiler, which says where.
# scope: subpackages
package checks.site

# METADATA
# description: A sentence for each problem, which begins with the path of the module.
# entrypoint: true
problems contains $"{path}: {problem}" if {
	some path, module in _modules
	some problem in _module_problems(module)
}

_modules[path] := rego.parse_module(path, source) if some path, source in input.modules

_module_problems(module) := union({
	_package_problems(_package_path(module)),
	_about_rule_problems(module),
	_deny_rule_problems(module),
})

_package_path(module) := [part.value | some part in array.slice(module.package.path, 1, count(module.package.path))]

_package_problems(names) := {problem} if {
	names[0] != "site"
	problem := $"package {_dotted_name(names)} is not a site's: use site.rules.NAME, site.placement or site.placement.NAME"
} else := {problem} if {
	some family, lengths in {"placement": {2, 3}, "rules": {3}}
	names[1] == family
	not count(names) in lengths
	advice := $"use site.{family}.NAME, and another name below site for helpers"
	problem := $"nothing evaluates package {_dotted_name(names)}: {advice}"
} else := set()

# An object that the rule is not about would look like one of a package without such a rule, and be denied.
_about_rule_problems(module) := {problem |
	array.slice(_package_path(module), 0, 2) in {["site", "placement"], ["site", "tenants"]}
	some rule in module.rules
	rule.head.name == "about"
	not rule.head.key
	not "default" in object.keys(rule)
	not _has_default_about(_package_path(module))
	problem := "about: write `about contains \"why\" if …`, which is empty where nothing matches, not missing"
}

_has_default_about(names) if {
	some module in _modules
	_package_path(module) == names
	some rule in module.rules
	rule.head.name == "about"
	rule["default"]
}

# A function, or one value that is no list of violations, denies nothing.
_deny_rule_problems(module) := {problem |
	names := _package_path(module)
	array.slice(names, 0, 2) == ["site", "rules"]
	some rule in module.rules
	rule.head.name == "deny"
	not rule.head.key
	_is_without_violations(rule)
	problem := $"{_dotted_name(names)}.deny is not a set of violations: write `deny contains \"why\" if …`"
}

_is_without_violations(rule) if rule.head.args

_is_without_violations(rule) if {
	walk(rule, [at, value])
	array.slice(at, count(at) - 2, count(at)) == ["head", "value"]
	{piece | some piece in array.slice(at, 0, count(at) - 2)} - {"else"} == set()
	value.type in {"boolean", "null", "number", "string", "templatestring"}
	[value.type, value.value] != ["boolean", false]
}

_dotted_name(names) := concat(".", [$"{name}" | some name in names])
