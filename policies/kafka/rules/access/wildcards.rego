package kafka.rules.access

import data.kafka.model.hosts
import data.kafka.violation

# METADATA
# title: No grant to all principals, on all resources, of all operations, from all hosts
# description: |
#   One such grant bypasses every other control. What only takes rights away (DENY) may be as wide as it likes.
#   A range of hosts (CIDR, Kafka 4.4) that leaves more bits of an address open than `maxHostBits` counts as all hosts.
# related_resources:
#   - https://kafka.apache.org/documentation/#security_authz
# custom:
#   id: KFK-ACL-001
#   severity: critical
#   controls: [SOC2 CC6.1, SOC2 CC6.3, PCI-DSS 7.2.2, PCI-DSS 7.2.5, ISO27001 A.5.15, ISO27001 A.8.3]
#   operations: [CreateAcl, AuditAcl]
#   params:
#     forbid:
#       type: array
#       items: {enum: [principal, resourceName, operation, host]}
#       description: Where a wildcard is a violation; Kafka's tools set host to * by default.
#     allow:
#       type: array
#       items: {type: object, additionalProperties: {type: string, format: glob}}
#       description: "Grants that may have wildcards: fields of an ACL with their values,
#         in which * matches any characters; a host may be a range that has to hold the ACL's. Case matters in
#         names only."
#     maxHostBits:
#       type: object
#       additionalProperties: {type: integer, minimum: 0, maximum: 128}
#       description: "How many bits of an address a range of hosts may leave open where host is in `forbid`, by family:
#         ipv4 16 is a /16 and narrower; a family that is not named may have no range."
#   messages:
#     principal: the ACL grants {principal} access, which is every principal
#     resourceName: the ACL grants {principal} access to all resources of a type
#     operation: the ACL grants {principal} all operations
#     host: the ACL grants {principal} access from all hosts
#     range: the ACL grants {principal} access from hosts {hosts}, which is too wide a range
#     noRange: the ACL grants {principal} access from hosts {hosts}, a range, of which none is allowed
#   fixes:
#     principal: name one principal
#     resourceName: name the resource, or a prefix of the owner's
#     operation: name the operations that are needed
#     host: name the hosts
#     range: "name the hosts, or ranges that leave at most so many bits open: {ranges}"
#     noRange: name the hosts
deny contains violation.new(rego.metadata.rule(), args, ["acl", field], []) if {
	input.operation in {"CreateAcl", "AuditAcl"}
	params := input.params["KFK-ACL-001"]
	some field in params.forbid
	wide := _wide_args(field, input.acl, object.get(params, "maxHostBits", {}))
	_is_grant(input.acl)
	not _is_listed(input.acl, params.allow)
	args := object.union(wide, {"principal": input.acl.principal})
}

_wide_args(field, acl, _) := {"case": field} if _is_wildcard(field, acl[field], acl)

_wide_args("host", acl, max_bits) := {"case": _range_case(max_bits), "hosts": acl.host, "ranges": ranges} if {
	contains(acl.host, "/")
	not _is_narrow_host_range(acl.host, max_bits)
	ranges := concat(", ", [$"{family} {open}" | some family, open in max_bits])
}

_range_case({}) := "noRange"

_range_case(max_bits) := "range" if max_bits != {}

# Of what is no range to Kafka nobody knows how wide it is.
_is_narrow_host_range(value, max_bits) if {
	range := hosts.range_of(value)
	range.open <= object.get(max_bits, range.family, 0)
}

# A name may have colons: the first one ends the type.
_is_wildcard("principal", value, _) if regex.match(`^[^:]*:\*$`, value)

_is_wildcard("principal", "*", _)

# As a prefix it is a letter like any other (KIP-290).
_is_wildcard("resourceName", "*", acl) if upper(object.get(acl, "patternType", "")) != "PREFIXED"

_is_wildcard("operation", value, _) if upper(value) == "ALL"

_is_wildcard("host", "*", _)
