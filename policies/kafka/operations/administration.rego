package kafka.operations

# METADATA
# title: Update features
# description: |
#   The levels of a cluster's features (KIP-584), such as metadata.version, that are raised or lowered; Kafka takes all
#   that one request names, or none.
UpdateFeatures := {
	"subject": "administration",
	"types": {"featureUpdates": "array"},
	"required": {"featureUpdates": "array"},
	"inside": {"featureUpdates": "featureUpdates"},
	"families": {"changes", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Elect leaders
# description: |
#   An election of the leaders of some partitions, or of all (KIP-460): the preferred replica, or, unclean, one that is
#   not in sync.
ElectLeaders := {
	"subject": "administration",
	"types": {"electionType": "string", "topicPartitions": "array"},
	"required": {"electionType": "string"},
	"nullable": {"topicPartitions"},
	"inside": {"electionType": "electionType", "topicPartitions": "topicPartitions"},
	"families": {"clients", "durability"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Delete a group
# description: A group of consumers, of a share or of streams, that is to be deleted with all its offsets (KIP-229).
DeleteGroup := {
	"subject": "administration",
	"types": {"group": "string"},
	"required": {"group": "string"},
	"inside": {},
	"families": {"changes", "clients", "deletion"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Delete a group's offsets
# description: |
#   Offsets of some partitions that a group has committed and that are to be deleted (KIP-496), or where a group of a
#   share is to be without a start in all partitions of some topics (KIP-932).
DeleteGroupOffsets := {
	"subject": "administration",
	"types": {"group": "string", "topicPartitions": "array"},
	"required": {"group": "string", "topicPartitions": "array"},
	"inside": {"topicPartitions": "offsetPartitions"},
	"families": {"changes", "clients", "deletion"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Alter a group's offsets
# description: |
#   Offsets that a group is to have in some partitions in place of those that it has reached (KIP-396), or from which a
#   share group is to start (KIP-932).
AlterGroupOffsets := {
	"subject": "administration",
	"types": {"group": "string", "offsets": "array"},
	"required": {"group": "string", "offsets": "array"},
	"inside": {"offsets": "groupOffsets"},
	"families": {"changes", "clients", "deletion"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"groups", "meta"},
}

# METADATA
# title: Unregister a broker
# description: A broker that is to be taken out of a cluster's metadata (KIP-631), as one that will not start again.
UnregisterBroker := {
	"subject": "administration",
	"types": {"broker": "string"},
	"required": {"broker": "string"},
	"inside": {},
	"families": {"brokers", "changes", "clients"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"meta", "totals"},
}
