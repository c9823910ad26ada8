package kafka.operations

# METADATA
# title: Alter a broker
# description: A change of the dynamic configs of a broker, or of those that all brokers share.
AlterBroker := {
	"subject": "broker",
	"types": {"broker": "string", "configs": "object"},
	"required": {"broker": "string", "configs": "object"},
	"inside": {"configs": "change"},
	"unchanged": {"of": {"broker"}, "change": {"configs": {"mode": "incremental", "ops": []}}},
	"families": {"brokers", "changes", "clients", "config_keys", "lists"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {
		"brokers", "catalog", "clusterSize", "defaults", "features", "labelPatterns", "meta", "namesByMetric",
		"resourceConfigs", "topics", "totals",
	},
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
	"reads": {
		"brokers", "catalog", "clusterSize", "defaults", "labelPatterns", "meta", "namesByMetric",
		"resourceConfigs", "topics", "totals",
	},
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
	"reads": {"brokers", "catalog", "clusterSize", "managed", "meta", "totals"},
	"shares": {
		"brokers": true,
		"catalog": true,
		"clusterSize": true,
		"managed": true,
		"meta": {"unknown": true},
		"totals": true,
	},
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
	"unchanged": {"of": {"resource"}, "change": {"configs": {"mode": "incremental", "ops": []}}},
	"families": {"changes", "clients", "config_keys", "naming"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {
		"brokers", "catalog", "clusterSize", "defaults", "labelPatterns", "meta", "namesByMetric",
		"resourceConfigs", "topics", "totals",
	},
}
