package io.k8s.federation

# What an object says: its demands and its preferences.

# METADATA
# description: |
#   The preferences of an object's developer, null where there are none. In the annotation of the object's kind, as the
#   JSON text that Kubernetes stores or as JSON.
preferences(thing) := decoded(value) if {
	value := annotations_of(thing)[preferences_key(thing)]
} else := null

# METADATA
# description: The annotation that holds the preferences of an object's kind; undefined for kinds without one.
preferences_key(thing) := data.catalog.placement.preferences[thing.kind]

# METADATA
# description: An annotation's value as what it stands for, JSON text as JSON; any other text as it is.
decoded(value) := json.unmarshal(value) if {
	is_string(value)
	json.is_valid(value)
} else := value

# METADATA
# description: |
#   What two values of an annotation are compared as: objects and arrays as such, whether written as text or not, all
#   else as its text, so that 1.10 is not 1.1.
meaning(value) := composite if {
	composite := decoded(value)
	type_name(composite) in _collection_type_names
} else := value if is_string(value)

else := json.marshal(value)

_collection_type_names := {"array", "object", "set"}

# METADATA
# description: The annotations of an object; Kubernetes writes none as null, or not at all.
annotations_of(thing) := annotations if {
	annotations := object.get(thing, ["metadata", "annotations"], {})
	annotations != null
} else := {}

# METADATA
# description: |
#   Whether a stored object is being deleted. It says nothing of an object that is to be admitted: a client can write
#   this field into one that it creates.
is_going(thing) if is_string(thing.metadata.deletionTimestamp)

# METADATA
# description: The labels of an object.
labels_of(thing) := labels if {
	labels := object.get(thing, ["metadata", "labels"], {})
	labels != null
} else := {}

# METADATA
# description: What an object demands of clusters, as pairs of what and how much.
demands(thing) := array.concat(
	[["jurisdiction", "eu"] | _demand_annotation(thing, "eu") == "true"],
	[["pciLevel", to_number(level)] | level := _demand_annotation(thing, "pci")],
)

# METADATA
# description: An object's demands as its developer wrote them, for messages.
demand_texts(thing) := [$"{key}={value}" |
	some name in ["eu", "pci"]
	key := data.catalog.placement.demands[name]
	value := annotations_of(thing)[key]
	value != "false"
]

# Annotations that others take for a demand, and that are none here.
_unread_annotation_warnings(thing) := {$"{_annotation_field(key)} is not read: say where the object runs in {wanted}" |
	some key in data.catalog.placement.unread
	annotations_of(thing)[key]
	wanted := concat(", ", sort({name | some name in data.catalog.placement.preferences}))
}

# METADATA
# description: A list that an object's annotation holds (tolerations, spread); [] where there is none.
annotation_list(thing, name) := decoded(_demand_annotation(thing, name)) if {
	_demand_annotation(thing, name)
} else := []

_demand_annotation(thing, name) := annotations_of(thing)[data.catalog.placement.demands[name]]
