package kafka.rules.access

import data.kafka.cluster
import data.kafka.violation

# METADATA
# title: ACLs of topics and users name what exists
# description: A grant that is left behind opens whatever is created under the old name next.
# related_resources:
#   - https://kafka.apache.org/documentation/#security_authz
# custom:
#   id: KFK-ACL-003
#   severity: low
#   controls: [SOC2 CC6.3, ISO27001 A.5.18]
#   operations: [AuditAcl]
#   message: the ACL is for {kind} "{name}", which does not exist
#   fix: delete the ACL, or correct the name of the {kind}
deny contains violation.new(rego.metadata.rule(), {"kind": kind, "name": name}, ["acl", field], []) if {
	input.operation == "AuditAcl"
	input.params["KFK-ACL-003"]
	_is_grant(input.acl)
	some [kind, name, field] in _absent_topics_and_users
}

# Where the state knows no topics, or no users, nothing is said of them. A prefix may wait for its first topic.
_absent_topics_and_users contains ["topic", name, "resourceName"] if {
	upper(input.acl.resourceType) == "TOPIC"
	upper(input.acl.patternType) == "LITERAL"
	name := input.acl.resourceName
	name != "*"
	cluster.part(input, "topics")
	not cluster.topic(input, name)
}

_absent_topics_and_users contains ["user", name, "principal"] if {
	startswith(input.acl.principal, "User:")
	name := trim_prefix(input.acl.principal, "User:") # in which there may be more colons
	name != "*"
	users := cluster.part(input, "users")
	not users[name]
}
