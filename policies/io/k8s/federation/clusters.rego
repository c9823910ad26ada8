package io.k8s.federation

# What clusters are, from the objects that are replicated under data.kubernetes. A cluster by its name is one look-up.
# All clusters of a jurisdiction, a level or a region are a look-up too where the replicator keeps the index that
# `index` makes (data.kubernetes.clusterIndex), and what each is is kept there; without it all clusters are looked at.

# METADATA
# description: |
#   What a cluster's object says: its regions (its zones where it names no region), the jurisdictions in which all of
#   them lie or which it states itself, its PCI level, null where it has none, and its state: leaving where it is being
#   deleted, unready where a condition says so, else ready.
facts(thing) := {
	"regions": regions,
	"jurisdictions": _jurisdictions(_cluster_fact(thing, "jurisdiction"), regions),
	"pciLevel": _pci_level(_cluster_fact(thing, "pciLevel")),
	"state": _readiness_state(thing),
} if {
	regions := _regions(thing)
}

_cluster_fact(thing, name) := values[0] if {
	values := [value |
		some path in data.catalog.placement.facts[name]
		value := object.get(thing, path, null)
		not value in {null, ""}
	]
} else := claims[0] if {
	claims := [claim.value |
		some claimed in data.catalog.placement.claims[name]
		some claim in thing.status.clusterClaims
		claim.name == claimed
		not claim.value in {null, ""}
	]
} else := null

_readiness_state(thing) := "leaving" if {
	is_going(thing)
} else := "unready" if {
	some condition in thing.status.conditions
	condition.type in data.catalog.placement.readiness
	condition.status != "True"
} else := "ready"

_regions(thing) := {region} if {
	region := _cluster_fact(thing, "region")
	region != null
} else := {zone | some zone in _cluster_fact(thing, "zones")}

_pci_level(value) := value if _is_natural_number(value)

_pci_level(value) := to_number(value) if _is_level_text(value)

_pci_level(value) := null if {
	not _is_natural_number(value)
	not _is_level_text(value)
}

# A cluster that states its jurisdiction has that one.
_jurisdictions(stated, _) := {lower(stated)} if is_string(stated)

_jurisdictions(null, regions) := {name |
	some name, rows in data.catalog.placement.jurisdictions
	regions != set()
	every region in regions { _is_in_jurisdiction(region, rows) }
}

_is_in_jurisdiction(region, rows) if {
	_has_match(rows.regions, region)
	not _has_match(rows.except, region)
}

_has_match(patterns, name) if {
	some pattern in patterns
	glob.match(pattern, null, name)
}

# METADATA
# description: The object of a cluster; undefined where none of that name is replicated.
cluster(name) := things[0] if {
	things := [thing | some type in data.catalog.placement.clusterTypes; thing := data.kubernetes[type][name]]
}

# METADATA
# description: Whether anything is known of clusters at all; nothing is while they are being loaded.
has_clusters if {
	not data.kubernetes.meta.loading
	some type in data.catalog.placement.clusterTypes
	count(data.kubernetes[type]) > 0
}

# METADATA
# description: |
#   Whether the cluster of that name is known, is not about to go, and meets all needs, pairs of jurisdiction,
#   pciLevel or regions and what is needed of it.
is_suitable(name, needs) if {
	attributes := _facts_of(name)
	attributes.state != "leaving"
	every need in needs { _is_need_met(need[0], need[1], attributes) }
}

# What was found in this very version of the object is not looked for again.
_facts_of(name) := kept if {
	kept := data.kubernetes.clusterIndex.facts[name]
	kept.state
	kept.resourceVersion == cluster(name).metadata.resourceVersion
} else := facts(cluster(name))

_is_need_met("jurisdiction", needed, attributes) if needed in attributes.jurisdictions

_is_need_met("pciLevel", needed, attributes) if attributes.pciLevel >= needed

_is_need_met("regions", needed, attributes) if {
	count(attributes.regions) > 0
	every region in attributes.regions { _has_match(needed, region) }
}

# METADATA
# description: The names of all clusters that meet the needs and are ready.
ready_clusters(needs) := {name |
	some name in _candidate_clusters(needs)
	attributes := _facts_of(name)
	attributes.state == "ready"
	every need in needs { _is_need_met(need[0], need[1], attributes) }
}

# The index says where to look: what is found there is checked for the version that the cluster has now, so that an old
# index cannot place anything. Each of its entries is read by its own path: OPA converts what is read whole, and handed
# to a function, in time with its size.
_candidate_clusters(needs) := intersection({_indexed_clusters(need, needed) | some [need, needed] in needs}) if {
	needs != []
	data.kubernetes.clusterIndex.region
} else := {name | some type in data.catalog.placement.clusterTypes; some name, _ in data.kubernetes[type]}

_indexed_clusters("jurisdiction", needed) := {name | some name; data.kubernetes.clusterIndex.jurisdiction[needed][name]}

_indexed_clusters("pciLevel", needed) := {name |
	some text
	data.kubernetes.clusterIndex.pciLevel[text]
	to_number(text) >= needed
	some name
	data.kubernetes.clusterIndex.pciLevel[text][name]
}

_indexed_clusters("regions", needed) := {name |
	some region
	data.kubernetes.clusterIndex.region[region]
	_has_match(needed, region)
	some name
	data.kubernetes.clusterIndex.region[region][name]
}
