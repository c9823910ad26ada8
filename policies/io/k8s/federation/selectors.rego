package io.k8s.federation

# METADATA
# description: |
#   What the selectors of people's policies select, by names and labels. One that lies in a namespace selects there,
#   whatever it says. A type goes by any name under data.kubernetes, so that its objects say of what kind they are.
_selected_things(selector, propagation) := [thing |
	namespace := propagation.metadata.namespace
	some type, name
	data.kubernetes[type][namespace][name].kind == selector.kind
	thing := data.kubernetes[type][namespace][name]
	_is_selected(selector, thing)
] if {
	propagation.metadata.namespace
} else := array.concat(_selected_cluster_things(selector), _selected_namespaced_things(selector))

_selected_cluster_things(selector) := [thing |
	some type, name
	data.kubernetes[type][name].kind == selector.kind
	thing := data.kubernetes[type][name]
	_is_selected(selector, thing)
]

_selected_namespaced_things(selector) := [thing |
	some type, namespace, name
	kind := data.kubernetes[type][namespace][name].kind
	true in {kind == selector.kind, object.get(selector, "within", false)}
	thing := data.kubernetes[type][namespace][name]
	_is_selected(selector, thing)
]

# A name is before labels. The namespace counts where the one that selects lies in none.
_is_selected(selector, thing) if {
	[selector.apiVersion, selector.kind] == [thing.apiVersion, thing.kind]
	namespace := object.get(thing.metadata, "namespace", "")
	_is_empty_or_equal(object.get(selector, "namespace", ""), namespace)
	namespace in object.get(selector, "namespaces", {namespace})
	_is_named_or_labelled(selector, thing)
}

# A namespace, with all that lies in it. Of one that nobody knows, nobody knows that it has not these labels.
_is_selected(selector, thing) if {
	selector.within
	name := object.get(selector, "name", "")
	name != ""
	thing.metadata.namespace == name
}

_is_selected(selector, thing) if {
	selector.within
	object.get(selector, "name", "") == ""
	_is_namespace_selected(thing.metadata.namespace, object.get(selector, "labelSelector", {}))
}

_is_namespace_selected(name, _) if not data.kubernetes.namespaces[name]

_is_namespace_selected(name, selector) if _are_labels_selected(selector, labels_of(data.kubernetes.namespaces[name]))

_is_empty_or_equal("", _)

_is_empty_or_equal(wanted, value) if {
	wanted != ""
	wanted == value
}

_is_named_or_labelled(selector, thing) if {
	name := object.get(selector, "name", "")
	name != ""
	name == thing.metadata.name
}

_is_named_or_labelled(selector, thing) if {
	object.get(selector, "name", "") == ""
	_are_labels_selected(object.get(selector, "labelSelector", {}), labels_of(thing))
}

_are_labels_selected(selector, labels) if {
	every key, value in object.get(selector, "matchLabels", {}) { labels[key] == value }
	every row in object.get(selector, "matchExpressions", []) { _is_satisfied(row, {value | value := labels[row.key]}) }
}

_is_satisfied(expression, values) if {
	expression.operator == "In"
	some value in values
	value in expression.values
}

_is_satisfied(expression, values) if {
	expression.operator == "NotIn"
	every value in values { not value in expression.values }
}

_is_satisfied(expression, values) if {
	expression.operator == "Exists"
	values != set()
}

_is_satisfied(expression, values) if {
	expression.operator == "DoesNotExist"
	values == set()
}
