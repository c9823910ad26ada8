package kafka.client_configs

import data.kafka.base.errors
import data.kafka.cluster
import data.kafka.model.hosts

# Whether a principal may do something to the cluster, as StandardAuthorizer has it
# (org.apache.kafka.metadata.authorizer): super users may; else what denies goes before what allows, and what nobody
# allows is denied. Its bindings are looked up by the principal and by the wildcard that stands for all.

# METADATA
# description: Kafka's refusal where the document's principal lacks an operation on the cluster.
unauthorized(document, operation) := set() if {
	is_authorized(document, operation)
} else := {errors.new("CLUSTER_AUTHORIZATION_FAILED", message)} if {
	message := $"{_principal(document)} has no {operation} on the cluster."
}

# METADATA
# description: Whether the document's principal has `operation` (DESCRIBE_CONFIGS, ALTER_CONFIGS) on the cluster.
# scope: document
is_authorized(document, _) if _is_super_user(_principal(document), data.settings.compiled)

is_authorized(document, operation) if {
	bindings := _cluster_acl_bindings(document)
	not _has_binding(bindings, document, "DENY", {operation})
	_has_binding(bindings, document, "ALLOW", _implying_operations[operation])
}

_principal(document) := $"{document.principal.type}:{document.principal.name}"

_is_super_user(principal, compiled) if {
	some pattern in compiled.superUsers
	glob.match(pattern, null, principal)
}

_cluster_acl_bindings(document) := [acl |
	some holder in {_principal(document), "User:*"}
	some acl in object.get(cluster.part(document, "acls"), holder, [])
	_acl_enum_name(acl.resourceType) == "CLUSTER"
	_is_for_cluster(_acl_enum_name(acl.patternType), acl.resourceName)
]

_is_for_cluster("LITERAL", name) if name in {"kafka-cluster", "*"}

_is_for_cluster("PREFIXED", name) if startswith("kafka-cluster", name)

_has_binding(bindings, document, permission, operations) if {
	some acl in bindings
	_acl_enum_name(acl.permissionType) == permission
	_acl_enum_name(acl.operation) in (operations | {"ALL"})
	_is_host_match(permission, object.get(acl, "host", "*"), object.get(document.principal, "host", null))
}

# Where it is not known from where the principal comes, a binding for one host denies but does not allow.
_is_host_match(_, "*", _)

_is_host_match("DENY", _, null)

_is_host_match(_, binding, host) if binding == host

# An address is compared as text, a range as Kafka 4.4 reads it.
_is_host_match(_, binding, host) if {
	contains(binding, "/")
	host != null
	hosts.has_host(binding, host)
}

_implying_operations := {"DESCRIBE_CONFIGS": {"DESCRIBE_CONFIGS", "ALTER_CONFIGS"}, "ALTER_CONFIGS": {"ALTER_CONFIGS"}}

# Kafka's own names or their camel case: DESCRIBE_CONFIGS, DescribeConfigs.
_acl_enum_name(name) := _acl_enum_names[replace(upper(name), "_", "")]

_acl_enum_names := {
	"CLUSTER": "CLUSTER",
	"LITERAL": "LITERAL",
	"PREFIXED": "PREFIXED",
	"ALLOW": "ALLOW",
	"DENY": "DENY",
	"ALL": "ALL",
	"DESCRIBECONFIGS": "DESCRIBE_CONFIGS",
	"ALTERCONFIGS": "ALTER_CONFIGS",
}
