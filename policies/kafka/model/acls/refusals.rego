package kafka.model.acls

import data.kafka.base.errors
import data.kafka.model.hosts

# METADATA
# description: |
#   What Kafka refuses of a binding that is created, the broker first (kafka.server.AclApis, 4.4) and then the
#   controller (org.apache.kafka.controller.AclControlManager), and of a filter by which bindings are deleted. Which
#   operations a resource type has and which hosts there are it does not ask, but ranges of hosts it reads.
# scope: document
refusals("CreateAcl", acl) := {errors.new("INVALID_REQUEST", message) | message := _create_refusal_message(acl)}

refusals("DeleteAcl", acl) := {errors.new("INVALID_REQUEST", message) | message := _delete_refusal_message(acl)}

refusals("AuditAcl", _) := set()

_create_refusal_message(acl) := $"The only valid name for the CLUSTER resource is {data.catalog.acls.cluster}" if {
	upper(acl.resourceType) == "CLUSTER"
	acl.resourceName != data.catalog.acls.cluster
} else := "Invalid empty resource name" if {
	acl.resourceName == ""
} else := message if {
	message := [message |
		some field in ["resourceType", "patternType", "operation", "permissionType"]
		not upper(acl[field]) in data.catalog.acls.bindings[field]
		message := $"Invalid {field} {_enum_name(field, acl[field])}"
	][0]
} else := message if {
	not contains(acl.principal, ":")
	message := concat("", [
		$"Could not parse principal from `{acl.principal}` ",
		"(no colon is present separating the principal type from the principal name)",
	])
} else := "Host pattern cannot be null or empty" if {
	acl.host == ""
} else := hosts.range_problem(acl.host)

_delete_refusal_message(filter) := "Unknown patternFilter." if {
	some field in ["resourceType", "patternType"]
	_enum_name(field, filter[field]) == "UNKNOWN"
} else := "Unknown entryFilter." if {
	some field in ["operation", "permissionType"]
	_enum_name(field, filter[field]) == "UNKNOWN"
}

# As Kafka's enumerations read a name, in letters of any size; null is any.
_enum_name(_, null) := "ANY"

_enum_name(field, text) := name if {
	name := upper(text)
	name in data.catalog.acls.filters[field]
}

_enum_name(field, text) := "UNKNOWN" if {
	text != null
	not upper(text) in data.catalog.acls.filters[field]
}
