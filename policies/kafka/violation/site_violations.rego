package kafka.violation

# METADATA
# description: What a site's own rules (data.site.rules) have against the document in `input`.
# scope: document
site_violations contains _site_violation(name, raw) if {
	some name
	raw := data.site.rules[name].deny[_]
}

# A `deny` that holds no violations, such as the true of `deny if …`, must not allow what it was meant to deny.
site_violations contains _site_violation(name, {
	"message": $"site.rules.{name}.deny is not a set of violations",
	"fix": "write `deny contains \"why\" if …` in the rule of this site",
}) if {
	some name
	denials := data.site.rules[name].deny
	denials != false
	not type_name(denials) in {"array", "object", "set"}
}

# The violation that a site's package `name` of rules means by `raw`: what it leaves out, gives in place of a violation,
# or gives as another type than a violation has, must not lose the denial.
_site_violation(name, raw) := object.union_n([
	_site_violation_defaults,
	{"order": {"of": name}},
	raw,
	{field: _string_form(value) | some field in ["fix", "message", "rule", "severity"]; value := raw[field]},
	{field: [] | some field in ["patch", "path"]; not is_array(object.get(raw, field, []))},
]) if {
	is_object(raw)
}

_site_violation(name, raw) := object.union_n([
	_site_violation_defaults,
	{"order": {"of": name}},
	{"message": json.marshal(raw)},
]) if {
	not is_object(raw)
}

_string_form(value) := value if is_string(value)

_string_form(value) := json.marshal(value) if not is_string(value)

_site_violation_defaults := {
	"rule": "SITE",
	"severity": "high",
	"message": "a rule of this site is broken",
	"fix": "",
	"path": [],
	"patch": [],
}
