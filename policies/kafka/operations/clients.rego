package kafka.operations

# METADATA
# title: Describe client configs
# description: What a cluster holds for its clients (KIP-649), read or resolved for one client.
DescribeClientConfigs := {
	"subject": "client",
	"types": {
		"components": "array",
		"supportedConfigs": "array",
		"resolveEntity": "boolean",
		"strict": "boolean",
		"softwareName": "string",
		"softwareVersion": "string",
	},
	"required": {"components": "array"},
	"nullable": {"supportedConfigs"},
	"inside": {"components": "clientComponents", "supportedConfigs": "strings"},
	"families": {"clients"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"acls", "clientConfigs", "meta", "staticClientConfigs"},
	"answers": {"entries"},
}

# METADATA
# title: Alter client configs
# description: A change of what a cluster holds for a client entity (KIP-649).
AlterClientConfigs := {
	"subject": "client",
	"types": {"entity": "object", "ops": "array"},
	"required": {"entity": "object", "ops": "array"},
	"inside": {"entity": "clientEntity", "ops": "clientOps"},
	"unchanged": {"of": {"entity"}, "change": {"ops": []}},
	"families": {"clients"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"acls", "clientConfigs", "meta", "staticClientConfigs"},
	"answers": {"entries"},
}

# METADATA
# title: Audit client configs
# description: What a cluster holds for a client entity, as it stands.
AuditClientConfigs := {
	"subject": "client",
	"types": {"entity": "object"},
	"required": {"entity": "object"},
	"inside": {"entity": "clientEntity"},
	"families": {"clients"},
	"freshness": {"deny", "ignore", "warn"},
	"reads": {"clientConfigs", "groups", "meta", "staticClientConfigs"},
	"shares": {"meta": {"unknown": true}},
	"own": [
		["clientConfigs", {"of": "user"}, ""],
		["clientConfigs", {"of": "user"}, {"of": "clientId"}],
		["staticClientConfigs", {"of": "user"}, {"of": "clientId"}],
		["groups", {"in": ["staticClientConfigs", {"of": "user"}, {"of": "clientId"}, "consumer", "group.id"]}],
	],
}
