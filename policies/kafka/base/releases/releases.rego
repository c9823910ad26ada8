# METADATA
# title: Older releases
# description: |
#   Clusters whose Kafka is older than the newest that this bundle knows are decided by the catalogues of their own
#   release (`data.catalog.older`), which stand in for the newest, so that no rule knows of releases.
# scope: subpackages
package kafka.base.releases

import data.kafka.cluster

# METADATA
# description: |
#   The release, without its patch, whose catalogues decide about a document's cluster in place of the newest: its own,
#   and of one that is older than all of these the oldest; undefined where the newest hold, of a cluster whose release
#   is not known, too.
# scope: document
line(document) := found if {
	release := cluster.part(document, "catalog").release
	found := data.catalog.older.nearest[substring(release, 0, 3)]
	not regex.match(`^.{3}[0-9]`, release) # a release of two digits behind the point, which is none of these
}

# METADATA
# description: Whether the catalogue of topics of an older release stands in for the newest already.
# scope: document
has_stand_in if "beside" in object.keys(data.catalog.topic)

# METADATA
# description: |
#   By release, the catalogues of brokers, groups and client metrics. They are made of the newest and of what the
#   release has otherwise, once for all decisions of a batch.
brokers[release] := _older_catalog(data.catalog.broker, line.broker) if some release, line in data.catalog.older.lines

# METADATA
# description: As `brokers`, of groups.
groups[release] := _older_catalog(data.catalog.group, line.group) if some release, line in data.catalog.older.lines

# METADATA
# description: As `brokers`, of client metrics.
client_metrics[release] := _older_catalog(data.catalog.clientMetrics, line.clientMetrics) if {
	some release, line in data.catalog.older.lines
}

_older_catalog(newest, line) := object.union_n([
	object.remove(newest, ["configs", "types", "defaults"]),
	line.fields,
	{
		"configs": object.union(object.remove(object.remove(newest.configs, line.gone), line.configs), line.configs),
		"types": object.union(object.remove(newest.types, line.gone), line.types),
		"defaults": {
			"configs": object.union(object.remove(newest.defaults.configs, without), line.texts),
			"values": object.union(object.remove(newest.defaults.values, without), line.values),
		},
	},
]) if {
	without := array.concat(line.gone, line.bare)
}
