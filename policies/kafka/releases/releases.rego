# METADATA
# title: Older releases
# description: |
#   Clusters whose Kafka is older than the newest that this bundle knows are decided by the catalogues of their own
#   release (`data.catalog.older`), which stand in for the newest, so that no rule knows of releases.
# scope: subpackages
package kafka.releases

import data.kafka.cluster

# METADATA
# description: |
#   The release of a document's cluster, without its patch, where the bundle has catalogues of it beside the newest;
#   undefined where the newest hold, of a cluster whose release is not known, too, and where its own stand in already.
# scope: document
line(document) := found if {
	release := cluster.part(document, "catalog").release
	found := regex.find_n(`^[0-9]+\.[0-9]+`, release, 1)[0]
	data.catalog.older.lines[found].topic.kafka != data.catalog.topic.kafka
}
