package kafka.operations

# METADATA
# title: Add a voter
# description: A controller that is to vote in the quorum of a cluster's metadata (KIP-853).
AddRaftVoter := {
	"subject": "administration",
	"types": {"voter": "string", "directory": "string"},
	"required": {"voter": "string"},
	"inside": {},
	"families": {"brokers", "changes", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Remove a voter
# description: A controller that is to vote no longer in the quorum of a cluster's metadata (KIP-853).
RemoveRaftVoter := {
	"subject": "administration",
	"types": {"voter": "string", "directory": "string"},
	"required": {"voter": "string"},
	"inside": {},
	"families": {"brokers", "changes", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}

# METADATA
# title: Move replicas between log directories
# description: Replicas of one broker that are to be copied into other log directories of it (KIP-113).
AlterReplicaLogDirs := {
	"subject": "administration",
	"types": {"replicas": "array"},
	"required": {"replicas": "array"},
	"inside": {"replicas": "directoryReplicas"},
	"families": {"brokers", "changes", "clients"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"meta"},
}
