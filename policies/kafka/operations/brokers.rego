package kafka.operations

# METADATA
# title: Alter a broker
# description: A change of the dynamic configs of a broker, or of those that all brokers share.
AlterBroker := {
	"subject": "broker",
	"types": {"broker": "string", "configs": "object"},
	"required": {"broker": "string", "configs": "object"},
	"inside": {"configs": "change"},
	"families": {"brokers", "changes", "clients", "lists"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"brokers", "features", "meta"},
}

# METADATA
# title: Start a broker
# description: A broker with the whole static configuration that it starts with.
StartBroker := {
	"subject": "broker",
	"types": {"broker": "string", "configs": "object"},
	"required": {"broker": "string", "configs": "object"},
	"inside": {"configs": "configs"},
	"families": {"brokers", "lists"},
	"freshness": {"deny", "ignore", "request", "warn"},
	"reads": {"brokers", "meta"},
}

# METADATA
# title: Audit a broker
# description: A broker as it stands.
AuditBroker := {
	"subject": "broker",
	"types": {"broker": "string"},
	"required": {"broker": "string"},
	"inside": {},
	"families": {"brokers", "lists", "sizing", "stored"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"brokers", "clusterSize", "managed", "meta", "totals"},
	"shares": {"brokers": true, "clusterSize": true, "managed": true, "meta": {"unknown": true}, "totals": true},
}

# METADATA
# title: Alter a group, client metrics or loggers
# description: |
#   A change of the configs of a group or of a client metrics subscription, or of the levels of a broker's loggers.
AlterConfig := {
	"subject": "resource",
	"types": {"resource": "object", "configs": "object"},
	"required": {"resource": "object", "configs": "object"},
	"inside": {"resource": "resource", "configs": "change"},
	"families": {"changes", "clients", "naming"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"brokers", "meta", "resourceConfigs"},
}
