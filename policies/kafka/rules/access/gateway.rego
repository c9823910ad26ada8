package kafka.rules.access

import data.kafka.model.hosts
import data.kafka.violation

# METADATA
# title: Rights to change a cluster are granted to the gateways' hosts only
# description: |
#   Who may change a cluster from any host walks round the gateway, and with it round the policy. A broker compares the
#   host of an ACL with the address of its peer, as text or, since 4.4, as a range in CIDR notation, and never as a
#   name: a grant may have an address of a gateway, or a range that holds no other addresses than `hosts` does.
# related_resources:
#   - https://kafka.apache.org/documentation/#security_authz
# custom:
#   id: KFK-ACL-004
#   severity: high
#   controls: [SOC2 CC6.3, SOC2 CC6.6, PCI-DSS 7.2.2, ISO27001 A.8.2]
#   operations: [CreateAcl, AuditAcl]
#   params:
#     hosts:
#       type: array
#       items: {type: string}
#       description: Addresses from which gateways connect to brokers, or ranges of nothing but gateways.
#     rights:
#       type: object
#       additionalProperties: {type: array, items: {type: string}}
#       description: "Operations that change a cluster, by type of resource; ALL contains each of them."
#   message: the ACL grants {principal} {operation} of {resource} from host {host}, past the gateway
#   fixes:
#     known: "grant it from the gateways' hosts alone: {hosts}"
#     unset: have those who run the cluster name the gateways in `hosts` of this rule, and grant it from these alone
deny contains violation.new(rego.metadata.rule(), args, ["acl", "host"], []) if {
	input.operation in {"CreateAcl", "AuditAcl"}
	params := input.params["KFK-ACL-004"]
	_is_changing_right(params.rights, upper(input.acl.resourceType), upper(input.acl.operation))
	_is_grant(input.acl)
	not _is_gateway(input.acl.host, params.hosts)
	args := {
		"case": _gateways_case(params.hosts),
		"principal": input.acl.principal,
		"operation": input.acl.operation,
		"resource": input.acl.resourceType,
		"host": input.acl.host,
		"hosts": concat(", ", params.hosts),
	}
}

_is_changing_right(rights, type, operation) if operation in rights[type]

_is_changing_right(rights, type, "ALL") if rights[type]

_is_gateway(host, gateways) if host in gateways

_is_gateway(host, gateways) if {
	some gateway in gateways
	gateway != "*"
	hosts.has_host(gateway, host)
}

_gateways_case([]) := "unset"

_gateways_case(gateways) := "known" if gateways != []
