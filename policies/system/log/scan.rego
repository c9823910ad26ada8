package system.log

# METADATA
# description: |
#   Which batches are a scan's: every item, with what it shares, is an audit for the enforcement point `scan`, by which
#   nothing is carried out. What `common` alone says counts for nothing: each item is looked at as it is decided.
_is_scan if {
	input.path == "kafka/decisions"
	items := input.input.items
	is_object(items)
	count(items) > 0
	common := object.get(input.input, "common", {})
	is_object(common)
	point := object.get(common, "enforcementPoint", null)
	operation := object.get(common, "operation", null)
	every item in items {
		is_object(item)
		object.get(item, "enforcementPoint", point) == "scan"
		startswith(object.get(item, "operation", operation), "Audit")
	}
}

# A scan writes its findings itself, so that its batches would only be repeated here, at a cost above that of deciding.
# Of each there is a line all the same, so that nobody can ask without one: how many items of which operations about
# which clusters, and how many were allowed.
mask contains {"op": "upsert", "path": "/input", "value": {"scan": totals}} if {
	_is_scan
	totals := {
		"items": count(input.input.items),
		"clusters": _item_values("cluster"),
		"operations": _item_values("operation"),
	}
}

mask contains {"op": "upsert", "path": "/result", "value": {"allowed": allowed, "denied": denied}} if {
	_is_scan
	is_object(input.result)
	allowed := count([key | some key, decision in input.result; decision.allowed == true])
	denied := count(input.result) - allowed
}

_item_values(field) := {text |
	shared := object.get(object.get(input.input, "common", {}), field, null)
	some item in input.input.items
	text := object.get(item, field, shared)
	is_string(text)
}
