package kafka.clients

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.model.hosts

# Whether a principal may do something to the cluster, as StandardAuthorizer has it
# (org.apache.kafka.metadata.authorizer): super users may; else what denies goes before what allows, and what nobody
# allows is denied. Its bindings are looked up by the principal and by the wildcard that stands for all.

# METADATA
# description: Kafka's refusal where the document's principal lacks an operation on the cluster.
unauthorized(document, operation) := set() if {
	may(document, operation)
} else := {errors.new("CLUSTER_AUTHORIZATION_FAILED", message)} if {
	message := $"{_principal(document)} has no {operation} on the cluster."
}

# METADATA
# description: Whether the document's principal has `operation` (DESCRIBE_CONFIGS, ALTER_CONFIGS) on the cluster.
# scope: document
may(document, _) if _super(_principal(document), data.settings.compiled)

may(document, operation) if {
	bindings := _bindings(document)
	not _decides(bindings, document, "DENY", {operation})
	_decides(bindings, document, "ALLOW", _implied_by[operation])
}

_principal(document) := $"{document.principal.type}:{document.principal.name}"

_super(principal, compiled) if {
	some pattern in compiled.superUsers
	glob.match(pattern, null, principal)
}

_bindings(document) := [acl |
	some holder in {_principal(document), "User:*"}
	some acl in object.get(cluster.part(document, "acls"), holder, [])
	_word(acl.resourceType) == "CLUSTER"
	_covers(_word(acl.patternType), acl.resourceName)
]

_covers("LITERAL", name) if name in {"kafka-cluster", "*"}

_covers("PREFIXED", name) if startswith("kafka-cluster", name)

_decides(bindings, document, permission, operations) if {
	some acl in bindings
	_word(acl.permissionType) == permission
	_word(acl.operation) in (operations | {"ALL"})
	_from(permission, object.get(acl, "host", "*"), object.get(document.principal, "host", null))
}

# Where it is not known from where the principal comes, a binding for one host denies but does not allow.
_from(_, "*", _)

_from("DENY", _, null)

_from(_, binding, host) if binding == host

# An address is compared as text, a range as Kafka 4.4 reads it.
_from(_, binding, host) if {
	contains(binding, "/")
	host != null
	hosts.contains_host(binding, host)
}

_implied_by := {"DESCRIBE_CONFIGS": {"DESCRIBE_CONFIGS", "ALTER_CONFIGS"}, "ALTER_CONFIGS": {"ALTER_CONFIGS"}}

# Kafka's own names or their camel case: DESCRIBE_CONFIGS, DescribeConfigs.
_word(name) := _names[replace(upper(name), "_", "")]

_names := {
	"CLUSTER": "CLUSTER",
	"LITERAL": "LITERAL",
	"PREFIXED": "PREFIXED",
	"ALLOW": "ALLOW",
	"DENY": "DENY",
	"ALL": "ALL",
	"DESCRIBECONFIGS": "DESCRIBE_CONFIGS",
	"ALTERCONFIGS": "ALTER_CONFIGS",
}
