package kafka.rules.brokers

import data.kafka.brokers
import data.kafka.violation

# METADATA
# title: Access is denied unless an ACL grants it
# description: |
#   Without an authorizer every ACL is decoration; with allow.everyone.if.no.acl.found every topic
#   is open until someone writes its first ACL.
# related_resources:
#   - https://kafka.apache.org/documentation/#security_authz
# custom:
#   id: KFK-BRK-007
#   severity: critical
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params: {}
#   message: "{what}"
#   fix: set {name} to {wanted}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], brokers.patch(input, name, wanted)) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	input.params["KFK-BRK-007"]
	some [name, what, wanted] in _open
	args := {"name": name, "what": what, "wanted": wanted}
}

_open contains [
	"allow.everyone.if.no.acl.found",
	"allow.everyone.if.no.acl.found is true, so that what has no ACL is open to all",
	"false",
] if {
	lower(brokers.known_values(input)["allow.everyone.if.no.acl.found"]) == "true"
}

_open contains [
	"authorizer.class.name",
	"authorizer.class.name is not set, so that nothing asks the ACLs",
	"org.apache.kafka.metadata.authorizer.StandardAuthorizer",
] if {
	input.broker != ""
	not _authorized
}

_authorized if brokers.known_values(input)["authorizer.class.name"] != ""
