package io.k8s.federation

# METADATA
# title: What a change of clusters touches
# description: |
#   Keys of `input.items` whose remediation may be another one after clusters have changed. An item is the `needs` of a
#   remediation; `input.changed` has by name what a cluster was `before` and is `after`, as `cluster_states` says, null
#   where there is none. An object is touched where a cluster has come to meet its needs, or meets them no more; one
#   that needs nothing is not placed by policy. All are touched where a site has rules of its own.
# entrypoint: true
touched contains key if {
	some key, needs in input.items
	needs != []
	some change in input.changed
	_usable_state(needs, change.before) != _usable_state(needs, change.after)
}

touched contains key if {
	_placement_packages({}) != {}
	some key, _ in input.items
}

touched contains key if {
	data.site.loaded.policies != {}
	some key, _ in input.items
}

# In which state it is there to be used; none where it does not fit.
default _usable_state(_, _) := "none"

_usable_state(needs, attributes) := attributes.state if {
	attributes.state != "leaving"
	every need in needs { _is_need_met(need[0], need[1], attributes) }
}

# What is needed of the clusters of an object: what it demands itself, and what the settings make of its labels.
_cluster_needs(thing, residency) := array.concat(demands(thing), [["regions", row.patterns] | some row in residency])
