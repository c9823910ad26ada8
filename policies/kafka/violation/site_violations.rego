package kafka.violation

# METADATA
# description: What a site's own rules (data.site.rules) have against the document in `input`.
site_violations contains _site_violation(name, raw) if {
	some name
	raw := data.site.rules[name].deny[_]
}

# The violation that a site's package `name` of rules means by `raw`: what it leaves out, or gives in place of a
# violation, must not lose the denial.
_site_violation(name, raw) := object.union_n([_site_violation_defaults, {"order": {"of": name}}, raw]) if is_object(raw)

_site_violation(name, raw) := object.union_n([
	_site_violation_defaults,
	{"order": {"of": name}},
	{"message": json.marshal(raw)},
]) if {
	not is_object(raw)
}

_site_violation_defaults := {
	"rule": "SITE",
	"severity": "high",
	"message": "a rule of this site is broken",
	"fix": "",
	"path": [],
	"patch": [],
}
