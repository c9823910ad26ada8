package io.k8s.federation_test

import data.io.k8s.federation

_attempts_params(source) := {"KFK-PLC-003": {
	"mode": "deny",
	"params": {"attempts": 3, "onError": "fail", "policiesFrom": source},
}}

_errors(thing, site, from) := object.get(answer, "errors", []) if {
	answer := federation.admission with input as thing
		with data.kubernetes as {}
		with data.site as site
		with data.settings.compiled as _settings(_attempts_params(from))
}

_service(namespace) := {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "a", "namespace": namespace}}

_broken := "KFK-PLC-003: no text of a policy about it has ever compiled: shop/broken"

# What the replicator has loaded of ConfigMaps, and the errors of an object that demands nothing.
test_policies_of_config_maps[note] if {
	some note, tc in {
		"none expected": {"site": {}, "from": "bundle", "errors": []},
		"none loaded": {"site": {}, "from": "configMaps", "errors": ["KFK-PLC-003: no policies of ConfigMaps are loaded"]},
		"none that compiles": {"site": {"loaded": {"closed": {"*": ["shop/broken"]}}}, "from": "bundle", "errors": [_broken]},
		"none of this namespace": {"site": {"loaded": {"closed": {"web": ["shop/broken"]}}}, "errors": [_broken]},
		"none of another namespace": {"site": {"loaded": {"closed": {"pay": ["shop/broken"]}}}, "errors": []},
		"all": {"site": {"loaded": {"closed": {}}}, "from": "configMaps", "errors": []},
		"all, where none are expected": {"site": {"loaded": {"closed": {}}}, "errors": []},
	}
	tc.errors == _errors(_service("web"), tc.site, object.get(tc, "from", "bundle"))
}

test_what_is_about_all_is_about_an_object_without_a_namespace if {
	thing := {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "a"}}
	[_broken] == _errors(thing, {"loaded": {"closed": {"*": ["shop/broken"], "": []}}}, "bundle")
}

# Whatever the settings say: one that fetches policies does not decide without.
test_an_opa_that_fetches_policies_expects_some if {
	errors := _errors(_service("web"), {}, "bundle") with opa.runtime as {"config": {"bundles": {"configmaps": {}}}}
	["KFK-PLC-003: no policies of ConfigMaps are loaded"] == errors
}

_tenants := {
	"placement": {"warnings": {"all"}},
	"tenants": {"web": {"warnings": {"of web"}, "team": {"warnings": {"of a team"}}}, "pay": {"warnings": {"of pay"}}},
	"loaded": {"namespaces": {"web": "namespace", "pay": "namespace", "policies": "fleet"}},
}

# A tenant's rules are about the objects of their own namespace.
test_tenants[note] if {
	some note, tc in {
		"of one": {"thing": _service("web"), "warnings": ["all", "of a team", "of web"]},
		"of another": {"thing": _service("pay"), "warnings": ["all", "of pay"]},
		"of none": {"thing": _service("third"), "warnings": ["all"]},
		"of one that may say more": {"thing": _service("policies"), "warnings": ["all"]},
		"without a namespace": {
			"thing": {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "web"}},
			"warnings": ["all"],
		},
	}
	answer := federation.admission with input as tc.thing
		with data.kubernetes as {}
		with data.site as _tenants
		with data.settings.compiled as _settings(_attempts_params("bundle"))
	answer.warnings == tc.warnings
}

# Not even what is in OPA counts for a namespace that nobody has listed.
test_a_namespace_that_is_not_listed if {
	answer := federation.admission with input as _service("web")
		with data.kubernetes as {}
		with data.site as object.union(_tenants, {"loaded": {"namespaces": {"web": "none"}}})
		with data.settings.compiled as _settings(_attempts_params("bundle"))
	answer.warnings == ["all"]
}
