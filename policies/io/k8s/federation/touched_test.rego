package io.k8s.federation_test

import data.io.k8s.federation

_is(regions, level) := {"jurisdictions": {"eu"}, "pciLevel": level, "regions": regions, "state": "ready"}

_touched(changed, site) := result if {
	result := federation.touched with input as {"changed": {"a": changed}, "items": _items}
		with data.site.placement as site
}

_items := {
	"eu": [["jurisdiction", "eu"]],
	"pci": [["jurisdiction", "eu"], ["pciLevel", 2]],
	"resident": [["regions", ["europe-*"]]],
	"none": [],
}

test_touched[note] if {
	some note, tc in {
		"a level that some need": {"before": _is({"europe-west1"}, 2), "after": _is({"europe-west1"}, 1), "keys": {"pci"}},
		"a level that nobody needs": {"before": _is({"europe-west1"}, 3), "after": _is({"europe-west1"}, 2), "keys": set()},
		"a region": {"before": _is({"europe-west1"}, 1), "after": _is({"us-east1"}, 1), "keys": {"resident"}},
		"new": {"before": null, "after": _is({"us-east1"}, 1), "keys": {"eu"}},
		"gone": {"before": _is({"europe-west1"}, 2), "after": null, "keys": {"eu", "pci", "resident"}},
		"ready again": {
			"before": object.union(_is({"us-east1"}, 2), {"state": "unready"}),
			"after": _is({"us-east1"}, 2),
			"keys": {"eu", "pci"},
		},
		"about to go": {
			"before": _is({"us-east1"}, 2),
			"after": object.union(_is({"us-east1"}, 2), {"state": "leaving"}),
			"keys": {"eu", "pci"},
		},
	}
	tc.keys == _touched(object.filter(tc, ["before", "after"]), {})
}

test_all_are_touched_where_a_site_has_rules if {
	same := _is({"us-east1"}, 1)
	object.keys(_items) == _touched({"before": same, "after": same}, {"errors": set()})
}

test_all_are_touched_where_tenants_have_rules if {
	same := _is({"us-east1"}, 1)
	keys := _touched({"before": same, "after": same}, {}) with data.site.loaded as {"policies": {"a": "b"}}
	object.keys(_items) == keys
}

test_a_remediation_says_what_its_object_needs if {
	answer := federation.remediation with input as {"object": _object(_demands, {"data-residency": "eu"})}
		with data.kubernetes as _kubernetes
		with data.site.placement as {}
		with data.settings.compiled as _settings({})
	["jurisdiction", "eu"] in answer.needs
	["regions", ["europe-*"]] in answer.needs
}
