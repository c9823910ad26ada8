package kafka.rules.brokers

import data.kafka.model.brokers
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
#   controls: [SOC2 CC6.1, PCI-DSS 7.3.3, ISO27001 A.5.15]
#   order: same
#   operations: [AlterBroker, StartBroker, AuditBroker]
#   params: {}
#   messages:
#     open: "{name} is true, so that what has no ACL is open to all"
#     unset: "{name} is not set, so that nothing asks the ACLs"
#   fix: set {name} to {wanted}
deny contains violation.new(rego.metadata.rule(), args, ["configs", name], brokers.patch(input, name, wanted)) if {
	input.operation in {"AlterBroker", "StartBroker", "AuditBroker"}
	input.params["KFK-BRK-007"]
	some [case, name, wanted] in _open_access
	args := {"case": case, "name": name, "wanted": wanted}
}

_open_access contains ["open", "allow.everyone.if.no.acl.found", "false"] if {
	lower(brokers.known_values(input)["allow.everyone.if.no.acl.found"]) == "true"
}

_open_access contains ["unset", "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer"] if {
	input.broker != ""
	not _has_authorizer
}

_has_authorizer if brokers.known_values(input)["authorizer.class.name"] != ""
