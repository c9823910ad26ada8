package kafka.rules.access

import data.kafka.violation

# METADATA
# title: Rights to change a cluster are granted to the gateways' hosts only
# description: |
#   Who may change a cluster from any host walks round the gateway, and with it round the policy. A broker compares the
#   host of an ACL with the address of its peer as text: an address of a gateway, never a name or a range.
# related_resources:
#   - https://kafka.apache.org/documentation/#security_authz
# custom:
#   id: KFK-ACL-004
#   severity: high
#   operations: [CreateAcl, AuditAcl]
#   params:
#     hosts:
#       type: array
#       items: {type: string}
#       description: Addresses from which gateways connect to brokers.
#     rights:
#       type: object
#       additionalProperties: {type: array, items: {type: string}}
#       description: "Operations that change a cluster, by type of resource; ALL contains each of them."
#   message: the ACL grants {principal} {operation} of {resource} from host {host}, past the gateway
#   fix: "grant it from the gateways' hosts alone: {hosts}"
deny contains violation.new(rego.metadata.rule(), args, ["acl", "host"], []) if {
	input.operation in {"CreateAcl", "AuditAcl"}
	params := input.params["KFK-ACL-004"]
	_changes(params.rights, upper(input.acl.resourceType), upper(input.acl.operation))
	_grants(input.acl)
	not input.acl.host in params.hosts
	args := {
		"principal": input.acl.principal,
		"operation": input.acl.operation,
		"resource": input.acl.resourceType,
		"host": input.acl.host,
		"hosts": _hosts(params.hosts),
	}
}

_changes(rights, type, operation) if operation in rights[type]

_changes(rights, type, "ALL") if rights[type]

_hosts(hosts) := concat(", ", hosts) if count(hosts) > 0

_hosts([]) := "none is set"
