package io.k8s.federation

# What of a toleration cannot be read.

# METADATA
# description: What is wrong with one toleration, as the API server checks those of a pod (core/v1 Toleration).
toleration_problems(toleration) := union({
	{$"unknown field {field}: use effect, key, operator, tolerationSeconds and value" |
		some field in (object.keys(toleration) - {"effect", "key", "operator", "tolerationSeconds", "value"})
	},
	{$"{field} {json.marshal(value)} is not one of {concat(", ", sort(allowed))}" |
		some field, allowed in _toleration_values_by_field
		value := toleration[field]
		not value in allowed
	},
	{$"{field} {json.marshal(value)} is not a string" |
		some field in ["key", "value"]
		value := toleration[field]
		not is_string(value)
	},
	{"without a key the operator is Exists" |
		object.get(toleration, "key", "") == ""
		object.get(toleration, "operator", "Equal") != "Exists"
	},
	{"a value goes with the operator Equal only" |
		toleration.operator == "Exists"
		object.get(toleration, "value", "") != ""
	},
	{"tolerationSeconds is a whole number, and goes with the effect NoExecute only" |
		"tolerationSeconds" in object.keys(toleration)
		not _is_temporary(toleration)
	},
})

_is_temporary(toleration) if {
	toleration.effect == "NoExecute"
	_is_natural_number(toleration.tolerationSeconds)
}

_toleration_values_by_field := {
	"effect": {"NoExecute", "NoSchedule", "PreferNoSchedule"},
	"operator": {"Equal", "Exists"},
}
